/**
 * Which known name an unknown one was meant to be.
 *
 * In:  a name that a model wrote, and the names there are.      Out: the likely ones, likeliest first, often none.
 * Fails with: nothing.
 * Source: optimal string alignment distance (Damerau 1964), so that a swap of two neighbours counts as one slip.
 */

const maxNearest = 3
/** Longer names are compared by their beginning: the work stays bounded whatever the model sends. */
const maxLength = 64

/**
 * Name the candidates that are near enough to be what was meant, at most three.
 *
 * Near: equal but for case and punctuation; up to a third of the letters wrong; or one is the other with a word more
 * (`file` for `file_path`).
 * Order: nearest first, then as given.
 */
export const nearest = (name: string, candidates: Iterable<string>): ReadonlyArray<string> => {
  const wanted = fold(name)
  const scored: Array<{ readonly candidate: string; readonly score: number }> = []
  for (const candidate of candidates) {
    if (candidate === name) continue
    const score = distance(wanted, fold(candidate)) / Math.max(wanted.length, fold(candidate).length, 1)
    if (score <= 1 / 3) scored.push({ candidate, score })
    else if (sharesWords(name, candidate)) scored.push({ candidate, score: 1 / 3 + score })
  }
  return scored
    .sort((left, right) => left.score - right.score)
    .slice(0, maxNearest)
    .map(({ candidate }) => candidate)
}

/** `filePath`, `file_path` and `File-Path` are one name. */
const fold = (name: string): string =>
  name
    .slice(0, maxLength)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

const words = (name: string): ReadonlyArray<string> =>
  name
    .slice(0, maxLength)
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)

const sharesWords = (left: string, right: string): boolean => {
  const [fewer, more] = [words(left), words(right)].sort((a, b) => a.length - b.length)
  if (fewer === undefined || more === undefined || fewer.length === 0) return false
  return fewer.every((word) => more.includes(word))
}

const distance = (left: string, right: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let best = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      )
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (swapped) best = Math.min(best, at(beforeLast, column - 2) + 1)
      current.push(best)
    }
    beforeLast = last
    last = current
  }
  return at(last, right.length)
}

const at = (row: ReadonlyArray<number>, column: number): number => row[column] ?? Number.POSITIVE_INFINITY
