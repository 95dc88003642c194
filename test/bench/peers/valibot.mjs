/** valibot: `safeParse`. */
import { decoding, defineObject } from "./decoding.js"

const waysOf = (v) => ({
  string: ({ minLength }) =>
    minLength === undefined ? v.string() : v.pipe(v.string(), v.minLength(minLength)),
  integer: ({ maximum = Number.MAX_SAFE_INTEGER, minimum = Number.MIN_SAFE_INTEGER }) =>
    v.pipe(v.number(), v.safeInteger(), v.minValue(minimum), v.maxValue(maximum)),
  number: () => v.pipe(v.number(), v.finite()),
  boolean: () => v.boolean(),
  constant: (value) => v.literal(value),
  choice: (members) => v.picklist(members),
  list: (items) => v.array(items),
  union: (branches) => v.variant("kind", branches),
  object: (fields) =>
    v.object(
      Object.fromEntries(fields.map(([name, one, isRequired]) => [name, isRequired ? one : v.optional(one)])),
    ),
})

const load = async () => {
  const v = await import("valibot")
  const ways = waysOf(v)
  return (spec) => {
    const schema = defineObject(ways, spec)
    return {
      accept: (value) => v.safeParse(schema, value).success,
      violations: (value) => v.safeParse(schema, value).issues.length,
    }
  }
}

export const peer = { name: "valibot", packages: ["valibot"], works: decoding(load) }
