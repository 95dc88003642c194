/**
 * Decide how an answer ended, from the provider's word and from what came.
 *
 * In:  the finish reason; how many whole calls came, ours and the provider's own.
 * Out: our `Finish`, or what is wrong with such an end: `protocol` when it is none, `stopped` when the provider gave up.
 * Not here: usage (`toUsage.ts`).
 */
import type { Finish } from "../message/ModelChunk.ts"

export interface FinishReason {
  readonly unified: "stop" | "length" | "content-filter" | "tool-calls" | "error" | "interrupted" | "other"
  readonly raw: string | undefined
}

export interface BadEnd {
  readonly fault: "protocol" | "stopped"
  readonly message: string
}

export const toFinish = (
  { unified, raw }: FinishReason,
  calls: number,
  elsewhere: number,
): Finish | BadEnd => {
  switch (unified) {
    case "interrupted":
      return broken("the stream ended without a finish")
    case "error":
      return {
        fault: "stopped",
        message: `the provider stopped with an error${raw === undefined ? "" : ` (${raw})`}`,
      }
    case "length":
      return { kind: "max-tokens" }
    case "content-filter":
      return { kind: "refused" }
    case "other":
      // Some providers fill in this word when the wire had none.
      if (raw === undefined) return broken("the stream ended without a finish")
      return calls > 0
        ? broken(`calls came with the unknown finish reason ${raw}`)
        : { kind: "stop", code: raw }
    case "tool-calls":
      return calls + elsewhere > 0
        ? { kind: calls > 0 ? "tool-calls" : "stop" }
        : broken("the provider says that it calls tools, but no whole call came")
    case "stop":
      // Some servers end an answer with calls by this word; the calls count.
      return { kind: calls > 0 ? "tool-calls" : "stop" }
  }
}

const broken = (message: string): BadEnd => ({ fault: "protocol", message })
