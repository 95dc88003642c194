/**
 * Close the turn that a dead process left open, so that the log is lawful and the next turn can begin.
 *
 * In:  the state and the log of a session.      Out: `repair` and `repairStep`, the events that are missing; `close`, which logs them.
 * Fails with: what an append fails with. A crash during the repair leaves a prefix of it; the next repair writes the rest.
 * Not here: going on with the turn, running calls again and resume records.
 * Source: PROTOCOL "Crashes".
 */
import { type Effect, HashMap, Option } from "effect"
import type { EventDraft, Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { AppendError, Session } from "../session/Session.ts"
import type { CallState, SessionState } from "../session/SessionState.ts"
import { ToolNotStarted, ToolOutcomeUnknown } from "../tool/ToolError.ts"

/** The code of a turn that ended because its process did. */
export const processDied = "PROCESS_DIED"

/**
 * Close the open turn of a session that nobody runs any more; nothing happens when none is open.
 *
 * Order: all of it is accepted at once and synced, in the order of the log, when this returns. Messages that nothing
 * has claimed stay pending.
 */
export const close = (session: Session): Effect.Effect<ReadonlyArray<SessionEvent>, AppendError> =>
  session.append("synced", (state) => repair(state, session.log()))

/**
 * Say what is missing until the open turn is closed: a result for each call, the end of the step, the end of the turn.
 *
 * `state` is the state after the last event of `log`. The law: repairing a log that holds the first k of these drafts
 * gives the others.
 */
export const repair = (state: SessionState, log: ReadonlyArray<SessionEvent>): ReadonlyArray<EventDraft> => {
  if (!state.turnIsOpen) return []
  return [
    ...repairStep(state, log),
    { type: "turn/end", data: { turn: state.turn, reason: reasonOf(state) } },
  ]
}

/** The part of `repair` that closes the open step: what a live turn needs as well when it has to break off. */
export const repairStep = (
  state: SessionState,
  log: ReadonlyArray<SessionEvent>,
): ReadonlyArray<EventDraft> => {
  if (state.phase === "none") return []
  const place = { turn: state.turn, step: state.step }
  const calls = state.callOrder.flatMap((callId) => Option.toArray(HashMap.get(state.calls, callId)))
  return [...calls.flatMap((call) => answer(place, call, log)), { type: "step/end", data: place }]
}

const reasonOf = (state: SessionState): Payload<"turn/end">["reason"] =>
  state.aborting
    ? { kind: "aborted" }
    : { kind: "interrupted", code: processDied, message: "The process stopped while the turn was running." }

interface StepName {
  readonly turn: number
  readonly step: number
}

const answer = (
  place: StepName,
  call: CallState,
  log: ReadonlyArray<SessionEvent>,
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
      return [neverStarts(callId, log) ? notStarted(place, call) : outcomeUnknown(place, call)]
  }
}

/** A call and its result that were written together may be torn apart: then the log says that the call never starts. */
const neverStarts = (callId: string, log: ReadonlyArray<SessionEvent>): boolean => {
  const call = log.findLast((event) => event.type === "tool/call" && event.data.callId === callId)
  return call?.type === "tool/call" && call.data.starts === false
}

const notStarted = (place: StepName, { block }: CallState): EventDraft => {
  const message = `The turn broke off before ${block.name} was started: nothing was done. Call it again if it is still needed.`
  return result(place, block.callId, "not-started", new ToolNotStarted({ tool: block.name, message }))
}

const outcomeUnknown = (place: StepName, { block }: CallState): EventDraft => {
  const message = `The turn broke off while ${block.name} was running: it may or may not have taken effect. Find out which before you call it again.`
  return result(place, block.callId, "outcome-unknown", new ToolOutcomeUnknown({ tool: block.name, message }))
}

const result = (
  place: StepName,
  callId: string,
  outcome: Payload<"tool/result">["outcome"],
  error: ToolNotStarted | ToolOutcomeUnknown,
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
