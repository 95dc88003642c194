/**
 * A list of violations as the text that a model corrects itself by.
 *
 * In:  violations, in order.      Out: one line each, hints included, capped in size.
 * Fails with: nothing.
 * Not here: the sentence around the list (which tool, that nothing ran), which belongs to the error that carries it.
 */
import type { Violation } from "../error/Violation.ts"
import { isHidden } from "../kind/Words.ts"
import { valueAt } from "./applyFix.ts"

/** Units: UTF-16 code units of the whole text, the closing line apart. */
export const maxTextLength = 4_000

/** How many a result and its log keep: a model may send any number of wrong parts. */
export const maxViolations = 100

/** Write one line a violation; when they do not all fit, the last line counts the rest. */
export const toText = (violations: ReadonlyArray<Violation>): string => {
  const lines: Array<string> = []
  let length = 0
  for (const violation of violations) {
    const line = `- ${toLine(violation)}`
    length += line.length + 1
    if (length > maxTextLength && lines.length > 0) {
      lines.push(`- and at least ${violations.length - lines.length} more`)
      break
    }
    lines.push(line)
  }
  return lines.join("\n")
}

/**
 * Put the digest of what is hidden in place of the word for it, so that equal secrets are seen to be equal.
 * The value is the one that was checked.
 */
export const seal = (
  violations: ReadonlyArray<Violation>,
  value: unknown,
  digest: (secret: unknown) => string,
): ReadonlyArray<Violation> =>
  violations.map((violation) => {
    const { got, message, path } = violation
    const secret = isHidden(violation) ? valueAt(value, path) : undefined
    if (secret === undefined) return violation
    const sealed = got.replace("hidden", () => digest(secret))
    const at = message.lastIndexOf(got)
    const words = `${message.slice(0, at)}${sealed}${message.slice(at + got.length)}`
    return { ...violation, got: sealed, message: words }
  })

/** Write one violation, with its hint. */
export const toLine = ({ message, hint }: Violation): string =>
  hint === undefined ? message : `${message}: ${hint}`
