/**
 * Whether something sensitive stands in a JSON Schema, or in a part of one.
 *
 * In:  a document, and parts of it.      Out: yes or no, whatever they hold: parts that hold themselves end too.
 * Fails with: nothing.
 * Not here: where in a value that is (`Sensitive.ts`).
 */
import { isRecord } from "../kind/Words.ts"
import { type Node, refer } from "./followSchema.ts"

/** Whether anything in a document is marked, also what nothing refers to. */
export const isMarked = (document: Node): boolean => holdsMark(document, document)

const known = new WeakMap<Node, boolean>()

/** Whether a secret may stand anywhere below a part. Definitions count where they are referred to. */
export const leadsToSecret = (part: unknown, document: Node): boolean => {
  if (!isRecord(part)) return false
  const found = known.get(part) ?? holdsMark(part, document, "$defs")
  known.set(part, found)
  return found
}

const holdsMark = (start: Node, document: Node, apart?: string): boolean => {
  const parts = new Set<unknown>([start])
  for (const part of parts) {
    if (Array.isArray(part)) for (const item of part) parts.add(item)
    if (!isRecord(part)) continue
    if (part["writeOnly"] === true) return true
    parts.add(refer(part["$ref"], document))
    for (const [keyword, member] of Object.entries(part)) if (keyword !== apart) parts.add(member)
  }
  return false
}
