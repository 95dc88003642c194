/**
 * The summaries that a log holds, by the requests that a model got for them.
 *
 * In:  a log.      Out: the chunks that answer such a request again; undefined for any other request.
 * Not here: requests of steps (`Recorded.ts`), making summaries (`compaction/Summary`).
 */
import * as Compaction from "../compaction/Compaction.ts"
import * as Summary from "../compaction/Summary.ts"
import type { Payload, SessionEvent } from "../event/SessionEvent.ts"
import { toText } from "../message/Content.ts"
import type { ModelChunk } from "../message/ModelChunk.ts"
import type { ModelRequest } from "../model/Model.ts"

type Compacted = Payload<"history/compacted">

export type AnswerSummary = (request: ModelRequest) => ReadonlyArray<ModelChunk> | undefined

/** A request for a summary is not in the log, but what it covered is: the same words get the same summary. */
export const answerSummary = (log: ReadonlyArray<SessionEvent>): AnswerSummary => {
  const summaries = new Map(
    log.flatMap((event, index) =>
      event.type === "history/compacted"
        ? [
            [
              keyOf(Summary.toRequest(Compaction.covered(log.slice(0, index), event.data))),
              event.data,
            ] as const,
          ]
        : [],
    ),
  )
  return (request) => {
    const found = summaries.get(keyOf(request))
    return found && toChunks(found)
  }
}

const keyOf = ({ system, messages, tools }: ModelRequest): string | undefined =>
  system === Summary.instructions && tools.length === 0
    ? messages.map(({ content }) => toText([...content])).join("\n")
    : undefined

const toChunks = ({ content, usage }: Compacted): ReadonlyArray<ModelChunk> => [
  { type: "block-start", block: "summary", kind: "text" },
  { type: "text-delta", block: "summary", text: toText(content) },
  { type: "block-end", block: "summary" },
  ...(usage === undefined ? [] : [{ type: "usage", usage } as const]),
  { type: "finish", finish: { kind: "stop" } },
]
