/**
 * Keep the beginning and the end of an output of any length.
 *
 * In:  text, piece by piece.      Out: all of it, or its head and tail with a notice of what was cut between them.
 * Fails with: nothing. Memory is bounded by `maxOutputChars` and the largest piece.
 * Not here: where the text comes from (`RunCommand.ts`).
 *
 * Both ends are kept because commands say at the beginning what they do and at the end how it went.
 */
import { cutAt } from "./ReadFile.ts"

/**
 * What is kept of an output, half of it at each end. With its notice and how the command ended it is less than a result
 * holds (`Output.maxTextLength`), so that nothing is cut twice.
 *
 * Units: UTF-16 code units.
 */
export const maxOutputChars = 48 * 1024

export interface Capture {
  readonly add: (text: string) => void
  /** What is kept; no character is cut in two. */
  readonly text: () => string
}

export const make = (limit: number = maxOutputChars): Capture => {
  const half = Math.floor(limit / 2)
  let head = ""
  let tail = ""
  let length = 0
  return {
    add: (text) => {
      const free = half - head.length
      length += text.length
      head += text.slice(0, free)
      tail = keepEnd(tail + text.slice(free), half)
    },
    text: () => {
      if (length <= head.length + tail.length) return head + tail
      const start = cutAt(head, head.length)
      const end = /^[\uDC00-\uDFFF]/.test(tail) ? tail.slice(1) : tail
      return `${start}\n[${length - start.length - end.length} characters cut]\n${end}`
    },
  }
}

const keepEnd = (text: string, length: number): string => (text.length <= length ? text : text.slice(-length))
