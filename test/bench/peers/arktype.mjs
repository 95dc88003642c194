/** arktype: types compiled to code. */
import { decoding, defineObject } from "./decoding.js"

const waysOf = (type) => ({
  string: ({ minLength = 0 }) => (minLength > 0 ? type(`string >= ${minLength}`) : type("string")),
  integer: ({ maximum = Number.MAX_SAFE_INTEGER, minimum = Number.MIN_SAFE_INTEGER }) =>
    type(`${minimum} <= number.integer <= ${maximum}`),
  number: () => type("number"),
  boolean: () => type("boolean"),
  constant: (value) => type.unit(value),
  choice: (members) => type.enumerated(...members),
  list: (items) => items.array(),
  union: (branches) => branches.reduce((one, other) => one.or(other)),
  object: (fields) =>
    type(Object.fromEntries(fields.map(([name, one, isRequired]) => [isRequired ? name : `${name}?`, one]))),
})

const load = async () => {
  const { type } = await import("arktype")
  const ways = waysOf(type)
  return (spec) => {
    const schema = defineObject(ways, spec)
    return {
      accept: (value) => !(schema(value) instanceof type.errors),
      violations: (value) => schema(value).length,
    }
  }
}

export const peer = { name: "arktype", packages: ["arktype"], works: decoding(load) }
