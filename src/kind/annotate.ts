/**
 * What every kind understands beside its own keywords: words for the model, `nullable`, `sensitive`, `default`.
 *
 * In:  the keywords of one spec and the place of its kind.      Out: the place with all of them.
 * Fails with: a `TypeError` when one is of the wrong type, or an example breaks its own spec.
 * Not here: `applyDefault` and `required`, which say something about a key (`compileObject.ts`).
 */
import { Schema } from "effect"
import { isJson } from "./compilePlain.ts"
import { hiding, type Keywords, type Place, refuse, type Scope, write } from "./Place.ts"
import { readFlag, readText } from "./read.ts"
import { describe } from "./Words.ts"

export const annotations: ReadonlyArray<string> = [
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "nullable",
  "sensitive",
]

export const annotate = (spec: Keywords, at: string, place: Place, scope: Scope): Place => {
  const nullable = readFlag(spec, "nullable", at) === true
  if (nullable)
    scope.later(() => {
      if (place.is(null)) refuse(at, "nullable says nothing new: null is allowed already")
    })
  const typed = nullable ? orNull(place) : place
  const hidden = readFlag(spec, "sensitive", at) === true ? secret(typed) : typed
  return { ...hidden, jsonSchema: { ...hidden.jsonSchema, ...readWords(spec, at, hidden, scope) } }
}

const readWords = (spec: Keywords, at: string, place: Place, scope: Scope): Schema.JsonObject => {
  const title = readText(spec, "title", at)
  const description = readText(spec, "description", at)
  const deprecated = readFlag(spec, "deprecated", at)
  const { default: given, examples } = spec
  if (examples !== undefined && !Array.isArray(examples)) return refuse(at, "examples are no list")
  const listed: ReadonlyArray<unknown> = examples ?? []
  const checked = given === undefined ? listed : [given, ...listed]
  scope.later(() => {
    if (given !== undefined && !place.is(given))
      refuse(at, `the default breaks its own spec: want ${place.expected}, got ${describe(given)}`)
    for (const example of listed) {
      if (!place.is(example))
        refuse(at, `an example breaks its own spec: want ${place.expected}, got ${describe(example)}`)
    }
  })
  if (!checked.every(isJson)) return refuse(at, "default and examples are JSON")
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(isJsonValue(given) ? { default: given } : {}),
    ...(examples === undefined ? {} : { examples: listed.filter(isJsonValue) }),
    ...(deprecated === undefined ? {} : { deprecated }),
  }
}

const isJsonValue = (value: unknown): value is Schema.Json => isJson(value)

const orNull = (place: Place): Place => {
  const { fill, mask, tags: _, values, ...rest } = place
  return {
    ...rest,
    is: (value) => value === null || place.is(value),
    code: (value, draft) => `(${value} === null || ${write(place, value, draft)})`,
    walk: (value, path, report) => {
      if (value !== null) place.walk(value, path, report)
    },
    codec: () => Schema.NullOr(place.codec()),
    jsonSchema: nullableSchema(place.jsonSchema),
    expected: `${place.expected} or null`,
    ...(fill === undefined ? {} : { fill: (value) => (value === null ? null : fill(value)) }),
    ...(mask === undefined
      ? {}
      : { mask: (value, replace) => (value === null ? null : mask(value, replace)) }),
    ...(values === undefined ? {} : { values: [...values, null] }),
  }
}

/** Null beside the type, and in the list where there is one: the two hold together. */
const nullableSchema = (schema: Schema.JsonObject): Schema.JsonObject => {
  const { type, enum: members, const: only, ...rest } = schema
  const listed = Array.isArray(members) ? members : only === undefined ? undefined : [only]
  const typed = typeof type === "string" ? { type: [type, "null"] } : {}
  if (listed !== undefined) return { ...rest, ...typed, enum: [...listed, null] }
  return typeof type === "string" ? { ...rest, ...typed } : { anyOf: [schema, { type: "null" }] }
}

const secret = (place: Place): Place => ({
  ...place,
  walk: (value, path, report) => place.walk(value, path, hiding(report)),
  mask: (value, replace) => replace(value),
  // The standard's word for what is sent and never shown again; who reads a log knows by it what to hide.
  jsonSchema: { ...place.jsonSchema, writeOnly: true },
})
