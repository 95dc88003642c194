/**
 * Read the text that a model wrote for the arguments of a call: strict JSON, within limits.
 *
 * In:  the raw text.      Out: the JSON value; empty text is `{}`.
 * Fails with: `Malformed`, whose message says where, what stands there, and that nothing ran.
 * Not here: whether the value is what the tool takes (`spec/`), repairs (`JsonRepair.ts`).
 * Source: RFC 8259; of RFC 7493 what keeps a part of the text from being lost without a word: a key that stands twice
 * and a number out of range are refused. Half a surrogate pair stays what it is; a reader of UTF-8 makes U+FFFD of it.
 */
import { Result, type Schema } from "effect"
import { count, quote } from "./Excerpt.ts"
import { findUnsound } from "./findUnsound.ts"
import { scan, skipSpace } from "./scan.ts"

export interface Limits {
  /** Units: UTF-16 code units of the whole text. */
  readonly maxLength: number
  /** Units: arrays and objects inside one another. */
  readonly maxDepth: number
}

/** Far above what tools need, far below what hurts: four million code units, 128 levels. */
export const defaultLimits: Limits = { maxLength: 4_194_304, maxDepth: 128 }

export interface Malformed {
  readonly _tag: "Malformed"
  readonly message: string
  /** The part of the message that says what is wrong. */
  readonly why: string
  /** Units: UTF-16 code units from the start of the text. Absent when no one place is to blame. */
  readonly position?: number
}

/**
 * Parse the text, or say why not; `hidden` keeps every piece of the text out of the message.
 *
 * Own keys stay own keys: `"__proto__"` sets no prototype.
 */
export const parse = (
  text: string,
  limits: Limits = defaultLimits,
  hidden = false,
): Result.Result<Schema.Json, Malformed> => {
  const reading: Reading = { text, limits, hidden }
  if (text.length > limits.maxLength)
    return malformed(`They are ${text.length} characters long, the limit is ${limits.maxLength}.`)
  let value: Schema.Json
  try {
    value = JSON.parse(text)
  } catch {
    return skipSpace(text, 0) === text.length ? Result.succeed({}) : locate(reading)
  }
  // As many keys as members: none stood twice, for nearly every text, without a second reading.
  const members = countMembers(value, limits.maxDepth)
  return members === countKeys(text) ? Result.succeed(value) : audit(reading, value, members)
}

interface Reading {
  readonly text: string
  readonly limits: Limits
  readonly hidden: boolean
}

/** Count the members of all objects; `NaN` when the value is too deep, or holds a number that is none. */
const countMembers = (value: unknown, levels: number): number => {
  if (typeof value === "number") return Number.isFinite(value) ? 0 : Number.NaN
  if (typeof value !== "object" || value === null) return 0
  if (levels === 0) return Number.NaN
  let members = 0
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) members += countMembers(value[index], levels - 1)
  } else if (isRecord(value)) {
    for (const key in value) {
      const member = value[key]
      members += typeof member === "string" ? 1 : 1 + countMembers(member, levels - 1)
    }
  }
  return members
}

const isRecord = (value: object): value is Readonly<Record<string, unknown>> => !Array.isArray(value)

/** Count the colons behind a closing quote; `NaN` where one look does not tell whether a quote is one. */
const countKeys = (text: string): number => {
  let keys = 0
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) {
    const before = text.charCodeAt(at - 1)
    if (before <= space) return Number.NaN
    if (before !== quoteMark) continue
    if (text.charCodeAt(at - 2) !== backslash) keys++
    else if (text.charCodeAt(at - 3) === backslash) return Number.NaN
  }
  return keys
}

const space = 0x20
const quoteMark = 0x22
const backslash = 0x5c

/** Read a text again that is JSON and yet in doubt. */
const audit = (
  reading: Reading,
  value: Schema.Json,
  members: number,
): Result.Result<Schema.Json, Malformed> => {
  const { text, limits, hidden } = reading
  const shape = Number.isNaN(members) ? scan(text, limits.maxDepth) : undefined
  if (shape?._tag === "TooDeep") return tooDeep(limits, shape.position)
  const found = findUnsound(text)
  if (found === undefined) return Result.succeed(value)
  const { position } = found
  switch (found._tag) {
    case "Twice": {
      const key = hidden ? "a key" : `the key ${quote(found.key)}`
      const why = `At position ${position} ${key} stands a second time in its object, first at ${found.first}: write each key once.`
      return malformed(why, position)
    }
    case "TooLarge": {
      const number = hidden ? "a number" : `the number ${quote(found.number, excerpt)}`
      return malformed(`At position ${position} stands ${number}, which is out of range.`, position)
    }
  }
}

/** Say what is wrong with a text that `JSON.parse` refused. */
const locate = (reading: Reading): Result.Result<never, Malformed> => {
  const { text, limits, hidden } = reading
  const found = scan(text, limits.maxDepth)
  switch (found._tag) {
    case "TooDeep":
      return tooDeep(limits, found.position)
    case "Broken": {
      const why = `At position ${found.position} ${standing(reading, found.position)}, want ${found.want}.`
      return malformed(why, found.position)
    }
    case "Whole": {
      const rest = text.slice(skipSpace(text, found.end))
      const what = /^[{[]/.test(rest) ? "another JSON value" : "text"
      const advice = what === "text" ? "" : " Make one call for each."
      const shown = hidden ? "(hidden)" : quote(rest)
      const why = `The JSON is complete, but there is ${what} after position ${found.end}: ${shown}.${advice}`
      return malformed(why, found.end)
    }
  }
}

const standing = ({ text, hidden }: Reading, position: number): string => {
  if (position >= text.length) return "the text ends"
  return `stands ${hidden ? "something else (hidden)" : quote(text.slice(position, position + 2 * excerpt), excerpt)}`
}

/** Units: UTF-16 code units of the text that are quoted from the place of the fault. */
const excerpt = 20

const tooDeep = ({ maxDepth }: Limits, position: number): Result.Result<never, Malformed> => {
  const why = `At position ${position} they nest deeper than ${count(maxDepth, "level")}.`
  return malformed(why, position)
}

const malformed = (why: string, position?: number): Result.Result<never, Malformed> => {
  const message = `The arguments are not valid JSON. ${why} Nothing ran. Send the whole call again, with one JSON object as arguments.`
  return Result.fail({ _tag: "Malformed", message, why, ...(position === undefined ? {} : { position }) })
}
