/**
 * Give calls ids that are unique in the session, whatever the provider numbered them.
 *
 * In:  chunks, before they are logged; the log so far.      Out: the same chunks, with other ids where they must differ.
 * Fails with: nothing.
 * Not here: the rule that needs it (`contract/idRules.ts`).
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Ids } from "../message/Ids.ts"
import type { ModelChunk } from "../message/ModelChunk.ts"

export interface CallIds {
  /** Replace the id of a call that is empty or was seen before; all else passes. */
  readonly rename: (chunk: ModelChunk) => ModelChunk
}

/** Know every call id that `log` holds, in chunks of answers that broke off as well. */
export const make = (ids: Ids, log: ReadonlyArray<SessionEvent>): CallIds => {
  const seen = new Set(log.flatMap(callIdsOf))
  const fresh = (): string => {
    const id = ids.next("call")
    return seen.has(id) ? fresh() : id
  }
  return {
    rename: (chunk) => {
      if (chunk.type !== "block-start" || chunk.kind !== "tool-call") return chunk
      const callId = chunk.callId === "" || seen.has(chunk.callId) ? fresh() : chunk.callId
      seen.add(callId)
      return callId === chunk.callId ? chunk : { ...chunk, callId }
    },
  }
}

const callIdsOf = (event: SessionEvent): ReadonlyArray<string> => {
  switch (event.type) {
    case "assistant/chunk": {
      const { chunk } = event.data
      return chunk.type === "block-start" && chunk.kind === "tool-call" ? [chunk.callId] : []
    }
    case "assistant/message":
      return event.data.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []))
    default:
      return []
  }
}
