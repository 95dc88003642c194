/**
 * Name a JSON value by what it says: canonical text and its SHA-256.
 *
 * In:  JSON.      Out: RFC 8785 text (keys sorted by UTF-16 code units), and lower-case hex of 64 characters.
 * Not here: what is kept secret by a keyed digest (`Redaction.ts`).
 * Source: docs/adr/0006, why this is synchronous and uses `node:crypto`.
 */
import { createHash, createHmac, type Hash, hash, randomBytes } from "node:crypto"
import type { Schema } from "effect"

type Json = Schema.Json

/** Write JSON in the one form that equal values share. */
export const canonical = (value: Json): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  let text = ""
  if (isList(value)) {
    for (const member of value) text += (text === "" ? "" : ",") + canonical(member)
    return `[${text}]`
  }
  for (const key of sort(Object.keys(value))) {
    const member = value[key]
    if (member !== undefined) text += (text === "" ? "" : ",") + toName(key) + canonical(member)
  }
  return `{${text}}`
}

/** Units: keys. Up to so many are put in order in place; a sort by the engine first makes lists of its own. */
const few = 16

const sort = (keys: Array<string>): Array<string> => {
  if (keys.length > few) return keys.sort()
  for (let at = 1; at < keys.length; at++) {
    const key = keys[at] ?? ""
    let to = at
    for (; to > 0; to--) {
      const before = keys[to - 1] ?? ""
      if (before < key) break
      keys[to] = before
    }
    keys[to] = key
  }
  return keys
}

/** Most keys are one of few words. Units of the limits: names, code units. */
const names = new Map<string, string>()
const [maxNames, maxNameLength] = [1000, 32]

const toName = (key: string): string => {
  const known = names.get(key)
  if (known !== undefined) return known
  const name = `${JSON.stringify(key)}:`
  if (names.size < maxNames && key.length <= maxNameLength) names.set(key, name)
  return name
}

export const sha256 = (text: string): string => hash("sha256", text)

/** The SHA-256 of a text that comes piece by piece. Adding to one changes no other, so states of a fold may share it. */
export interface Growing {
  readonly add: (text: string) => Growing
  readonly end: () => string
}

/** Units: code units that wait for the next copy of the hash, which costs more than they do. */
const maxWaiting = 64 * 1024

export const growing = (): Growing => grow(createHash("sha256"), "")

/** The hash given is never changed, only copied. */
const grow = (hashed: Hash, waiting: string): Growing => ({
  add: (text) => {
    const all = waiting + text
    return all.length < maxWaiting ? grow(hashed, all) : grow(hashed.copy().update(all), "")
  },
  end: () => hashed.copy().update(waiting).digest("hex"),
})

/** The digest of the canonical text. */
export const ofJson = (value: Json): string => sha256(canonical(value))

/** The digest of a JSON Schema: lists whose order says nothing (`required`, `enum`, `type`) are one in any order. */
export const ofSchema = (schema: Json): string => ofJson(inOrder(schema))

const setKeywords: ReadonlySet<string> = new Set(["required", "enum", "type"])
/** What holds data, in which these words mean nothing. */
const dataKeywords: ReadonlySet<string> = new Set(["const", "default", "examples", "example"])
/** What holds schemas under names that anybody may give. */
const mapKeywords: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependentRequired",
])

const inOrder = (schema: Json): Json => {
  if (isList(schema)) return schema.map(inOrder)
  return mapMembers(schema, (keyword, value) => {
    if (dataKeywords.has(keyword)) return value
    if (setKeywords.has(keyword)) return isList(value) ? sorted(value) : value
    if (!mapKeywords.has(keyword)) return inOrder(value)
    return mapMembers(value, (_, member) =>
      keyword === "dependentRequired" && isList(member) ? sorted(member) : inOrder(member),
    )
  })
}

const mapMembers = (value: Json, f: (key: string, member: Json) => Json): Json =>
  typeof value === "object" && value !== null && !isList(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, f(key, member)]))
    : value

const sorted = (list: ReadonlyArray<Json>): ReadonlyArray<Json> =>
  list
    .map((member) => ({ member, text: canonical(member) }))
    .sort((left, right) => (left.text < right.text ? -1 : 1))
    .map(({ member }) => member)

const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

/** The keyed digest of a value, of its JSON where it has one. Source: RFC 2104, HMAC. */
export const keyed = (key: string | Uint8Array, value: unknown): string =>
  createHmac("sha256", key)
    .update(JSON.stringify(value) ?? String(value))
    .digest("hex")

export const randomKey = (): Uint8Array => randomBytes(32)
