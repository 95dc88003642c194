/**
 * Which known name an unknown one was meant to be.
 *
 * In:  a name that a model wrote, and the names there are.      Out: the likely ones, likeliest first, often none.
 * Fails with: nothing.
 * Source: optimal string alignment distance (Damerau 1964), so that a swap of two neighbours counts as one slip.
 */

const maxNearest = 3
/** Units: the part of the letters that may be wrong. */
const maxScore = 1 / 3
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
  const own = words(name)
  const scored: Array<{ readonly candidate: string; readonly score: number }> = []
  for (const candidate of candidates) {
    if (candidate === name) continue
    const known = fold(candidate)
    const longest = Math.max(wanted.length, known.length, 1)
    // Each letter that one has more is a slip: the lengths alone rule most candidates out.
    const isFar = Math.abs(wanted.length - known.length) / longest > maxScore
    const score = isFar ? Number.POSITIVE_INFINITY : distance(wanted, known) / longest
    if (score <= maxScore) scored.push({ candidate, score })
    // A word that both have stands in the folded name too, which is quicker to look at.
    else if (own.some((word) => known.includes(word)) && sharesWords(own, words(candidate)))
      scored.push({ candidate, score: maxScore + distance(wanted, known) / longest })
  }
  return scored
    .sort((left, right) => left.score - right.score)
    .slice(0, maxNearest)
    .map(({ candidate }) => candidate)
}

/** `filePath`, `file_path` and `File-Path` are one name. */
const fold = (name: string): string => {
  const lower = name.slice(0, maxLength).toLowerCase()
  return isPlain.test(lower) ? lower : lower.replace(/[^\p{L}\p{N}]/gu, "")
}

/** What most names are: then there is nothing to take out, and one word at the most. */
const isPlain = /^[a-z0-9]*$/

const words = (name: string): ReadonlyArray<string> => {
  const start = name.slice(0, maxLength)
  const all = isPlain.test(start)
    ? [start]
    : start
        .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
  return all.filter((word) => word.length > 1)
}

const sharesWords = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean => {
  const [fewer, more] = left.length <= right.length ? [left, right] : [right, left]
  return fewer.length > 0 && fewer.every((word) => more.includes(word))
}

/** What both begin with and end with costs nothing, and most of a near miss is that. */
const distance = (left: string, right: string): number => {
  let start = 0
  let leftEnd = left.length
  let rightEnd = right.length
  while (start < leftEnd && left[start] === right[start]) start++
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd--
    rightEnd--
  }
  return align(left.slice(start, leftEnd), right.slice(start, rightEnd))
}

const align = (left: string, right: string): number => {
  let beforeLast: Row = []
  let last: Row = []
  for (let column = 0; column <= right.length; column++) last.push(column)
  for (let row = 1; row <= left.length; row++) {
    const current: Row = [row]
    let best = row
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      best = Math.min(best + 1, at(last, column) + 1, at(last, column - 1) + (isSame ? 0 : 1))
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (isSwapped) best = Math.min(best, at(beforeLast, column - 2) + 1)
      current.push(best)
    }
    beforeLast = last
    last = current
  }
  return at(last, right.length)
}

type Row = Array<number>

/** A row has all columns: the zero is never read. */
const at = (row: Row, column: number): number => row[column] ?? 0
