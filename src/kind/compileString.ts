/**
 * The kind `string`: text, of a length and a pattern where the spec says so.
 *
 * In:  the keywords of one spec.      Out: its `Place`.
 * Fails with: a `TypeError` when the bounds leave nothing or the pattern is no regular expression.
 * Not here: `enum` and `const` (`compileChoice.ts`).
 * Source: JSON Schema 2020-12: lengths count code points; a pattern is not anchored and has the `u` flag; `format` is an
 * annotation, and so it is here: it is shown and never checked.
 */
import { Schema } from "effect"
import { count, quote } from "../text/Excerpt.ts"
import { type Keywords, type Kind, type Place, refuse } from "./Place.ts"
import { type Range, readRange, readText, sayRange } from "./read.ts"
import { type Advice, convert, mismatch, unwrap } from "./Words.ts"

interface Bounds extends Range {
  readonly pattern: RegExp | undefined
  readonly format: string | undefined
}

const isString = (value: unknown): value is string => typeof value === "string"

export const string: Kind = {
  keywords: ["minLength", "maxLength", "pattern", "format"],
  compile: (spec, at) => {
    const bounds = readBounds(spec, at)
    const { min, max, pattern, format } = bounds
    const free = min === undefined && max === undefined && pattern === undefined
    return {
      ...(free ? { is: isString, code: (value) => `typeof ${value} === "string"` } : { is: within(bounds) }),
      walk: walkString(bounds),
      codec: () => codecOf(bounds),
      jsonSchema: {
        type: "string",
        ...(min === undefined ? {} : { minLength: min }),
        ...(max === undefined ? {} : { maxLength: max }),
        ...(pattern === undefined ? {} : { pattern: pattern.source }),
        ...(format === undefined ? {} : { format }),
      },
      expected: sayString(bounds),
    }
  },
}

const readBounds = (spec: Keywords, at: string): Bounds => {
  const source = readText(spec, "pattern", at)
  return {
    ...readRange(spec, "Length", at),
    pattern: source === undefined ? undefined : readPattern(source, at),
    format: readText(spec, "format", at),
  }
}

const readPattern = (source: string, at: string): RegExp => {
  try {
    return new RegExp(source, "u")
  } catch {
    return refuse(at, `pattern ${quote(source)} is no regular expression with the u flag`)
  }
}

/** Count code points, but no further than it matters. */
const fitsLength = (text: string, { min = 0, max = Number.POSITIVE_INFINITY }: Range): boolean => {
  if (text.length < min) return false
  // A code point has one or two units: most texts need no counting.
  if (text.length <= max && text.length >= 2 * min) return true
  if (text.length > 2 * max) return false
  const length = lengthOf(text)
  return length >= min && length <= max
}

const lengthOf = (text: string): number => {
  let length = text.length
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0xd800 || unit > 0xdbff) continue
    const next = text.charCodeAt(index + 1)
    if (next >= 0xdc00 && next <= 0xdfff) length--
  }
  return length
}

/** The length comes first: it bounds the work of the pattern. */
const within =
  (bounds: Bounds): Place["is"] =>
  (value) =>
    isString(value) && fitsLength(value, bounds) && (bounds.pattern?.test(value) ?? true)

const walkString = (bounds: Bounds): Place["walk"] => {
  const expected = sayString(bounds)
  const hasRange = bounds.min !== undefined || bounds.max !== undefined
  return (value, path, report) => {
    if (!isString(value)) {
      report.add(mismatch(path, expected, value, inQuotes(value) ?? unwrap(value, isString)))
    } else if (!fitsLength(value, bounds)) {
      const wanted = hasRange ? `string of ${sayRange(bounds, "character")}` : expected
      report.add(
        mismatch(
          path,
          wanted,
          value,
          undefined,
          `string of ${count(lengthOf(value), "character")}: ${quote(value)}`,
        ),
      )
    } else if (bounds.pattern?.test(value) === false) {
      report.add(mismatch(path, `string that matches ${quote(bounds.pattern.source, 200)}`, value))
    }
  }
}

const inQuotes = (value: unknown): Advice | undefined =>
  Number.isFinite(value) || typeof value === "boolean" ? convert("string", `"${value}"`) : undefined

const codecOf = ({ min, max, pattern }: Bounds): Schema.Codec<unknown, unknown> => {
  let schema: Schema.Codec<string> = Schema.String
  if (min !== undefined) schema = schema.check(Schema.isMinCodePoints(min))
  if (max !== undefined) schema = schema.check(Schema.isMaxCodePoints(max))
  if (pattern !== undefined) schema = schema.check(Schema.isPattern(pattern))
  return schema
}

const sayString = (bounds: Bounds): string => {
  const { min, max, pattern, format } = bounds
  let text = "string"
  if (format !== undefined) text += ` (${format})`
  if (min !== undefined || max !== undefined) text += ` of ${sayRange(bounds, "character")}`
  if (pattern !== undefined) text += ` that matches ${quote(pattern.source, 200)}`
  return text
}
