/** A wrong spec is refused in words that name the place, and every one of them. */
import { describe, expect, it } from "vitest"
import * as SchemaSpec from "../../src/spec/SchemaSpec.ts"

/** Specs from code that no compiler looked at. */
const compile = (spec: object) => SchemaSpec.compile(spec as SchemaSpec.SchemaSpec)

const refusals: ReadonlyArray<readonly [what: string, spec: object, at: string, says: string]> = [
  ["no spec", { a: 1 }, "a", "want a spec, an object with a type"],
  [
    "an unknown type",
    { a: { type: "text" } },
    "a",
    'unknown type "text", known are string, number, integer, boolean, null, array, object, any',
  ],
  ["no type", { a: { title: "A" } }, "a", "has no type, enum, const, oneOf, anyOf or ref"],
  ["a name that is no text", { a: { type: "any", name: 1 } }, "a", "name is no string"],
  ["a ref that is no text", { a: { ref: 1 } }, "a", "ref is no string"],
  ["a name with a space", { a: { type: "any", name: "A B" } }, "a", '"A B" cannot be the name of a spec'],
  [
    "a name with a digit before",
    { a: { type: "any", name: "1A" } },
    "a",
    '"1A" cannot be the name of a spec',
  ],
  ["an empty name", { a: { type: "any", name: "" } }, "a", '"" cannot be the name of a spec'],
  [
    "a name of 65 characters",
    { a: { type: "any", name: "n".repeat(65) } },
    "a",
    `"${"n".repeat(60)}…" cannot be the name of a spec`,
  ],
  [
    "two specs of one name",
    { a: { type: "string", name: "A" }, b: { type: "any", name: "A" } },
    "b",
    'another spec has the name "A"',
  ],
  ["a name that nothing has", { a: { ref: "B" } }, "a", 'no spec here has the name "B"'],
  [
    "a name made of itself",
    { a: { name: "A", anyOf: [{ ref: "A" }, { type: "null" }] } },
    "a(anyOf 1)",
    '"A" is made of itself: an array or an object must lie between',
  ],
  [
    "arguments that may be null",
    { type: "object", properties: {}, nullable: true },
    "the root",
    "the arguments are never null",
  ],
  [
    "nullable beside null",
    { a: { type: "null", nullable: true } },
    "a",
    "nullable says nothing new: null is allowed already",
  ],
  ["an unknown keyword", { a: { type: "any", minimum: 1 } }, "a", 'unknown keyword "minimum"'],
  ["a choice beside an object", { a: { type: "object", enum: [1] } }, "a", 'unknown keyword "enum"'],
  ["a title that is no text", { a: { type: "any", title: 1 } }, "a", "title is no string"],
  ["a flag that is none", { a: { type: "any", deprecated: 1 } }, "a", "deprecated is neither true nor false"],
  ["examples that are no list", { a: { type: "any", examples: 1 } }, "a", "examples are no list"],
  [
    "an example that is no JSON",
    { a: { type: "any", examples: [1n] } },
    "a",
    "default and examples are JSON",
  ],
  [
    "an example that breaks the spec",
    { a: { type: "string", examples: ["x", 5] } },
    "a",
    "an example breaks its own spec: want string, got number 5",
  ],
  [
    "a default that breaks the spec",
    { a: { type: "string", default: 5 } },
    "a",
    "the default breaks its own spec: want string, got number 5",
  ],
  ["both choices", { a: { enum: [1], const: 1 } }, "a", "has both enum and const"],
  ["an empty choice", { a: { enum: [] } }, "a", "enum is no list of members"],
  ["a choice that is no list", { a: { enum: "a" } }, "a", "enum is no list of members"],
  ["a doubled member", { a: { enum: [1, 1] } }, "a", "enum has a member twice"],
  [
    "a member that is no scalar",
    { a: { enum: [{}] } },
    "a",
    "only strings, finite numbers, booleans and null can be listed",
  ],
  [
    "a member that is no number",
    { a: { enum: [Number.NaN] } },
    "a",
    "only strings, finite numbers, booleans and null can be listed",
  ],
  [
    "a member of another kind",
    { a: { type: "boolean", enum: [true, "x"] } },
    "a",
    'the member "x" is no boolean (true or false without quotes)',
  ],
  ["branches that are no list", { a: { oneOf: {} } }, "a", "oneOf is no list of specs"],
  ["no branches", { a: { anyOf: [] } }, "a", "anyOf is no list of specs"],
  [
    "branches that are the same",
    { a: { anyOf: [{ type: "null" }, { type: "string" }, { type: "null" }] } },
    "a",
    "branches 1 and 3 of anyOf are the same",
  ],
  [
    "a wrong branch",
    { a: { oneOf: [{ type: "null" }, 1] } },
    "a(oneOf 2)",
    "want a spec, an object with a type",
  ],
  [
    "a spec that nothing fits",
    { a: { type: "object", name: "A", properties: { next: { ref: "A", required: true } } } },
    "A",
    "nothing fits: it requires itself, and no value ends",
  ],
  [
    "a list that is never empty",
    { a: { type: "array", name: "L", items: { ref: "L" }, minItems: 1 } },
    "L",
    "nothing fits: it requires itself, and no value ends",
  ],
  [
    "a count below none",
    { a: { type: "string", minLength: -1 } },
    "a",
    "minLength is no count, a whole number from 0",
  ],
  [
    "half a count",
    { a: { type: "array", items: { type: "any" }, maxItems: 1.5 } },
    "a",
    "maxItems is no count, a whole number from 0",
  ],
  ["a bound that is no number", { a: { type: "number", minimum: "1" } }, "a", "minimum is no finite number"],
  [
    "an endless bound",
    { a: { type: "number", maximum: Number.POSITIVE_INFINITY } },
    "a",
    "maximum is no finite number",
  ],
  [
    "a range that is none",
    { a: { type: "string", minLength: 3, maxLength: 2 } },
    "a",
    "nothing fits: minLength 3 is more than maxLength 2",
  ],
]

