/**
 * Find where a text stops being JSON, and what was wanted there.
 *
 * In:  a text, and how deep it may nest.      Out: where its first value ends, or where and how it breaks.
 * Fails with: nothing; one pass, no recursion, whatever the text.
 * Not here: the value (`JSON.parse` makes it), the message (`ArgumentText.ts`).
 * Source: RFC 8259. Engines word their own errors differently, and not all of them give a position.
 */

/** Units: UTF-16 code units from the start of the text. */
export type Scan =
  | { readonly _tag: "Whole"; readonly end: number }
  | { readonly _tag: "Broken"; readonly position: number; readonly want: string }
  | { readonly _tag: "TooDeep"; readonly position: number }

type Broken = Extract<Scan, { readonly _tag: "Broken" }>

const broken = (position: number, want: string): Broken => ({ _tag: "Broken", position, want })

export const scan = (text: string, maxDepth: number): Scan => {
  const closers: Array<"}" | "]"> = []
  let at = skipSpace(text, 0)
  for (;;) {
    const closer = text[at] === "{" ? "}" : text[at] === "[" ? "]" : undefined
    if (closer !== undefined) {
      if (closers.length >= maxDepth) return { _tag: "TooDeep", position: at }
      closers.push(closer)
      at = skipSpace(text, at + 1)
      if (text[at] !== closer) {
        const entry = closer === "}" ? enterMember(text, at, `a key in double quotes or "}"`) : at
        if (typeof entry !== "number") return entry
        at = entry
        continue
      }
    } else {
      const end = scalarEnd(text, at)
      if (typeof end !== "number") return end
      at = end
    }
    const next = leave(text, at, closers)
    if (typeof next !== "number") return next
    at = next
  }
}

/** After a value or an opening: close what ends here, and go to the next value; `Whole` when nothing is open. */
const leave = (text: string, from: number, closers: Array<"}" | "]">): number | Scan => {
  let at = from
  for (;;) {
    const closer = closers.at(-1)
    if (closer === undefined) return { _tag: "Whole", end: at }
    at = skipSpace(text, at)
    if (text[at] === closer) {
      closers.pop()
      at++
    } else if (text[at] === ",") {
      at = skipSpace(text, at + 1)
      return closer === "}" ? enterMember(text, at, "a key in double quotes") : at
    } else return broken(at, `"," or "${closer}"`)
  }
}

/** Read a key and its colon. */
const enterMember = (text: string, at: number, want: string): number | Broken => {
  if (text[at] !== '"') return broken(at, want)
  const end = stringEnd(text, at)
  if (typeof end !== "number") return end
  const colon = skipSpace(text, end)
  return text[colon] === ":" ? skipSpace(text, colon + 1) : broken(colon, '":"')
}

const scalarEnd = (text: string, at: number): number | Broken => {
  if (text[at] === '"') return stringEnd(text, at)
  const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  scalar.lastIndex = at
  return scalar.test(text) ? scalar.lastIndex : broken(at, "a JSON value")
}

const stringEnd = (text: string, start: number): number | Broken => {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quoteMark) return at + 1
    if (unit < 0x20)
      return broken(at, String.raw`no raw control character in a string (write \n for a new line)`)
    if (unit !== backslash) continue
    const escape = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y
    escape.lastIndex = at + 1
    if (!escape.test(text))
      return broken(at, String.raw`an escape that JSON knows (a lone backslash is written \\)`)
    at = escape.lastIndex - 1
  }
  return broken(text.length, `the closing quote of the string that begins at position ${start}`)
}

const quoteMark = 0x22
const backslash = 0x5c

export const skipSpace = (text: string, from: number): number => {
  const space = /[ \t\n\r]*/y
  space.lastIndex = from
  space.test(text)
  return space.lastIndex
}
