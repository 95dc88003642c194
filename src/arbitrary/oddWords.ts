/**
 * Hold words and numbers that are easily taken for something else.
 */
import * as fc from "fast-check"

export const propertyNames = [
  "path",
  "file_path",
  "limit",
  "offset",
  "mode",
  "toString",
  "valueOf",
  "a b",
  "ключ",
] as const

export const oddWord = fc.constantFrom("fast", "slow", "5", "true", "null", "", "😀", "a😀b")

export const oddNumber = fc.constantFrom(0, -0, 1.5, 5, 2 ** 53, -(2 ** 53), 2 ** 60, 1e300, Infinity, NaN)
