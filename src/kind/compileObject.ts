/**
 * The kind `object`: named properties, each required or not; the arguments themselves are one.
 *
 * In:  the keywords of one spec, and how to compile its properties.      Out: its `Place`.
 * Fails with: a `TypeError` when a property has a name that objects already own, or its spec is wrong.
 * Not here: arrays (`compileArray.ts`).
 */
import { Effect, Schema, SchemaIssue } from "effect"
import { nearest } from "../text/Nearest.ts"
import { anyJson, type Compile, type Kind, type Place, refuse } from "./Place.ts"
import { didYouMean, isRecord, missing, noObject, unknownKey } from "./Words.ts"

/** Names whose meaning JavaScript took first: code that copies or merges arguments would trip over them. */
const forbiddenNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"])

/** How many unknown keys of one object are looked at: a model may send any number. */
const maxUnknownKeys = 16

type Members = Readonly<Record<string, unknown>>

/** Copy the own members, so that nothing inherited (`toString`) counts as sent and no key sets a prototype. */
const ownMembers = (value: object): Members => {
  const own: Record<string, unknown> = Object.create(null)
  for (const [key, member] of Object.entries(value)) own[key] = member
  return own
}

/** An object of own members: what `Schema.Struct` alone does not insist on. */
const Own = Schema.declareConstructor<Members>()(
  [],
  () => (value, ast, options) =>
    isRecord(value)
      ? Effect.succeed(ownMembers(value))
      : Effect.fail(new SchemaIssue.InvalidType(ast, value, options)),
)

interface Property {
  readonly name: string
  readonly place: Place
  readonly required: boolean
}

const readProperty = (name: string, spec: unknown, at: string, compile: Compile): Property => {
  const where = at === "" ? name : `${at}.${name}`
  if (forbiddenNames.has(name)) return refuse(where, "a property cannot have this name")
  if (!isRecord(spec)) return refuse(where, "want a spec, an object with a type")
  const { required, ...value } = spec
  if (required !== undefined && typeof required !== "boolean")
    return refuse(where, "required is neither true nor false")
  return { name, place: compile(value, where), required: required === true }
}

type Field = Schema.Codec<unknown, unknown> | Schema.optionalKey<Schema.Codec<unknown, unknown>>

const schemaOf = (properties: ReadonlyArray<Property>): Schema.Codec<unknown, unknown> => {
  const fields: Record<string, Field> = {}
  for (const { name, place, required } of properties) {
    fields[name] = required ? place.schema : Schema.optionalKey(place.schema)
  }
  const rest = Schema.Record(Schema.String, properties.length === 0 ? Schema.Json : Schema.Unknown)
  return Own.pipe(Schema.decodeTo(Schema.StructWithRest(Schema.Struct(fields), [rest])))
}

const jsonSchemaOf = (properties: ReadonlyArray<Property>): Schema.JsonObject => {
  const required = properties.filter((property) => property.required).map(({ name }) => name)
  return {
    type: "object",
    properties: Object.fromEntries(properties.map(({ name, place }) => [name, place.jsonSchema])),
    ...(required.length === 0 ? {} : { required }),
  }
}

const walkObject = (properties: ReadonlyArray<Property>): Place["walk"] => {
  const known = properties.map(({ name }) => name)
  const names = new Set(known)
  return (value, path, report) => {
    if (!isRecord(value)) {
      report(noObject(value, path))
      return
    }
    const sent = ownMembers(value)
    const unknown = new Set<string>()
    for (const key in sent) if (!names.has(key) && unknown.size < maxUnknownKeys) unknown.add(key)
    let broken = false
    for (const { name, place, required } of properties) {
      const here = [...path, name]
      if (!(name in sent)) {
        if (!required) continue
        const [instead] = nearest(name, unknown)
        if (instead !== undefined) unknown.delete(instead)
        report(missing(here, place.expected, instead))
        broken = true
        continue
      }
      const member = sent[name]
      place.walk(member, here, (violation) => {
        broken = true
        report(member === null && !required ? { ...violation, hint: "leave it out" } : violation)
      })
    }
    if (properties.length === 0) {
      for (const key in sent) anyJson.walk(sent[key], [...path, key], report)
      return
    }
    if (!broken) return
    const free = known.filter((name) => !(name in sent))
    for (const key of unknown) report(unknownKey([...path, key], known, strayHint(key, sent[key], free)))
  }
}

/** What an unknown key was meant to be; `free` are the known keys that were not sent. */
const strayHint = (key: string, value: unknown, free: ReadonlyArray<string>): string | undefined =>
  isRecord(value) && free.some((name) => Object.hasOwn(value, name))
    ? "write what is inside it one level up, without this key"
    : didYouMean(nearest(key, free))

export const object: Kind = {
  keywords: ["properties"],
  compile: (spec, at, compile) => {
    const given = spec["properties"] ?? {}
    if (!isRecord(given)) return refuse(at, "properties are no object")
    const properties = Object.entries(given).map(([name, property]) =>
      readProperty(name, property, at, compile),
    )
    return {
      schema: schemaOf(properties),
      jsonSchema: spec["properties"] === undefined ? { type: "object" } : jsonSchemaOf(properties),
      expected: "object",
      walk: walkObject(properties),
    }
  },
}
