/** zod, as it is meant to be used: `safeParse`, which copies. */
import { decoding, defineObject } from "./decoding.js"

const waysOf = (z) => ({
  string: ({ minLength }) => (minLength === undefined ? z.string() : z.string().min(minLength)),
  integer: ({ maximum = Number.MAX_SAFE_INTEGER, minimum = Number.MIN_SAFE_INTEGER }) =>
    z.int().min(minimum).max(maximum),
  number: () => z.number(),
  boolean: () => z.boolean(),
  constant: (value) => z.literal(value),
  choice: (members) => z.enum(members),
  list: (items) => z.array(items),
  union: (branches) => z.discriminatedUnion("kind", branches),
  object: (fields) =>
    z.object(
      Object.fromEntries(fields.map(([name, one, isRequired]) => [name, isRequired ? one : one.optional()])),
    ),
})

const load = async () => {
  const ways = waysOf(await import("zod"))
  return (spec) => {
    const schema = defineObject(ways, spec)
    return {
      accept: (value) => schema.safeParse(value).success,
      violations: (value) => schema.safeParse(value).error.issues.length,
    }
  }
}

export const peer = { name: "zod", packages: ["zod"], works: decoding(load) }
