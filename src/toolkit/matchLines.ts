/**
 * Find the lines of a text that match, within a time limit that even a runaway regular expression keeps.
 *
 * In:  a pattern, then lines and limits.      Out: the indices of matching lines, or `undefined` when time was up.
 * Fails with: nothing.
 * Not here: which files are searched (`SearchText.ts`).
 *
 * A regular expression of JavaScript can backtrack for ages, and nothing inside the language stops it. `node:vm` does:
 * its limit ends a script from another thread. The process waits meanwhile, so limits are short.
 */
import { createContext, Script } from "node:vm"
import { Predicate } from "effect"

/** Units of `timeoutMillis`: milliseconds. `most` is how many indices are given. */
export type Matcher = (
  lines: ReadonlyArray<string>,
  most: number,
  timeoutMillis: number,
) => ReadonlyArray<number> | undefined

const script = new Script(`{
  const pattern = new RegExp(source, flags)
  const found = []
  for (let index = 0; index < lines.length && found.length < most; index++) {
    if (pattern.test(lines[index])) found.push(index)
  }
  found.join()
}`)

/** Prepare a pattern without the flags `g` and `y` for many texts. */
export const matcher = (pattern: RegExp): Matcher => {
  const globals: Record<string, unknown> = { source: pattern.source, flags: pattern.flags }
  const context = createContext(globals)
  return (lines, most, timeoutMillis) => {
    Object.assign(globals, { lines, most })
    try {
      const found = String(script.runInContext(context, { timeout: timeoutMillis }))
      return found === "" ? [] : found.split(",").map(Number)
    } catch (error) {
      if (Predicate.hasProperty(error, "code") && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
        return undefined
      throw error
    }
  }
}
