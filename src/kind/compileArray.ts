/**
 * The kind `array`: items of one spec, of a number and without doubles where the spec says so.
 *
 * In:  the keywords of one spec, and how to compile its items.      Out: its `Place`.
 * Fails with: a `TypeError` when the bounds leave nothing or the spec of the items is wrong.
 * Not here: objects (`compileObject.ts`).
 */
import { Schema } from "effect"
import { count } from "../text/Excerpt.ts"
import { anyJson } from "./compilePlain.ts"
import {
  type Code,
  type Fill,
  guarding,
  type Kind,
  type Mask,
  type Place,
  type Report,
  refuse,
  write,
} from "./Place.ts"
import { type Range, readFlag, readRange, sayRange } from "./read.ts"
import { type Advice, convert, isRecord, mismatch, type Path, place, unnest } from "./Words.ts"

/** How many violations of one container are reported, nested ones included: it may have any number of parts. */
export const maxPartViolations = 100

interface Parts {
  readonly item: Place
  readonly range: Range
  readonly unique: boolean
  readonly expected: string
  readonly mask: Mask | undefined
}

export const array: Kind = {
  keywords: ["items", "minItems", "maxItems", "uniqueItems"],
  compile: (spec, at, scope) => {
    const items = spec["items"] === undefined ? undefined : scope.inside(spec["items"], `${at}[]`)
    const item = items ?? anyJson
    const range = readRange(spec, "Items", at)
    const unique = readFlag(spec, "uniqueItems", at) === true
    if (unique && item.values !== undefined && (range.min ?? 0) > new Set(item.values).size)
      refuse(at, `nothing fits: there are no ${count(range.min ?? 0, "item")} that differ`)
    const expected = sayArray(range, items?.expected, unique)
    const mask = items?.mask === undefined ? undefined : maskItems(items.mask)
    const { min = 0, max = Number.POSITIVE_INFINITY } = range
    return {
      is: (value) => {
        if (!Array.isArray(value) || value.length < min || value.length > max) return false
        for (let index = 0; index < value.length; index++) if (!item.is(value[index])) return false
        return !unique || firstDouble(value) === undefined
      },
      ...(unique ? {} : { code: loop(item, min, max) }),
      walk: walkArray({ item, range, unique, expected, mask }),
      codec: () => codecOf(item, range, unique),
      jsonSchema: {
        type: "array",
        ...(items === undefined ? {} : { items: items.jsonSchema }),
        ...(range.min === undefined ? {} : { minItems: range.min }),
        ...(range.max === undefined ? {} : { maxItems: range.max }),
        ...(unique ? { uniqueItems: true } : {}),
      },
      expected,
      ...(item.fill === undefined ? {} : { fill: fillItems(item.fill) }),
      ...(mask === undefined ? {} : { mask }),
    }
  },
}

const loop =
  (item: Place, min: number, max: number): Code =>
  (value, draft) => {
    const each = draft.define([
      `if (!Array.isArray(value) || value.length < ${min} || value.length > ${max}) return false`,
      "for (let index = 0; index < value.length; index++) {",
      "const item = value[index]",
      `if (!(${write(item, "item", draft)})) return false`,
      "}",
      "return true",
    ])
    return `${each}(${value})`
  }

const sayArray = (range: Range, items: string | undefined, unique: boolean): string => {
  const bounded = range.min !== undefined || range.max !== undefined
  const size = bounded ? ` of ${sayRange(range, "item")}` : ""
  const what = items === undefined ? "" : bounded ? `, each ${items}` : ` of ${items}`
  return `array${size}${what}${unique ? ", no two equal" : ""}`
}

const walkArray =
  ({ item, range, unique, expected, mask }: Parts): Place["walk"] =>
  (value, path, report) => {
    if (!Array.isArray(value)) {
      const advice = unnest(value, "[", "array") ?? wrap(value, item)
      guarding(mask, report).add(mismatch(path, expected, value, advice))
      return
    }
    const sent: ReadonlyArray<unknown> = value
    const { min = 0, max = Number.POSITIVE_INFINITY } = range
    if (sent.length < min || sent.length > max)
      report.add(mismatch(path, `array of ${sayRange(range, "item")}`, sent))
    walkItems(sent, item, path, report)
    const double = unique ? firstDouble(sent) : undefined
    if (double !== undefined) {
      const [first, second] = double
      const got = `the same as ${place([...path, first])}`
      guarding(mask, report).add(mismatch([...path, second], "no item twice", sent[second], undefined, got))
    }
  }

const walkItems = (sent: ReadonlyArray<unknown>, item: Place, path: Path, report: Report): void => {
  let reported = 0
  const add: Report["add"] = (violation) => {
    reported++
    report.add(violation)
  }
  for (let index = 0; index < sent.length && reported < maxPartViolations; index++) {
    const member = sent[index]
    if (report.noting || !item.is(member)) item.walk(member, [...path, index], { ...report, add })
  }
}

/** A lone item where a list of them is wanted. */
const wrap = (value: unknown, item: Place): Advice | undefined =>
  value !== null && value !== undefined && item.is(value) ? convert("array") : undefined

const codecOf = (item: Place, { min, max }: Range, unique: boolean): Schema.Codec<unknown, unknown> => {
  let schema: Schema.Codec<ReadonlyArray<unknown>, ReadonlyArray<unknown>> = Schema.Array(item.codec())
  if (min !== undefined) schema = schema.check(Schema.isMinLength(min))
  if (max !== undefined) schema = schema.check(Schema.isMaxLength(max))
  if (unique) schema = schema.check(Schema.makeFilter((items) => firstDouble(items) === undefined))
  // The items decode from unknown, so the array does.
  return Schema.Unknown.pipe(Schema.decodeTo(Schema.Array(Schema.Unknown)), Schema.decodeTo(schema))
}

/** The places of the first two items that JSON cannot tell apart. */
const firstDouble = (items: ReadonlyArray<unknown>): readonly [number, number] | undefined => {
  const seen = new Map<unknown, number>()
  for (const [index, item] of items.entries()) {
    const identity = typeof item === "object" && item !== null ? `{${identify(item)}` : identifyScalar(item)
    const first = seen.get(identity)
    if (first !== undefined) return [first, index]
    seen.set(identity, index)
  }
  return undefined
}

/** A text that cannot be that of a container. */
const identifyScalar = (item: unknown): unknown => (typeof item === "string" ? `"${item}` : item)

/** Write a value so that equal JSON has equal text, whatever the order of keys. */
export const identify = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(identify).join(",")}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? typeof value
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${identify(value[key])}`).join(",")}}`
}

const fillItems =
  (fill: Fill): Fill =>
  (value) => {
    if (!Array.isArray(value)) return value
    const sent: ReadonlyArray<unknown> = value
    let filled: Array<unknown> | undefined
    for (const [index, member] of sent.entries()) {
      const other = fill(member)
      if (other !== member) (filled ??= [...sent])[index] = other
    }
    return filled ?? sent
  }

/** What is no array may hold the secret as well: the array written as text. */
const maskItems =
  (mask: Mask): Mask =>
  (value, replace) =>
    Array.isArray(value) ? value.map((item) => mask(item, replace)) : replace(value)
