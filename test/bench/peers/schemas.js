/** The specs as Effect Schemas, for Effect's own interpreter and for its compiler. */
import { defineObject } from "./decoding.js"

const waysOf = (Schema) => ({
  string: ({ minLength }) =>
    minLength === undefined ? Schema.String : Schema.String.check(Schema.isMinLength(minLength)),
  integer: ({ maximum = Number.MAX_SAFE_INTEGER, minimum = Number.MIN_SAFE_INTEGER }) =>
    Schema.Int.check(Schema.isBetween({ minimum, maximum })),
  number: () => Schema.Finite,
  boolean: () => Schema.Boolean,
  constant: (value) => Schema.Literal(value),
  choice: (members) => Schema.Literals(members),
  list: (items) => Schema.Array(items),
  union: (branches) => Schema.Union(branches),
  object: (fields) =>
    Schema.Struct(
      Object.fromEntries(
        fields.map(([name, one, isRequired]) => [name, isRequired ? one : Schema.optionalKey(one)]),
      ),
    ),
})

/** Count the leaves of an issue: one a violation. */
const count = (issue) => {
  const inner = issue.issues ?? (issue.issue === undefined ? [] : [issue.issue])
  return inner.length === 0 ? 1 : inner.reduce((sum, one) => sum + count(one), 0)
}

export const loadSchemas = async () => {
  const { Result, Schema, SchemaParser } = await import("effect")
  const ways = waysOf(Schema)
  return (spec) => {
    const decode = SchemaParser.decodeUnknownResult(defineObject(ways, spec), { errors: "all" })
    return {
      accept: (value) => Result.isSuccess(decode(value)),
      violations: (value) => count(decode(value).failure),
    }
  }
}
