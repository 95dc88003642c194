/**
 * Specs of every keyword, values that they describe, and values that they nearly describe.
 *
 * Not here: what is asked of them (`SchemaSpec.prop.test.ts`).
 */
import * as fc from "fast-check"
import type { Properties, ValueSpec } from "../../src/spec/SchemaSpec.ts"

const names = ["path", "file_path", "limit", "offset", "mode", "toString", "valueOf", "a b", "ключ"]
const name = fc.constantFrom(...names)
const word = fc.constantFrom("fast", "slow", "5", "true", "null", "", "😀", "a😀b")

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
  fc.uniqueArray(word, { minLength: 1 }).map((members): ValueSpec => ({ type: "string", enum: members })),
  fc
    .uniqueArray(fc.integer({ min: -3, max: 3 }), { minLength: 1 })
    .map((members): ValueSpec => ({ type: "integer", enum: members })),
  fc
    .uniqueArray(fc.oneof(word, fc.constantFrom(null, true, 5, 1.5)), { minLength: 1 })
    .map((members): ValueSpec => ({ enum: members })),
  fc.oneof(word, fc.constantFrom(null, false, 5)).map((member): ValueSpec => ({ const: member })),
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

const { value, properties } = fc.letrec<{ value: ValueSpec; properties: Properties }>((tie) => ({
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
      return lawful(of).map((given) => withDefault(of, given))
    }),
    { maxKeys: 4 },
  ),
}))

// A default is of the type of its spec; the two are one only here, at run time.
const withDefault = (of: ValueSpec, given: unknown): Properties[string] =>
  JSON.parse(JSON.stringify({ ...of, default: given, applyDefault: true }))

/** A spec of a tool; some are refused when they are compiled, e.g. for branches that are the same. */
export const arbitrarySpec: fc.Arbitrary<Properties> = fc.oneof(
  { arbitrary: properties, weight: 4 },
  fc
    .tuple(properties, properties)
    .map(([around, inside]) => ({ ...around, node: { ...recursive(inside), required: true } })),
)

/** Some value of any kind of spec. */
export const arbitraryValueSpec: fc.Arbitrary<ValueSpec> = value

/** The number of levels that a recursive value may have below the first. */
const maxLevels = 2

type Names = ReadonlyMap<string, ValueSpec>

/** A value that a spec describes, but for branches of `oneOf` that overlap and items that happen to be equal. */
export const lawful = (
  of: ValueSpec,
  around: Names = new Map(),
  levels = maxLevels,
): fc.Arbitrary<unknown> => {
  const named = of.name === undefined ? around : new Map([...around, [of.name, of]])
  const plain = lawfulKind(of, named, levels)
  return of.nullable === true ? fc.option(plain, { freq: 4 }) : plain
}

const lawfulKind = (of: ValueSpec, around: Names, levels: number): fc.Arbitrary<unknown> => {
  if ("const" in of && of.const !== undefined) return fc.constant(of.const)
  if ("enum" in of && of.enum !== undefined) return fc.constantFrom<unknown>(...of.enum)
  if ("oneOf" in of) return fc.oneof(...of.oneOf.map((branch) => lawful(branch, around, levels)))
  if ("anyOf" in of) return fc.oneof(...of.anyOf.map((branch) => lawful(branch, around, levels)))
  if ("ref" in of) {
    const target = around.get(of.ref)
    return target === undefined || levels === 0 ? fc.constant({}) : lawful(target, around, levels - 1)
  }
  switch (of.type) {
    case "string":
      return lawfulText(of)
    case "number":
    case "integer":
      return lawfulNumber(of)
    case "boolean":
      return fc.boolean()
    case "any":
      return fc.jsonValue({ maxDepth: 1 })
    case "array": {
      const item = of.items === undefined ? fc.jsonValue({ maxDepth: 1 }) : lawful(of.items, around, levels)
      return fc.array(item, { minLength: of.minItems ?? 0, maxLength: of.maxItems ?? 3 })
    }
    case "object":
      return lawfulObject(of, around, levels)
    default:
      return fc.constant(null)
  }
}

const lawfulText = (of: Extract<ValueSpec, { readonly type: "string" }>): fc.Arbitrary<string> => {
  if (of.pattern !== undefined)
    return of.pattern.startsWith("^") ? fc.stringMatching(/^[a-z]{1,4}$/u) : fc.constant("x😀")
  if (of.minLength === undefined) return fc.oneof(word, fc.string())
  return fc.string({
    unit: fc.constantFrom("a", "é", "😀"),
    minLength: of.minLength,
    maxLength: of.maxLength ?? 9,
  })
}