describe("a wrong spec", () => {
  it.each(refusals)("is refused for %s, at its place", (_, spec, at, says) => {
    expect(() => compile(spec)).toThrow(new TypeError(`SchemaSpec, at ${at}: ${says}`))
  })

  it("is refused when it nests without end, at the depth where it is noticed", () => {
    const nest = (levels: number): object =>
      levels === 0 ? { type: "any" } : { type: "array", items: nest(levels - 1) }
    expect(() => compile({ a: nest(63) })).not.toThrow()
    expect(() => compile({ a: nest(64) })).toThrow(
      `SchemaSpec, at a${"[]".repeat(64)}: nests deeper than 64; a spec that holds itself says so with name and ref`,
    )
  })
})

describe("names", () => {
  it("may have 64 characters, dots and dashes, and stand in several places", () => {
    const name = `N_1.a-${"n".repeat(58)}`
    const spec = { type: "integer", name }
    const { is, jsonSchema } = compile({ a: spec, b: spec, c: { ref: name } })
    expect(jsonSchema).toEqual({
      type: "object",
      properties: {
        a: { $ref: `#/$defs/${name}` },
        b: { $ref: `#/$defs/${name}` },
        c: { $ref: `#/$defs/${name}` },
      },
      $defs: { [name]: { type: "integer" } },
    })
    expect([is({ c: 1 }), is({ c: "1" })]).toEqual([true, false])
  })

  it("may be that of the arguments, which then stand at the root and under it", () => {
    const { jsonSchema, violations } = compile({
      type: "object",
      name: "Tree",
      properties: { left: { ref: "Tree" } },
    })
    const tree = { type: "object", properties: { left: { $ref: "#/$defs/Tree" } } }
    expect(jsonSchema).toEqual({ ...tree, $defs: { Tree: tree } })
    expect(violations({ left: { left: 1 } }).map(({ message }) => message)).toEqual([
      "left.left: want object, got number 1",
    ])
  })

  it("carry defaults and secrets from where they lead", () => {
    const { fill, mask } = compile({
      a: {
        type: "object",
        name: "A",
        properties: {
          n: { type: "integer", default: 7, applyDefault: true },
          key: { type: "string", sensitive: true },
          next: { ref: "A" },
        },
      },
    })
    expect(fill({ a: { next: {} } })).toEqual({ a: { n: 7, next: { n: 7 } } })
    expect(mask?.({ a: { next: { key: "k" } } }, () => "*")).toEqual({ a: { next: { key: "*" } } })
  })

  it.each([
    ["a list that may be empty", { type: "array", items: { ref: "A" }, required: true }, true],
    ["a list that may not", { type: "array", items: { ref: "A" }, minItems: 1, required: true }, false],
    ["a branch of two", { oneOf: [{ ref: "A" }, { type: "string" }], required: true }, true],
    [
      "no other branch",
      { anyOf: [{ ref: "A" }, { type: "array", items: { ref: "A" }, minItems: 1 }], required: true },
      false,
    ],
    ["a key that may be missing", { ref: "A" }, true],
  ])("end by %s, or do not", (_, next, ends) => {
    const spec = { a: { type: "object", name: "A", properties: { next } } }
    if (ends) expect(() => compile(spec)).not.toThrow()
    else expect(() => compile(spec)).toThrow("SchemaSpec, at A: nothing fits")
  })
})
