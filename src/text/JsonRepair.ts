/**
 * Mend text that is almost JSON: single quotes, a comma too many, a code fence around it, an end that is missing.
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
  return (text) => {
    if (text.length > maxLength) return undefined
    try {
      return jsonrepair(text)
    } catch {
      return undefined
    }
  }
}

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
