/**
 * Mend text that is almost JSON: single quotes, a comma too many, a code fence around it. A text that breaks off is
 * not mended: what is missing is the model's to say, and half a file is no file.
 *
 * In:  a text.      Out: JSON text, or `undefined` when there is nothing to be made of it.
 * Fails with: a `TypeError` that says what to install, when the first text is to be mended and `jsonrepair` is missing.
 * Not here: whether it may be mended at all, and the trace of it (`spec/Leniency.ts`).
 * Source: docs/adr/0016, why `jsonrepair` is an optional peer; the one place that knows it.
 */
import { createRequire } from "node:module"

/** Units: UTF-16 code units of a text that is mended; the library takes its time for what is no JSON at all. */
const maxLength = 100_000

/** Load the library now, so that it is missed where the policy is asked for. */
export const load = (): ((text: string) => string | undefined) => {
  const { jsonrepair } = require_()
  const attempt = (text: string): string | undefined => {
    try {
      return jsonrepair(text)
    } catch {
      return undefined
    }
  }
  return (text) => (text.length > maxLength || breaksOff(text, attempt) ? undefined : attempt(text))
}

/**
 * Whether the text ends before its value does. The library closes what is open without a word, so it is asked: a member
 * written behind the text is taken into the value when something was still open.
 */
const breaksOff = (text: string, attempt: (text: string) => string | undefined): boolean => {
  if (/[,:[{\\]\s*$/.test(text)) return true
  // On the same line, for a string that is open; on the next one, for a comment.
  return ["", "\n"].some((between) => {
    const mended = attempt(`${text}${between},${JSON.stringify(mark)}:0}`)?.trimStart()
    return mended !== undefined && !/^\[\s*[{[]/.test(mended) && mended.includes(mark)
  })
}

const mark = "\u{F8FF}more"

interface Library {
  readonly jsonrepair: (text: string) => string
}

const require_ = (): Library => {
  try {
    return createRequire(import.meta.url)("jsonrepair")
  } catch (cause) {
    throw new TypeError('the policy "json-repair" needs jsonrepair; run: npm install jsonrepair@3', { cause })
  }
}
