/**
 * Make a script of what a model once answered: the log of a session is the recording.
 *
 * In:  an ordinary log.      Out: a `ScriptedModel.Script`, one step a request: a value, and as JSON a file to edit.
 * Order: as the requests were made. What a request held does not count: the script plays on when a prompt changes. A model
 * that refuses other requests than the recorded ones is `replay/ReplayModel`.
 * Not here: headers, keys and URLs, which no log holds; secrets that were said or sent (`redaction/Redactor`).
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { BlockChunk } from "../message/ModelChunk.ts"
import type { Script, Step } from "../model/ScriptedModel.ts"
import { type Recorded, recordedIn } from "../replay/Recorded.ts"

/**
 * Answers that an abort or a crash cut off are left out. A step has one text and one reasoning: several are joined, and
 * what providers sign is left out.
 *
 * @example docs/examples/32-recording.ts
 */
export const toScript = (log: ReadonlyArray<SessionEvent>): Script => ({ steps: recordedIn(log).map(toStep) })

const toStep = ({ chunks, end, usage }: Recorded): Step => {
  const reasoning = textOf(chunks, "reasoning-delta")
  const text = textOf(chunks, "text-delta")
  const calls = callsOf(chunks)
  return {
    ...(reasoning !== undefined && { reasoning }),
    ...(text !== undefined && { text }),
    ...(calls.length > 0 && { calls }),
    ...(usage !== undefined && { usage }),
    ...toEnd(end),
  }
}

const textOf = (
  chunks: ReadonlyArray<BlockChunk>,
  type: "text-delta" | "reasoning-delta",
): string | undefined => {
  const pieces = chunks.flatMap((chunk) => (chunk.type === type ? [chunk.text] : []))
  return pieces.length === 0 ? undefined : pieces.join("")
}

const callsOf = (chunks: ReadonlyArray<BlockChunk>): NonNullable<Step["calls"]> =>
  chunks.flatMap((start) => {
    if (start.type !== "block-start" || start.kind !== "tool-call") return []
    const pieces = chunks.flatMap((chunk) =>
      chunk.type === "arguments-delta" && chunk.block === start.block ? [chunk.text] : [],
    )
    return [{ id: start.callId, name: start.name, arguments: pieces.join("") }]
  })

const toEnd = (end: Recorded["end"]): Pick<Step, "error" | "finish"> => {
  if ("error" in end) return { error: { code: end.error.code, message: end.error.message } }
  const { kind } = end.finish
  return kind === "max-tokens" || kind === "refused" ? { finish: kind } : {}
}
