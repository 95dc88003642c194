/**
 * Say one complaint of Ajv as a violation.
 *
 * In:  a complaint, the path to its place, the document.      Out: a `Violation`.
 * Fails with: nothing; a keyword without words of its own here is named.
 * Not here: unions (`sayUnion.ts`), what is found out by trying (`addAdvice.ts`).
 */
import type { Violation } from "../error/Violation.ts"
import {
  type Advice,
  describe,
  didYouMean,
  isRecord,
  leaveOut,
  list,
  mismatch,
  missing,
  moveUp,
  type Path,
  unknownKey,
} from "../kind/Words.ts"
import { count, quote } from "../text/Excerpt.ts"
import { nearest } from "../text/Nearest.ts"
import type { AjvError } from "./loadAjv.ts"
import { sayTypes, sayWant } from "./sayWant.ts"

type Say = (error: AjvError, path: Path, document: unknown) => Violation

/** Put one complaint into our words. */
export const toViolation: Say = (error, path, document) => {
  const say = Object.hasOwn(sayings, error.keyword) ? sayings[error.keyword] : undefined
  if (say !== undefined) return say(error, path, document)
  const expected = `what ${error.keyword} asks: ${JSON.stringify(error.params)}`
  return mismatch(path, expected, error.data)
}

const limit = (words: (limit: number) => string, size?: (value: unknown) => string | undefined): Say => {
  return (error, path) => {
    const got = size?.(error.data)
    return mismatch(
      path,
      words(Number(error.params["limit"])),
      error.data,
      undefined,
      got ?? describe(error.data),
    )
  }
}

const bound: Say = (error, path) =>
  mismatch(path, `number ${String(error.params["comparison"])} ${String(error.params["limit"])}`, error.data)

const lengthOf = (value: unknown): string | undefined =>
  typeof value === "string" ? `string ${quote(value)} of ${count([...value].length, "character")}` : undefined

const lacks: Say = (error, path, document) => {
  const name = String(error.params["missingProperty"])
  const known = propertiesOf(error)
  const stray = strayKeys(error.data, known)
  const want = known[name] === undefined ? undefined : sayWant(known[name], document)
  const [instead] = nearest(name, stray)
  const violation = missing([...path, name], want, instead)
  if (instead !== undefined) return violation
  const around = stray.find((key) => isRecord(error.data) && holds(error.data[key], name))
  if (around === undefined) return violation
  return {
    ...violation,
    ...moveUp(around, `write what is inside ${quote(around)} one level up, without that key`),
  }
}

const holds = (value: unknown, name: string): boolean => isRecord(value) && Object.hasOwn(value, name)

const stray =
  (param: string): Say =>
  (error, path) => {
    const key = String(error.params[param])
    const known = propertiesOf(error)
    const free = Object.keys(known).filter((name) => isRecord(error.data) && !Object.hasOwn(error.data, name))
    return unknownKey([...path, key], Object.keys(known), straysAdvice(key, free))
  }

const straysAdvice = (key: string, free: ReadonlyArray<string>): Advice => {
  const names = nearest(key, free)
  const hint = didYouMean(names)
  const [to] = names
  return hint === undefined || to === undefined
    ? leaveOut(key)
    : { hint, fix: { kind: "rename", from: key, to } }
}

const choice = (members: ReadonlyArray<unknown>, path: Path, value: unknown): Violation =>
  mismatch(
    path,
    members.length === 1 ? list(members) : `one of ${list(members)}`,
    value,
    memberAdvice(value, members),
  )

/** Which member was meant: the only one there is, or the only near one; a number written as text is found by trying. */
export const memberAdvice = (value: unknown, members: ReadonlyArray<unknown>): Advice | undefined => {
  const names = members.filter((member) => typeof member === "string")
  if (typeof value !== "string") return undefined
  const near = nearest(value, names)
  const hint = didYouMean(near)
  if (hint === undefined) return undefined
  const [member, second] = near
  const isSame = member?.toLowerCase() === value.trim().toLowerCase()
  return member !== undefined && (second === undefined || isSame)
    ? { hint, fix: { kind: "take", member } }
    : { hint }
}

const sayings: Readonly<Record<string, Say>> = {
  type: (error, path, document) => {
    const types = [error.params["type"]].flat()
    const isArray = types.length === 1 && types[0] === "array"
    return mismatch(path, isArray ? sayWant(error.parentSchema, document) : sayTypes(types), error.data)
  },
  enum: ({ params, data }, path) => choice([params["allowedValues"]].flat(), path, data),
  const: ({ params, data }, path) => choice([params["allowedValue"]], path, data),
  required: lacks,
  dependentRequired: lacks,
  dependencies: lacks,
  additionalProperties: stray("additionalProperty"),
  unevaluatedProperties: stray("unevaluatedProperty"),
  propertyNames: (error, path) =>
    mismatch(
      [...path, String(error.params["propertyName"])],
      "a key that fits propertyNames",
      undefined,
      undefined,
      "another key",
    ),
  minimum: bound,
  maximum: bound,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: ({ data, parentSchema }, path) => {
    const step = isRecord(parentSchema) ? parentSchema["multipleOf"] : undefined
    return mismatch(path, `a multiple of ${String(step)}`, data)
  },
  minLength: limit((n) => `string of at least ${count(n, "character")}`, lengthOf),
  maxLength: limit((n) => `string of at most ${count(n, "character")}`, lengthOf),
  pattern: (error, path) =>
    mismatch(path, `string that matches ${String(error.params["pattern"])}`, error.data),
  minItems: limit((n) => `array of at least ${count(n, "item")}`),
  maxItems: limit((n) => `array of at most ${count(n, "item")}`),
  items: limit((n) => `array of at most ${count(n, "item")}`),
  additionalItems: limit((n) => `array of at most ${count(n, "item")}`),
  uniqueItems: ({ params, data }, path) =>
    mismatch(
      path,
      `items that differ (${String(params["j"])} and ${String(params["i"])} are the same)`,
      data,
    ),
  minProperties: limit((n) => `object with at least ${count(n, "key")}`),
  maxProperties: limit((n) => `object with at most ${count(n, "key")}`),
  contains: (error, path) =>
    mismatch(
      path,
      `array with ${count(Number(error.params["minContains"] ?? 1), "item")} of the kind in contains`,
      error.data,
    ),
  not: (error, path) => mismatch(path, "something that not does not describe", error.data),
  "false schema": (error, path) => mismatch(path, "nothing here", error.data),
}

const propertiesOf = ({ parentSchema }: AjvError): Readonly<Record<string, unknown>> => {
  const properties = isRecord(parentSchema) ? parentSchema["properties"] : undefined
  return isRecord(properties) ? properties : {}
}

/** How many unknown keys are looked at: a model may send any number. */
const maxStrays = 16

const strayKeys = (value: unknown, known: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  isRecord(value)
    ? Object.keys(value)
        .filter((key) => !Object.hasOwn(known, key))
        .slice(0, maxStrays)
    : []
