/**
 * Read the text that a model wrote for the arguments of a call: strict JSON, within limits.
 *
 * In:  the raw text.      Out: the JSON value; empty text is `{}`.
 * Fails with: `Malformed`, whose message says where, what stands there, and that nothing ran.
 * Not here: whether the value is what the tool takes (`spec/`). Nothing is repaired.
 */
import { Result, type Schema } from "effect"
import { count, quote } from "./Excerpt.ts"
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
  /** Units: UTF-16 code units from the start of the text. Absent when no one place is to blame. */
  readonly position?: number
}

/**
 * Parse the text, or say why not.
 *
 * Own keys stay own keys: `"__proto__"` sets no prototype.
 */
export const parse = (
  text: string,
  limits: Limits = defaultLimits,
): Result.Result<Schema.Json, Malformed> => {
  if (text.length > limits.maxLength) {
    return malformed(`They are ${text.length} characters long, the limit is ${limits.maxLength}.`)
  }
  if (mayBeDeeper(text, limits.maxDepth)) {
    const found = scan(text, limits.maxDepth)
    if (found._tag === "TooDeep") return tooDeep(found.position, limits)
  }
  try {
    const value: Schema.Json = JSON.parse(text)
    return Result.succeed(value)
  } catch {
    return skipSpace(text, 0) === text.length ? Result.succeed({}) : locate(text, limits)
  }
}

/** Count the openings up to the limit, at the speed of the engine's own search; most texts have a few. */
const mayBeDeeper = (text: string, maxDepth: number): boolean => {
  let openings = 0
  for (const opening of ["[", "{"]) {
    for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) {
      if (++openings > maxDepth) return true
    }
  }
  return false
}

/** Say what is wrong with a text that `JSON.parse` refused. */
const locate = (text: string, limits: Limits): Result.Result<never, Malformed> => {
  const found = scan(text, limits.maxDepth)
  switch (found._tag) {
    case "TooDeep":
      return tooDeep(found.position, limits)
    case "Broken":
      return malformed(
        `At position ${found.position} ${standing(text, found.position)}, want ${found.want}.`,
        found.position,
      )
    case "Whole": {
      const start = skipSpace(text, found.end)
      const rest = `The JSON is complete, but there is text after position ${found.end}: ${quote(text.slice(start))}.`
      return malformed(rest, found.end)
    }
  }
}

const standing = (text: string, position: number): string =>
  position >= text.length
    ? "the text ends"
    : `stands ${quote(text.slice(position, position + 2 * excerpt), excerpt)}`

/** Units: UTF-16 code units of the text that are quoted from the place of the fault. */
const excerpt = 20

const tooDeep = (position: number, { maxDepth }: Limits): Result.Result<never, Malformed> =>
  malformed(`At position ${position} they nest deeper than ${count(maxDepth, "level")}.`, position)

const malformed = (why: string, position?: number): Result.Result<never, Malformed> => {
  const message = `The arguments are not valid JSON. ${why} Nothing ran. Send the whole call again, with one JSON object as arguments.`
  return Result.fail({ _tag: "Malformed", message, ...(position === undefined ? {} : { position }) })
}
