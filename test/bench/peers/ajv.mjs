/** ajv: JSON Schema, compiled; all errors collected, unions told apart by their constant. */
import { decoding, defineObject } from "./decoding.js"

const bounds = ({ maximum, minimum, minLength }) => ({
  ...(maximum !== undefined && { maximum }),
  ...(minimum !== undefined && { minimum }),
  ...(minLength !== undefined && { minLength }),
})

const ways = {
  string: (spec) => ({ type: "string", ...bounds(spec) }),
  integer: (spec) => ({ type: "integer", ...bounds(spec) }),
  number: (spec) => ({ type: "number", ...bounds(spec) }),
  boolean: () => ({ type: "boolean" }),
  constant: (value) => ({ const: value }),
  choice: (members) => ({ type: "string", enum: members }),
  list: (items) => ({ type: "array", items }),
  union: (branches) => ({
    type: "object",
    discriminator: { propertyName: "kind" },
    required: ["kind"],
    oneOf: branches,
  }),
  object: (fields) => ({
    type: "object",
    properties: Object.fromEntries(fields),
    required: fields.flatMap(([name, , isRequired]) => (isRequired ? [name] : [])),
  }),
}

const load = async () => {
  const { Ajv } = await import("ajv")
  return (spec) => {
    const accept = new Ajv({ allErrors: true, discriminator: true }).compile(defineObject(ways, spec))
    return { accept, violations: (value) => (accept(value) ? 0 : accept.errors.length) }
  }
}

export const peer = { name: "ajv", packages: ["ajv"], works: decoding(load) }
