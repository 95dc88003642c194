/**
 * Draw specs of tools: every keyword, nested, recursive, with names that are easily taken for others.
 *
 * In:  nothing.      Out: arbitraries of specs.
 * Not here: values of a spec (`Values.ts`).
 */
import * as fc from "fast-check"
import { compile, type Properties, type ValueSpec } from "../spec/SchemaSpec.ts"
import { fit } from "./fit.ts"
import { oddWord, propertyNames } from "./oddWords.ts"

const name = fc.constantFrom(...propertyNames)

const text: fc.Arbitrary<ValueSpec> = fc.oneof(
  fc.constantFrom<ValueSpec>(
    { type: "string" },
    { type: "string", format: "date" },
    { type: "string", pattern: "^[a-z]{1,4}$" },
    { type: "string", pattern: "\\p{Emoji_Presentation}", minLength: 1 },
  ),
  fc
    .tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 }))
    .map(([minLength, more]): ValueSpec => ({ type: "string", minLength, maxLength: minLength + more })),
)

const bounded = fc
  .tuple(
    fc.constantFrom("number", "integer"),
    fc.integer({ min: -4, max: 4 }),
    fc.nat({ max: 4 }),
    fc.constantFrom(2, 3, 0.5, 0.25),
    fc.nat({ max: 4 }),
  )
  .map(([type, low, more, multipleOf, form]): ValueSpec => {
    const kind = type === "number" ? "number" : "integer"
    if (form === 0) return { type: kind, multipleOf }
    if (form === 1) return { type: kind, minimum: low, maximum: low + more }
    if (form === 2) return { type: kind, exclusiveMinimum: low - 1, exclusiveMaximum: low + more + 1 }
    if (form === 3) return { type: kind, minimum: low, multipleOf }
    return { type: kind }
  })

const choice: fc.Arbitrary<ValueSpec> = fc.oneof(
  fc.uniqueArray(oddWord, { minLength: 1 }).map((members): ValueSpec => ({ type: "string", enum: members })),
  fc
    .uniqueArray(fc.integer({ min: -3, max: 3 }), { minLength: 1 })
    .map((members): ValueSpec => ({ type: "integer", enum: members })),
  fc
    .uniqueArray(fc.oneof(oddWord, fc.constantFrom(null, true, 5, 1.5)), { minLength: 1 })
    .map((members): ValueSpec => ({ enum: members })),
  fc.oneof(oddWord, fc.constantFrom(null, false, 5)).map((member): ValueSpec => ({ const: member })),
  fc.constant<ValueSpec>({ type: "boolean", const: true }),
)

const leaf: fc.Arbitrary<ValueSpec> = fc.oneof(
  text,
  bounded,
  choice,
  fc.constantFrom<ValueSpec>(
    { type: "boolean" },
    { type: "null" },
    { type: "any" },
    { type: "array" },
    { type: "object" },
    { type: "object", additionalProperties: true },
    { type: "object", additionalProperties: false },
  ),
)

const nullable = (of: ValueSpec): ValueSpec => ({ ...of, nullable: true })

const tagged = (shapes: ReadonlyArray<Properties>): ValueSpec => ({
  oneOf: shapes.map((properties, index) => ({
    type: "object",
    properties: { ...properties, mode: { const: `m${index}`, required: true } },
  })),
})

/** A spec that holds itself by name, one way or another. */
const recursive = (properties: Properties): ValueSpec => ({
  type: "object",
  name: "Node",
  properties: {
    ...properties,
    next: { ref: "Node" },
    path: { type: "array", items: { oneOf: [{ ref: "Node" }, { type: "string" }] } },
  },
})

const { properties } = fc.letrec<{ value: ValueSpec; properties: Properties }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: "spec" },
    { arbitrary: leaf, weight: 4 },
    leaf.map(nullable),
    tie("value").map((items): ValueSpec => ({ type: "array", items })),
    fc.tuple(tie("value"), fc.nat({ max: 1 }), fc.nat({ max: 2 }), fc.boolean()).map(
      ([items, minItems, more, uniqueItems]): ValueSpec => ({
        type: "array",
        items,
        minItems,
        maxItems: minItems + more,
        uniqueItems,
      }),
    ),
    tie("properties").map((properties): ValueSpec => ({ type: "object", properties })),
    fc.tuple(tie("properties"), fc.oneof(fc.boolean(), tie("value"))).map(
      ([properties, additionalProperties]): ValueSpec => ({
        type: "object",
        properties,
        additionalProperties,
      }),
    ),
    tie("value").map((additionalProperties): ValueSpec => ({ type: "object", additionalProperties })),
    fc
      .tuple(fc.constantFrom("oneOf", "anyOf"), fc.array(tie("value"), { minLength: 1, maxLength: 3 }))
      .map(
        ([keyword, branches]): ValueSpec => (keyword === "oneOf" ? { oneOf: branches } : { anyOf: branches }),
      ),
    fc.array(tie("properties"), { minLength: 2, maxLength: 3 }).map(tagged),
    tie("properties").map((properties) => nullable({ type: "object", properties })),
  ),
  properties: fc.dictionary(
    name,
    fc.tuple(tie("value"), fc.constantFrom("required", "optional", "default")).chain(([of, presence]) => {
      if (presence === "required") return fc.constant({ ...of, required: true })
      if (presence === "optional") return fc.constant(of)
      return fit(of).map((given) => withDefault(of, given))
    }),
    { maxKeys: 4 },
  ),
}))

// A default is of the type of its spec; the two are one only here, at run time.
const withDefault = (of: ValueSpec, given: unknown): Properties[string] =>
  JSON.parse(JSON.stringify({ ...of, default: given, applyDefault: true }))

const drawn: fc.Arbitrary<Properties> = fc.oneof(
  { arbitrary: properties, weight: 4 },
  fc
    .tuple(properties, properties)
    .map(([around, inside]) => ({ ...around, node: { ...recursive(inside), required: true } })),
)

/** Some specs are refused when they are compiled, e.g. for branches that are the same. */
const compiles = (spec: Properties): boolean => {
  try {
    compile(spec)
    return true
  } catch {
    return false
  }
}

/** A spec of the arguments of a tool, as `defineTool` takes it. */
export const spec: fc.Arbitrary<Properties> = drawn.filter(compiles)
