/**
 * Carry a cause over a wire: any value as JSON, and an error back from it.
 *
 * In:  any value, also a hostile one; then JSON.      Out: JSON; then an `Error` with the same name, message, code and causes.
 * Fails with: nothing.
 * Order: what `Foreign.normalise` says of a cause, it says of the one that comes back.
 * Not here: our own classes at the top of the chain, which come back as themselves (`HarnessError.ts`).
 * Source: `Schema.Defect`, whose codec keeps name and message only.
 */
import { Schema, SchemaTransformation } from "effect"
import { findCode, isVague, toCode } from "./findCode.ts"
import { findMessage } from "./findMessage.ts"
import { isArray, isObject, nameOf, read, readTag, text } from "./read.ts"
import { type Room, roomy, snapshot, take } from "./snapshot.ts"

const maxDepth = 8

/** Units: UTF-16 code units that an error takes beside its texts; so that endless ones come to an end. */
const errorCost = 32

/** Write a cause as JSON. Of an error: its texts, causes, issues, and members that hold no secrets (`facts`). */
export const toJson = (value: unknown): Schema.Json => write(value, roomy(), [])

const write = (value: unknown, room: Room, above: ReadonlyArray<unknown>): Schema.Json => {
  if (value === undefined || typeof value === "function") return typeof value
  const inner = (one: object): Schema.Json | undefined => {
    if (!isError(one)) return undefined
    return above.length === maxDepth || above.includes(one) ? "…" : write(one, room, [...above, one])
  }
  if (!isObject(value) || !isError(value)) return snapshot(value, room, inner)
  room.left -= errorCost
  const below = (one: unknown): ReadonlyArray<Schema.Json> => {
    const isOver = one === undefined || above.length === maxDepth || room.left <= 0
    return isOver || one === value || above.includes(one) ? [] : [write(one, room, [...above, value])]
  }
  const [cause] = below(read(value, "cause"))
  const errors = gathered(value).flatMap(below)
  const tag = readTag(value)
  return {
    ...membersOf(value, room),
    ...(tag === undefined ? {} : { _tag: take(tag, room) }),
    name: take(nameOf(value), room),
    message: take(text(read(value, "message")) ?? findMessage(value), room),
    ...codeOf(value),
    ...(cause === undefined ? {} : { cause }),
    ...(errors.length === 0 ? {} : { errors }),
  }
}

/** Also one of another realm, or one that only looks like it. */
const isError = (value: object): boolean =>
  /^\[object \w*(Error|Exception)\]$/.test(tagged(value)) ||
  readTag(value) !== undefined ||
  (typeof read(value, "message") === "string" && typeof read(value, "name") === "string")

const tagged = (value: object): string => {
  try {
    return Object.prototype.toString.call(value)
  } catch {
    return ""
  }
}

/**
 * What platforms and libraries say of an error beside its texts: never what was sent, or by whom. All other members stay
 * behind, whatever they are: tokens, addresses, whole requests.
 */
const facts: ReadonlyArray<string> = [
  ...["errno", "syscall", "path", "dest", "port", "signal", "exitCode", "pid", "killed"],
  ...["status", "statusCode", "sqlState", "severity", "routine", "retry"],
]

/** Where validators gather what is wrong; of each, where it is and a sentence. */
const lists = ["issues", "inner"]
const factsOfIssue = ["path", "instancePath", "message"]

const membersOf = (value: object, room: Room): { readonly [key: string]: Schema.Json } => ({
  ...scalarsOf(value, facts, room),
  ...Object.fromEntries(
    lists.flatMap((key) => {
      const list = read(value, key)
      return isArray(list) ? [[key, issuesIn(list).map((issue) => scalarsOf(issue, factsOfIssue, room))]] : []
    }),
  ),
})

const maxIssues = 32

const issuesIn = (list: ReadonlyArray<unknown>): ReadonlyArray<object> =>
  Array.from({ length: Math.min(maxIssues, Number(read(list, "length"))) }, (_, i) => read(list, i)).filter(
    isObject,
  )

/** A path is a text, or a list of keys. */
const scalarsOf = (
  value: object,
  keys: ReadonlyArray<string>,
  room: Room,
): { readonly [key: string]: Schema.Json } =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const member = read(value, key)
      const isKept = member !== undefined && (key === "path" || !isObject(member)) && room.left > 0
      return isKept ? [[key, snapshot(member, room, () => undefined)]] : []
    }),
  )

/** Codes that what is carried tells again; a stop is read off names, and ranks by where they stand. */
const derived: ReadonlySet<string> = new Set(["UNKNOWN", "VALIDATION_FAILED", "ABORT_ERR", "TIMEOUT_ERR"])

/** Its own code; else the one found in what is left behind, unless the name alone tells it. */
const codeOf = (value: object): { readonly code?: string | number } => {
  const own = read(value, "code")
  if (typeof own === "string" && !isVague(own)) return { code: own }
  const found = findCode(value, undefined)
  const isTold = [nameOf(value), readTag(value) ?? ""].some((name) => toCode(name) === found)
  if (!isTold && !derived.has(found)) return { code: found }
  return typeof own === "number" && Number.isFinite(own) ? { code: own } : {}
}

const gathered = (value: object): ReadonlyArray<unknown> => {
  const errors = read(value, "errors")
  return isArray(errors) ? Array.from({ length: maxDepth }, (_, i) => read(errors, i)) : []
}

/** Make a cause of JSON: an error of what has a name and a message, all else as it is. */
export const fromJson = (json: Schema.Json, depth = 0): unknown => {
  if (typeof json !== "object" || json === null || isArray(json) || depth > maxDepth) return json
  const { name, message, stack: _, cause, errors, ...members } = json
  if (typeof name !== "string" || typeof message !== "string") return json
  const error = new Error(message)
  const hide = (key: string, value: unknown): void => {
    Object.defineProperty(error, key, { value, configurable: true, writable: true, enumerable: false })
  }
  hide("name", name)
  // The frames of this process say nothing about an error of another one.
  hide("stack", `${name}: ${message}`)
  if (cause !== undefined) hide("cause", fromJson(cause, depth + 1))
  if (isArray(errors))
    hide(
      "errors",
      errors.map((one) => fromJson(one, depth + 1)),
    )
  for (const [key, member] of Object.entries(members)) {
    Object.defineProperty(error, key, { value: member, configurable: true, writable: true, enumerable: true })
  }
  return error
}

/** A cause, as a field of an error class. */
export const Carried = Schema.Json.pipe(
  Schema.decodeTo(
    Schema.Unknown,
    SchemaTransformation.transform({ decode: (json) => fromJson(json), encode: toJson }),
  ),
)
