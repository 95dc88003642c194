/**
 * Find secrets in texts that come in pieces, also where a secret is cut.
 *
 * In:  the pieces of blocks, in order.      Out: a piece to show for each.
 * Fails with: nothing.
 * Not here: which texts are secrets (`Redactor.ts`).
 *
 * The end of a piece that may be the beginning of a secret waits for the next piece, or for the end of its block.
 */
import type { BlockChunk } from "../message/ModelChunk.ts"
import { cleanText, formsOf, type Secrets } from "./scrub.ts"

export type Delta = Extract<BlockChunk, { readonly text: string }>

export interface Pieces {
  readonly next: (delta: Delta, secrets: Secrets) => Delta
  /** What still waits when a block ends. */
  readonly rest: (block: string) => Delta | undefined
  /** Forget all that waits. */
  readonly clear: () => void
}

export const make = (): Pieces => {
  const waiting = new Map<string, Delta>()
  return {
    next: (delta, secrets) => {
      const text = cleanText((waiting.get(delta.block)?.text ?? "") + delta.text, secrets)
      const end = text.length - beginningOf(text, secrets)
      waiting.set(delta.block, { ...delta, text: text.slice(end) })
      return { ...delta, text: text.slice(0, end) }
    },
    rest: (block) => {
      const delta = waiting.get(block)
      waiting.delete(block)
      if (delta === undefined || delta.text === "") return undefined
      return delta.text.length > maxRest ? { ...delta, text: "…" } : delta
    },
    clear: () => waiting.clear(),
  }
}

/** Units: UTF-16 code units. More than this of a secret is not shown, though the secret is not whole. */
const maxRest = 3

/** How much of the end of a text is the beginning of some secret. */
const beginningOf = (text: string, secrets: Secrets): number => {
  let longest = 0
  for (const secret of secrets.keys()) {
    for (const form of formsOf(secret)) {
      const start = form.charAt(0)
      let at = text.indexOf(start, Math.max(0, text.length - form.length + 1))
      while (at !== -1 && !form.startsWith(text.slice(at))) at = text.indexOf(start, at + 1)
      if (at !== -1) longest = Math.max(longest, text.length - at)
    }
  }
  return longest
}
