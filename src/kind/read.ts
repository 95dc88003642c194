/**
 * Read one keyword of a spec, or refuse it.
 *
 * In:  the keywords, and the name of one.      Out: its value, believed; `undefined` when it is not given.
 * Fails with: a `TypeError` that names the place and the keyword.
 */
import { type Keywords, refuse } from "./Place.ts"

export const readFlag = (spec: Keywords, keyword: string, at: string): boolean | undefined => {
  const value = spec[keyword]
  if (value === undefined || typeof value === "boolean") return value
  return refuse(at, `${keyword} is neither true nor false`)
}

export const readText = (spec: Keywords, keyword: string, at: string): string | undefined => {
  const value = spec[keyword]
  if (value === undefined || typeof value === "string") return value
  return refuse(at, `${keyword} is no string`)
}

export const readNumber = (spec: Keywords, keyword: string, at: string): number | undefined => {
  const value = spec[keyword]
  if (value === undefined || (typeof value === "number" && Number.isFinite(value))) return value
  return refuse(at, `${keyword} is no finite number`)
}

/** Two counts that bound a size, `min…` and `max…`. */
export const readRange = (spec: Keywords, of: "Length" | "Items", at: string): Range => {
  const min = readCount(spec, `min${of}`, at)
  const max = readCount(spec, `max${of}`, at)
  if (min !== undefined && max !== undefined && min > max)
    return refuse(at, `nothing fits: min${of} ${min} is more than max${of} ${max}`)
  return { min, max }
}

export interface Range {
  readonly min: number | undefined
  readonly max: number | undefined
}

/** Say a range of counts: "3 to 10 characters". */
export const sayRange = ({ min, max }: Range, noun: string): string => {
  const last = max ?? min
  const things = `${noun}${last === 1 ? "" : "s"}`
  if (min === undefined || min === 0) return `at most ${last} ${things}`
  if (max === undefined) return `at least ${min} ${things}`
  return min === max ? `exactly ${min} ${things}` : `${min} to ${max} ${things}`
}

const readCount = (spec: Keywords, keyword: string, at: string): number | undefined => {
  const value = spec[keyword]
  if (value === undefined || (typeof value === "number" && Number.isSafeInteger(value) && value >= 0))
    return value
  return refuse(at, `${keyword} is no count, a whole number from 0`)
}
