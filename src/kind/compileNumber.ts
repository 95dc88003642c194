/**
 * The kinds `number` and `integer`, within bounds and of a step where the spec says so.
 *
 * In:  the keywords of one spec.      Out: its `Place`.
 * Fails with: a `TypeError` when nothing lies within the bounds.
 * Not here: `enum` and `const` (`compileChoice.ts`).
 * Source: JSON Schema 2020-12, with one difference: an integer beyond ±(2⁵³ − 1) is refused, because reading it has
 * already changed it.
 */
import { Schema } from "effect"
import { isMultiple } from "../text/Decimal.ts"
import { type Code, type Keywords, type Kind, type Place, refuse } from "./Place.ts"
import { readNumber } from "./read.ts"
import { type Advice, convert, mismatch, unquote, unwrap } from "./Words.ts"

const boundNames = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const

type Bounds = { readonly [Name in (typeof boundNames)[number]]: number | undefined }
type Type = "number" | "integer"

const kind = (type: Type): Kind => ({
  keywords: boundNames,
  compile: (spec, at) => {
    const bounds = readBounds(spec, at)
    if (isEmpty(type, bounds)) return refuse(at, `nothing fits: there is no ${sayNumber(type, bounds)}`)
    const isType = type === "integer" ? isInteger : isNumber
    const free = boundNames.every((name) => bounds[name] === undefined)
    return {
      is: free ? isType : (value) => isType(value) && fits(value, bounds),
      ...(bounds.multipleOf === undefined ? { code: compare(isType, bounds) } : {}),
      walk: walkNumber(type, bounds, isType),
      codec: () => codecOf(type, bounds),
      jsonSchema: { type, ...given(bounds) },
      expected: sayNumber(type, bounds),
    }
  },
})

const isNumber = (value: unknown): value is number => Number.isFinite(value)
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)

export const number = kind("number")
export const integer = kind("integer")

const given = (bounds: Bounds): Readonly<Record<string, number>> => {
  const found: Record<string, number> = {}
  for (const name of boundNames) {
    const bound = bounds[name]
    if (bound !== undefined) found[name] = bound
  }
  return found
}

const readBounds = (spec: Keywords, at: string): Bounds => {
  const multipleOf = readNumber(spec, "multipleOf", at)
  if (multipleOf !== undefined && multipleOf <= 0) return refuse(at, "multipleOf is not above 0")
  return {
    minimum: readNumber(spec, "minimum", at),
    maximum: readNumber(spec, "maximum", at),
    exclusiveMinimum: readNumber(spec, "exclusiveMinimum", at),
    exclusiveMaximum: readNumber(spec, "exclusiveMaximum", at),
    multipleOf,
  }
}

const isEmpty = (type: Type, bounds: Bounds): boolean => {
  const { minimum: min = -Infinity, maximum: max = Infinity, multipleOf } = bounds
  const { exclusiveMinimum: above = -Infinity, exclusiveMaximum: below = Infinity } = bounds
  if (min > max || above >= max || min >= below || above >= below) return true
  if (type === "number") return false
  // The first whole number within; with a whole step, the first multiple.
  const step = Number.isSafeInteger(multipleOf) ? (multipleOf ?? 1) : 1
  const first = Math.ceil(Math.max(min, Math.floor(above) + 1, Number.MIN_SAFE_INTEGER) / step) * step
  return first > Math.min(max, Math.ceil(below) - 1, Number.MAX_SAFE_INTEGER)
}

const inRange = (value: number, bounds: Bounds): boolean =>
  !(
    (bounds.minimum !== undefined && value < bounds.minimum) ||
    (bounds.maximum !== undefined && value > bounds.maximum) ||
    (bounds.exclusiveMinimum !== undefined && value <= bounds.exclusiveMinimum) ||
    (bounds.exclusiveMaximum !== undefined && value >= bounds.exclusiveMaximum)
  )

/** A finite bound is written as JavaScript does; the type comes first, so that numbers are compared with numbers. */
const compare =
  (isType: (value: unknown) => boolean, bounds: Bounds): Code =>
  (value, draft) => {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds
    const tests = [`${draft.use(isType)}(${value})`]
    if (minimum !== undefined) tests.push(`${value} >= ${minimum}`)
    if (maximum !== undefined) tests.push(`${value} <= ${maximum}`)
    if (exclusiveMinimum !== undefined) tests.push(`${value} > ${exclusiveMinimum}`)
    if (exclusiveMaximum !== undefined) tests.push(`${value} < ${exclusiveMaximum}`)
    return tests.join(" && ")
  }

const fits = (value: number, bounds: Bounds): boolean =>
  inRange(value, bounds) && (bounds.multipleOf === undefined || isMultiple(value, bounds.multipleOf))

const walkNumber = (
  type: Type,
  bounds: Bounds,
  isType: (value: unknown) => value is number,
): Place["walk"] => {
  const expected = sayNumber(type, bounds)
  return (value, path, report) => {
    if (!isType(value)) {
      report.add(mismatch(path, expected, value, unwrap(value, isType) ?? adviseNumber(type, value, isType)))
      return
    }
    if (!inRange(value, bounds))
      report.add(mismatch(path, sayNumber(type, { ...bounds, multipleOf: undefined }), value))
    if (bounds.multipleOf !== undefined && !isMultiple(value, bounds.multipleOf))
      report.add(mismatch(path, `multiple of ${bounds.multipleOf}`, value))
  }
}

const adviseNumber = (
  type: Type,
  value: unknown,
  isType: (value: unknown) => boolean,
): Advice | undefined => {
  if (Number.isInteger(value))
    return { hint: `whole numbers beyond ±${Number.MAX_SAFE_INTEGER} are not exact` }
  const held = unquote(value)
  return isType(held) ? convert(type, String(held)) : undefined
}

const codecOf = (type: Type, bounds: Bounds): Schema.Codec<unknown, unknown> => {
  let schema: Schema.Codec<number> = type === "integer" ? Schema.Int : Schema.Finite
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = bounds
  if (minimum !== undefined) schema = schema.check(Schema.isGreaterThanOrEqualTo(minimum))
  if (maximum !== undefined) schema = schema.check(Schema.isLessThanOrEqualTo(maximum))
  if (exclusiveMinimum !== undefined) schema = schema.check(Schema.isGreaterThan(exclusiveMinimum))
  if (exclusiveMaximum !== undefined) schema = schema.check(Schema.isLessThan(exclusiveMaximum))
  if (multipleOf !== undefined)
    schema = schema.check(Schema.makeFilter((value) => isMultiple(value, multipleOf)))
  return schema
}

const sayNumber = (type: Type, bounds: Bounds): string => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = bounds
  const words: Array<string> = []
  if (minimum !== undefined && maximum !== undefined) words.push(`from ${minimum} to ${maximum}`)
  else if (minimum !== undefined) words.push(`from ${minimum}`)
  else if (maximum !== undefined) words.push(`up to ${maximum}`)
  if (exclusiveMinimum !== undefined) words.push(`above ${exclusiveMinimum}`)
  if (exclusiveMaximum !== undefined) words.push(`below ${exclusiveMaximum}`)
  if (multipleOf !== undefined) words.push(`a multiple of ${multipleOf}`)
  return words.length === 0 ? type : `${type} ${words.join(", ")}`
}
