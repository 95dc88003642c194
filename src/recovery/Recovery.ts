/**
 * What a dead process left undone in a log: how the open turn is closed, and what it takes to go on with it.
 *
 * In:  the state and the log of a session.      Out: drafts of the events that are missing; `close`, which logs them.
 * Fails with: what an append fails with. A crash during the repair leaves a prefix of it; the next repair writes the rest.
 * Not here: running calls again (`call/Rerun`), the rest of the turn (`turn/`), what no longer fits (`Inspection.ts`).
 * Source: PROTOCOL "Crashes".
 */
import { type Effect, HashMap, Option } from "effect"
import { maxReruns } from "../contract/Reruns.ts"
import type { EventDraft, Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { AppendError, Session } from "../session/Session.ts"
import type { CallState, SessionState } from "../session/SessionState.ts"
import type { Standing } from "../tool/Recovered.ts"
import { answer, type Place } from "./answer.ts"

/** The code of a turn that ended because its process did. */
export const processDied = "PROCESS_DIED"

/** The code of a turn that was gone on with too often. */
export const resumeLimit = "RESUME_LIMIT"

/** A turn that has been gone on with so often is closed at the next crash: something in it kills its process. */
export const maxResumes = 3

/**
 * Close the open turn of a session that nobody runs any more, and note the torn tail of its log, if it had one; nothing
 * happens when there is neither.
 *
 * Order: all of it is accepted at once and synced, in the order of the log, when this returns. Messages that nothing
 * has claimed stay pending.
 */
export const close = (session: Session): Effect.Effect<ReadonlyArray<SessionEvent>, AppendError> =>
  session.append("synced", (state) => {
    const log = session.log()
    const missing = repair(state, log)
    return session.aside === undefined || isNoted(session.aside, log)
      ? missing
      : [resumed(state, session.aside), ...missing]
  })

const isNoted = (aside: string, log: ReadonlyArray<SessionEvent>): boolean =>
  log.some((event) => event.type === "session/resume" && event.data.aside === aside)

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
    { type: "turn/end", data: { turn: state.turn, reason: reasonOf(state, log) } },
  ]
}

/** The part of `repair` that closes the open step: what a live turn needs as well when it has to break off. */
export const repairStep = (
  state: SessionState,
  log: ReadonlyArray<SessionEvent>,
): ReadonlyArray<EventDraft> => settle(state, log, new Map())

/** What is known of the calls of the open step; a call that is `kept` is left open, and with it the step. */
export type Standings = ReadonlyMap<string, Standing | { readonly _tag: "kept" }>

/** Answer every call that has no result and is not to be run, and close the step unless one is. */
export const settle = (
  state: SessionState,
  log: ReadonlyArray<SessionEvent>,
  standings: Standings,
): ReadonlyArray<EventDraft> => {
  if (state.phase === "none") return []
  const place: Place = { turn: state.turn, step: state.step }
  const isKept = ({ block }: CallState) => {
    const tag = standings.get(block.callId)?._tag
    return tag === "kept" || tag === "again"
  }
  const open = openCalls(state)
  const answers = open.flatMap((call) => {
    const standing = standings.get(call.block.callId)
    if (isKept(call) || standing?._tag === "kept") return []
    return answer(place, call, log, standing)
  })
  return open.some(isKept) ? answers : [...answers, { type: "step/end", data: place }]
}

/** The calls of the open step that have no result, in the order of their blocks. */
export const openCalls = (state: SessionState): ReadonlyArray<CallState> =>
  state.callOrder
    .flatMap((callId) => Option.toArray(HashMap.get(state.calls, callId)))
    .filter(({ phase }) => phase !== "done")

/** Whether the open turn can be gone on with: not after an abort, and not for ever. */
export const mayGoOn = (state: SessionState, log: ReadonlyArray<SessionEvent>): boolean =>
  state.turnIsOpen && !state.aborting && countResumes(log) < maxResumes

/**
 * Say what is to be logged before the open turn goes on: that it does, with which calls; what of the others is missing.
 *
 * The law of `repair` holds here too, resume records aside.
 */
export const goOn = (
  state: SessionState,
  log: ReadonlyArray<SessionEvent>,
  { aside, standings = new Map() }: { readonly aside?: string | undefined; readonly standings?: Standings },
): ReadonlyArray<EventDraft> => {
  const reruns = openCalls(state).flatMap(({ block: { callId } }) =>
    standings.get(callId)?._tag === "again" ? [callId] : [],
  )
  return [resumed(state, aside, reruns), ...settle(state, log, standings)]
}

/** Whether the log lets a call be run once more. */
export const mayRerun = (log: ReadonlyArray<SessionEvent>, callId: string): boolean =>
  log.filter((event) => event.type === "session/resume" && event.data.reruns.includes(callId)).length <
  maxReruns

/** The record of a process that goes on where another one stopped. */
export const resumed = (
  state: SessionState,
  aside: string | undefined,
  reruns: ReadonlyArray<string> = [],
): EventDraft => ({
  type: "session/resume",
  data: { epoch: state.epoch + 1, ...(aside !== undefined && { aside }), reruns },
})

/** How often the open turn has been gone on with. */
const countResumes = (log: ReadonlyArray<SessionEvent>): number => {
  const start = log.findLastIndex(({ type }) => type === "turn/start")
  return log.slice(start).filter(({ type }) => type === "session/resume").length
}

const reasonOf = (state: SessionState, log: ReadonlyArray<SessionEvent>): Payload<"turn/end">["reason"] => {
  if (state.aborting) return { kind: "aborted" }
  if (countResumes(log) < maxResumes)
    return {
      kind: "interrupted",
      code: processDied,
      message: "The process stopped while the turn was running.",
    }
  const message = `The process stopped while the turn was running, after the turn had been resumed ${maxResumes} times.`
  return { kind: "interrupted", code: resumeLimit, message }
}
