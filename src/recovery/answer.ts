/**
 * Give a call that a dead process left without a result the one that is true of it.
 *
 * In:  the call, the log, and what is known beyond it.      Out: drafts: the result, with the `tool/call` before it that is missing.
 */
import type { EventDraft, Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { CallState } from "../session/SessionState.ts"
import type { Standing } from "../tool/Recovered.ts"
import { ToolInterrupted, ToolNotStarted, ToolOutcomeUnknown } from "../tool/ToolError.ts"

export type Place = Payload<"step/end">

export const answer = (
  place: Place,
  call: CallState,
  log: ReadonlyArray<SessionEvent>,
  standing: Standing | undefined,
): ReadonlyArray<EventDraft> => {
  const { callId, name, arguments: text } = call.block
  switch (call.phase) {
    case "done":
      return []
    case "open":
      return [
        { type: "tool/call", data: { ...place, callId, name, arguments: text, starts: false } },
        notStarted(place, call),
      ]
    case "running":
      return [neverStarts(callId, log) ? notStarted(place, call) : ran(place, call, standing)]
  }
}

/** A call and its result that were written together may be torn apart: then the log says that the call never starts. */
export const neverStarts = (callId: string, log: ReadonlyArray<SessionEvent>): boolean => {
  const call = log.findLast((event) => event.type === "tool/call" && event.data.callId === callId)
  return call?.type === "tool/call" && call.data.starts === false
}

const ran = (place: Place, call: CallState, standing: Standing | undefined): EventDraft => {
  switch (standing?._tag) {
    case "done": {
      const { name: _, ...told } = standing.result
      return { type: "tool/result", data: { ...place, ...told } }
    }
    case "not-done":
      return notDone(place, call)
    case "unknown":
      return outcomeUnknown(place, call, standing.because)
    default:
      return outcomeUnknown(place, call, undefined)
  }
}

const notStarted = (place: Place, { block }: CallState): EventDraft => {
  const message = `The turn broke off before ${block.name} was started: nothing was done. Call it again if it is still needed.`
  return result(place, block.callId, "not-started", new ToolNotStarted({ tool: block.name, message }))
}

const notDone = (place: Place, { block }: CallState): EventDraft => {
  const message = `The turn broke off while ${block.name} was running, and it was found to have had no effect. Call it again if it is still needed.`
  return result(
    place,
    block.callId,
    "interrupted",
    new ToolInterrupted({ tool: block.name, message, code: "ABORTED" }),
  )
}

const outcomeUnknown = (place: Place, { block }: CallState, because: string | undefined): EventDraft => {
  const why = because === undefined ? "" : ` It was not run again: ${because}.`
  const message = `The turn broke off while ${block.name} was running: it may or may not have taken effect.${why} Find out which before you call it again.`
  return result(place, block.callId, "outcome-unknown", new ToolOutcomeUnknown({ tool: block.name, message }))
}

const result = (
  place: Place,
  callId: string,
  outcome: Payload<"tool/result">["outcome"],
  error: ToolInterrupted | ToolNotStarted | ToolOutcomeUnknown,
): EventDraft => ({
  type: "tool/result",
  data: {
    ...place,
    callId,
    outcome,
    isError: true,
    content: [{ type: "text", text: error.message }],
    error: { name: error._tag, code: error.code },
  },
})
