/**
 * Take up a turn that a dead process left open: know where it stands between two steps.
 *
 * In:  an open turn of the log, without an open step.      Out: its tally, and what is next.
 * Fails with: nothing.
 * Not here: the step that was open (`call/OpenCalls`), whether a turn is taken up at all (`loop/Agent`).
 * Source: PROTOCOL "Crashes".
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Session } from "../session/Session.ts"
import type { SessionState } from "../session/SessionState.ts"
import { decide, type Move, type Policy } from "./decide.ts"
import { stepsOf } from "./Recall.ts"
import * as Tally from "./tally.ts"
import type { Voices } from "./Voice.ts"

/** Where a turn without an open step stands, as the process would know that made its steps, and what it would do next. */
export const takeUp = (parts: {
  readonly session: Session
  readonly voices: Voices
  readonly policy: Policy
}): { readonly tally: Tally.Tally; readonly move: Move } => {
  const { session, voices, policy } = parts
  const state = session.state()
  const log = session.log()
  const steps = stepsOf(log, state.turn)
  const voice = voices.findIndex(({ logged }) => logged.seq === state.configSeq)
  const tally: Tally.Tally = {
    ...steps.reduce<Tally.Tally>((before, step) => Tally.add(before, step), Tally.empty),
    voice: steps.length === 0 || voice < 0 ? 0 : voice,
    reminders: remindersOf(log, state.turn),
  }
  const last = steps.at(-1)
  const isNext = last === undefined || last.kind === "stopped" || isReminded(state, log) || isShorter(log)
  return { tally, move: isNext ? { kind: "step" } : decide(policy, tally, last) }
}

/** The harness itself speaks to the model in reminders only. */
const isReminder = (event: SessionEvent | undefined): boolean =>
  event?.type === "context/message" && event.data.source === harness

export const harness = "effect-harness"

const remindersOf = (log: ReadonlyArray<SessionEvent>, turn: number): number => {
  const start = log.findLastIndex((event) => event.type === "turn/start" && event.data.turn === turn)
  return log.slice(start).filter(isReminder).length
}

/** The history was made shorter for the next step, which was not made any more. */
const isShorter = (log: ReadonlyArray<SessionEvent>): boolean =>
  log.findLast(({ type }) => type === "history/compacted" || type === "step/end")?.type ===
  "history/compacted"

/** A reminder waits for the next step, which was not made any more. */
const isReminded = ({ pending }: SessionState, log: ReadonlyArray<SessionEvent>): boolean =>
  pending.some(({ seq }) => isReminder(log[seq]))
