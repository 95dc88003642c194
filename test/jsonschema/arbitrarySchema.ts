/** JSON Schemas such as tools have, and values that nearly fit them. */
import type { Schema } from "effect"
import fc from "fast-check"

type JsonObject = Schema.JsonObject

const maybe = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined })

const node = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<JsonObject> =>
  fc.record(members).map((record): JsonObject => JSON.parse(JSON.stringify(record)))

const string = node({
  type: fc.constant("string"),
  minLength: maybe(fc.nat(2)),
  maxLength: maybe(fc.integer({ min: 2, max: 4 })),
  pattern: maybe(fc.constantFrom("^a", "b$", "[0-9]")),
  format: maybe(fc.constantFrom("date", "uri")),
})
const number = node({
  type: fc.constantFrom("number", "integer"),
  minimum: maybe(fc.integer({ min: -2, max: 1 })),
  exclusiveMaximum: maybe(fc.integer({ min: 2, max: 5 })),
  description: maybe(fc.constant("how many")),
})
const scalar = fc.oneof(
  string,
  number,
  node({ type: fc.constantFrom("boolean", "null") }),
  node({ enum: fc.uniqueArray(fc.constantFrom("a", "b", 1, true, null), { minLength: 1 }) }),
  node({
    type: fc.constant("string"),
    enum: fc.uniqueArray(fc.constantFrom("a", "b", "ab"), { minLength: 1 }),
  }),
  node({ const: fc.constantFrom("a", 1, false, null) }),
  node({ type: fc.constantFrom(["string", "null"], ["number", "boolean"]) }),
  fc.constant({}),
)

export const keys = ["a", "b", "c"]

const { schema } = fc.letrec<{ readonly schema: JsonObject; readonly object: JsonObject }>((tie) => ({
  object: node({
    type: fc.constant("object"),
    properties: fc.dictionary(fc.constantFrom(...keys), tie("schema"), { maxKeys: 3, noNullPrototype: true }),
    required: maybe(fc.uniqueArray(fc.constantFrom(...keys), { maxLength: 2 })),
    additionalProperties: maybe(fc.oneof(fc.boolean(), scalar)),
  }),
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    node({
      type: fc.constant("array"),
      items: maybe(tie("schema")),
      minItems: maybe(fc.nat(2)),
      uniqueItems: maybe(fc.boolean()),
    }),
    tie("object"),
    node({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    node({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
  ),
}))

/** An object at the root. */
export const tool: fc.Arbitrary<JsonObject> = fc
  .record({
    properties: fc.dictionary(fc.constantFrom(...keys), schema, { maxKeys: 3, noNullPrototype: true }),
    required: fc.subarray(keys, { maxLength: 2 }),
  })
  .map(({ properties, required }) => ({ type: "object", properties, required }))

const leaf = fc.constantFrom<Schema.Json>("a", "ab", "b1", "", 0, 1, 1.5, 4, 99, true, false, null)

const { value } = fc.letrec<{ readonly value: Schema.Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...keys, "d"), tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}))

export const args: fc.Arbitrary<JsonObject> = fc.dictionary(fc.constantFrom(...keys, "d"), value, {
  maxKeys: 3,
})
