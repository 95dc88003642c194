/**
 * Write a schema of OpenAPI 3.0 or draft-04 as the later drafts have it, once, before anything reads it.
 *
 * In:  a JSON Schema.      Out: the same without `nullable`, and without draft-04's forms where it says it is draft-04.
 * Fails with: nothing; what is of no known form stays for the readers to refuse.
 * Not here: what the model is shown: the schema as its author wrote it.
 * Source: OpenAPI 3.0.3, "nullable" (a word about the `type` beside it, and nothing without one; a null that an `enum`
 * does not list is refused all the same); JSON Schema draft-04, "exclusiveMinimum" (a boolean beside `minimum`).
 */
import type { Schema } from "effect"

type Json = Schema.Json

/** What holds data, not schemas. */
const data: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "example", "required"])

/** What holds schemas under names that anybody may give. */
const maps: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
])

const draft04 = /^https?:\/\/json-schema\.org\/draft-04\/schema#?$/

/** Translate the whole document. */
export const modernise = (document: Schema.JsonObject): Schema.JsonObject => {
  const isOld = draft04.test(String(document["$schema"]))
  const whole = translateNode(document, isOld)
  return isOld ? { ...whole, $schema: "http://json-schema.org/draft-07/schema#" } : whole
}

const translate = (part: Json, isOld: boolean): Json => {
  if (isList(part)) return part.map((one) => translate(one, isOld))
  return isObject(part) ? translateNode(part, isOld) : part
}

const translateNode = (node: Schema.JsonObject, isOld: boolean): Schema.JsonObject => {
  const members = Object.entries(isOld ? withExclusiveBounds(node) : node).flatMap(
    ([keyword, value]): ReadonlyArray<readonly [string, Json]> => {
      if (keyword === "nullable" || (isOld && keyword === "id" && typeof value === "string")) return []
      if (keyword === "type" && node["nullable"] === true) return [[keyword, withNull(value)]]
      if (data.has(keyword)) return [[keyword, value]]
      if (!maps.has(keyword) || !isObject(value)) return [[keyword, translate(value, isOld)]]
      const named = Object.entries(value).map(([name, one]) => [name, translate(one, isOld)] as const)
      return [[keyword, Object.fromEntries(named)]]
    },
  )
  return Object.fromEntries(members)
}

const withNull = (type: Json): Json => {
  const types: ReadonlyArray<Json> = isList(type) ? type : [type]
  return types.includes("null") ? type : [...types, "null"]
}

const withExclusiveBounds = (node: Schema.JsonObject): Schema.JsonObject => {
  const changed: Record<string, Json> = { ...node }
  for (const [bound, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    const limit = changed[bound]
    if (typeof changed[exclusive] !== "boolean") continue
    const isStrict = changed[exclusive] === true && limit !== undefined
    delete changed[exclusive]
    if (!isStrict) continue
    delete changed[bound]
    changed[exclusive] = limit
  }
  return changed
}

const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)
const isObject = (value: Json): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !isList(value)
