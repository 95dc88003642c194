/**
 * Find the lines of a text that match, within a time limit that even a runaway regular expression keeps.
 *
 * In:  a pattern, then lines and limits.      Out: the indices of matching lines, or `undefined` when time was up.
 * Fails with: nothing.
 * Not here: which files are searched (`SearchText.ts`).
 *
 * A regular expression of JavaScript can backtrack for ages, and nothing inside the language stops it: `node.ts` does.
 * The process waits meanwhile, so limits are short.
 */
import { prepare } from "./node.ts"

/** Units of `timeoutMillis`: milliseconds. `most` is how many indices are given. */
export type Matcher = (
  lines: ReadonlyArray<string>,
  most: number,
  timeoutMillis: number,
) => ReadonlyArray<number> | undefined

const script = prepare(`{
  const pattern = new RegExp(source, flags)
  const found = []
  for (let index = 0; index < lines.length && found.length < most; index++) {
    if (pattern.test(lines[index])) found.push(index)
  }
  found.join()
}`)

/** Prepare a pattern without the flags `g` and `y` for many texts. */
export const matcher = (pattern: RegExp): Matcher => {
  const run = script({ source: pattern.source, flags: pattern.flags })
  return (lines, most, timeoutMillis) => {
    const found = run({ lines, most }, timeoutMillis)
    return found === "" ? [] : found?.split(",").map(Number)
  }
}
