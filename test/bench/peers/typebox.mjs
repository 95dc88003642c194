/** typebox: JSON Schema types, compiled. */
import { decoding, defineObject } from "./decoding.js"

const waysOf = (Type) => ({
  string: ({ minLength }) => Type.String(minLength === undefined ? {} : { minLength }),
  integer: ({ maximum, minimum }) =>
    Type.Integer({ ...(maximum !== undefined && { maximum }), ...(minimum !== undefined && { minimum }) }),
  number: () => Type.Number(),
  boolean: () => Type.Boolean(),
  constant: (value) => Type.Literal(value),
  choice: (members) => Type.Enum(members),
  list: (items) => Type.Array(items),
  union: (branches) => Type.Union(branches),
  object: (fields) =>
    Type.Object(
      Object.fromEntries(
        fields.map(([name, one, isRequired]) => [name, isRequired ? one : Type.Optional(one)]),
      ),
    ),
})

const load = async () => {
  const [{ default: Type }, { Compile }] = await Promise.all([import("typebox"), import("typebox/compile")])
  const ways = waysOf(Type)
  return (spec) => {
    const schema = Compile(defineObject(ways, spec))
    return {
      accept: (value) => schema.Check(value),
      violations: (value) => schema.Errors(value).length,
    }
  }
}

export const peer = { name: "typebox", packages: ["typebox"], works: decoding(load) }
