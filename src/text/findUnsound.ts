/**
 * Find what is JSON by its grammar, and yet would be read without a part of what it says.
 *
 * In:  a text that `JSON.parse` takes.      Out: the first such place, if there is one.
 * Fails with: nothing; one pass, no recursion.
 * Not here: broken JSON (`scan.ts`), the message (`ArgumentText.ts`).
 * Source: RFC 7493, sections 2.2 and 2.3: no key twice in an object, no number that a double cannot hold.
 */
import { skipSpace } from "./scan.ts"

/** Units: UTF-16 code units from the start of the text. */
export type Unsound =
  | { readonly _tag: "Twice"; readonly position: number; readonly key: string; readonly first: number }
  | { readonly _tag: "TooLarge"; readonly position: number; readonly number: string }

export const findUnsound = (text: string): Unsound | undefined => {
  /** Of each open object the keys so far, and where they stand; of an array none. */
  const open: Array<Map<string, number>> = []
  const hasLarge = /[eE]\+?\d{3}|\d{309}/.test(text)
  let at = 0
  while (at < text.length) {
    const unit = text[at]
    if (unit === "{" || unit === "[") open.push(new Map())
    else if (unit === "}" || unit === "]") open.pop()
    else if (unit === '"') {
      const end = endOfString(text, at)
      const literal = text.slice(at, end)
      // In a text that is JSON, only a key is followed by a colon.
      if (text[skipSpace(text, end)] === ":") {
        const key: string = literal.includes("\\") ? JSON.parse(literal) : literal.slice(1, -1)
        const keys = open.at(-1)
        const first = keys?.get(key)
        if (first !== undefined) return { _tag: "Twice", position: at, key, first }
        keys?.set(key, at)
      }
      at = end
      continue
    } else if (hasLarge && unit !== undefined && /[-\d]/.test(unit)) {
      const number = numberAt(text, at)
      if (!Number.isFinite(Number(number))) return { _tag: "TooLarge", position: at, number }
      at += number.length
      continue
    }
    at++
  }
  return undefined
}

/** By the engine's own search: a quote ends the string when an even number of backslashes stands before it. */
const endOfString = (text: string, start: number): number => {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote
    while (text[before - 1] === "\\") before--
    if ((quote - before) % 2 === 0) return quote + 1
  }
  return text.length
}

const numberAt = (text: string, at: number): string => {
  const number = /[-+.\deE]+/y
  number.lastIndex = at
  return number.exec(text)?.[0] ?? ""
}