const lawfulNumber = (
  of: Extract<ValueSpec, { readonly type: "number" | "integer" }>,
): fc.Arbitrary<number> => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = of
  if (multipleOf !== undefined) {
    const step = of.type === "integer" ? Math.max(1, multipleOf) : multipleOf
    const first = Math.ceil((minimum ?? -6) / step)
    return fc.integer({ min: first, max: first + 12 }).map((times) => times * step)
  }
  const min = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  const max = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - 1)
  if (min !== undefined && max !== undefined) return fc.integer({ min, max })
  return of.type === "integer"
    ? fc.maxSafeInteger()
    : fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
}

const lawfulObject = (
  { properties = {}, additionalProperties }: Extract<ValueSpec, { readonly type: "object" }>,
  around: Names,
  levels: number,
): fc.Arbitrary<unknown> => {
  const declared = lawfulProperties(properties, around, levels)
  if (additionalProperties === false) return declared
  const other =
    typeof additionalProperties === "object"
      ? lawful(additionalProperties, around, levels)
      : fc.jsonValue({ maxDepth: 1 })
  return fc
    .tuple(fc.dictionary(fc.constantFrom("x", "y", "hasOwnProperty"), other, { maxKeys: 2 }), declared)
    .map(([others, members]) => ({ ...others, ...members }))
}

export const lawfulProperties = (
  properties: Properties,
  around: Names = new Map(),
  levels = maxLevels,
): fc.Arbitrary<Record<string, unknown>> => {
  const required = Object.keys(properties).filter((key) => properties[key]?.required === true)
  const members = Object.fromEntries(
    Object.entries(properties).map(([key, of]) => [key, lawful(of, around, levels)]),
  )
  return fc.record(members, { requiredKeys: required })
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const oddNumber = fc.constantFrom(0, -0, 1.5, 5, 2 ** 53, -(2 ** 53), 2 ** 60, 1e300, Infinity, NaN)
const oddValue = fc.constantFrom<unknown>(null, true, "true", "5", "null", "[]", "{}", [], {}, undefined)

export const stranger: fc.Arbitrary<unknown> = fc.oneof(
  oddNumber,
  oddValue,
  word,
  fc.jsonValue({ maxDepth: 1 }),
)

/** A value with one place changed, and where that is. */
export interface Damaged {
  readonly value: unknown
  readonly path: ReadonlyArray<string | number>
}

/** Change one place, mostly deep inside: see `misplace`. */
export const damage = (value: unknown): fc.Arbitrary<Damaged> => {
  const members: ReadonlyArray<readonly [string, unknown]> =
    typeof value === "object" && value !== null ? Object.entries(value) : []
  const here = misplace(value).map((other): Damaged => ({ value: other, path: [] }))
  if (members.length === 0) return here
  const inside = fc.constantFrom(...members).chain(([key, member]) =>
    damage(member).map(
      (other): Damaged => ({
        value: replace(value, key, other.value),
        path: [Array.isArray(value) ? Number(key) : key, ...other.path],
      }),
    ),
  )
  return fc.oneof({ arbitrary: inside, weight: 4 }, { arbitrary: here, weight: 1 })
}

/** Put something else in place of a value: a stranger, its text, the value wrapped, or it with a key gone, misspelt or added. */
const misplace = (value: unknown): fc.Arbitrary<unknown> => {
  const others: Array<fc.Arbitrary<unknown>> = [
    typeof value === "number" ? oddNumber : stranger,
    stranger,
    fc.constantFrom(JSON.stringify(value), [value], { path: value }),
  ]
  if (Array.isArray(value)) others.push(fc.constantFrom([...value, ...value], value.slice(1)))
  if (typeof value === "string") others.push(fc.constantFrom(`${value}😀`, `${value}abcd`, value.slice(1)))
  if (isRecord(value)) {
    const key = fc.constantFrom("pth", ...names, ...Object.keys(value))
    const without = (gone: string) =>
      Object.fromEntries(Object.entries(value).filter(([other]) => other !== gone))
    others.push(fc.tuple(key, stranger).map(([at, other]) => ({ ...value, [at]: other })))
    others.push(key.map(without))
    others.push(key.map((at) => ({ ...without(at), [`${at}s`]: value[at] })))
  }
  return fc.oneof(...others)
}

const replace = (value: unknown, key: string, other: unknown): unknown =>
  Array.isArray(value) ? value.with(Number(key), other) : { ...Object(value), [key]: other }
