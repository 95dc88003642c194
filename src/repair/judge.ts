/**
 * Hold events to the rules up to the first that breaks one, and remember what it takes to close the log before it.
 *
 * In:  events in their order, and rules.      Out: `Judged`. What is held are the rules' states and the open turn without its chunks.
 * Fails with: what reading the events fails with.
 * Not here: what becomes of it (`Proposal.ts`).
 */
import { Effect, Stream } from "effect"
import * as Course from "../contract/Course.ts"
import type { Rule } from "../contract/Rule.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { LogViolation } from "../invariant/Verifier.ts"
import * as SessionState from "../session/SessionState.ts"

export type Start = Extract<SessionEvent, { readonly type: "session/start" }>

/** A lawful beginning of a log. */
export interface Judged {
  /** How many events it has. */
  readonly kept: number
  /** What ends it; missing where the events ended. */
  readonly fault?: LogViolation
  readonly start?: Start
  readonly state: SessionState.SessionState
  /** The events of the open turn, without chunks, the latest first; undefined when none is open. */
  readonly openTurn: Trail | undefined
  readonly course: Course.Course<SessionEvent>
}

/** Shares what came before with every other that goes on from there, so that an event more costs nothing else. */
interface Trail {
  readonly event: SessionEvent
  readonly before: Trail | undefined
}

/** In the order in which they were logged: what closing the turn looks at. */
export const eventsOf = ({ openTurn }: Judged): ReadonlyArray<SessionEvent> => {
  const events: Array<SessionEvent> = []
  for (let trail = openTurn; trail !== undefined; trail = trail.before) events.push(trail.event)
  return events.reverse()
}

export const judge = Effect.fnUntraced(function* <E, R>(
  events: Stream.Stream<ReadonlyArray<SessionEvent>, E, R>,
  rules: ReadonlyArray<Rule>,
) {
  let judged = beginning(rules)
  yield* Stream.runForEachWhile(events, (some) =>
    Effect.sync(() => {
      for (const event of some) if (judged.fault === undefined) judged = next(judged, event)
      return judged.fault === undefined
    }),
  )
  return judged
})

export const beginning = (rules: ReadonlyArray<Rule>): Judged => ({
  kept: 0,
  state: SessionState.initial,
  openTurn: undefined,
  course: Course.ofLog(rules),
})

/** One event more; with a fault where it breaks a rule. */
export const next = (judged: Judged, event: SessionEvent): Judged => {
  const broken: Array<LogViolation> = []
  const course = advance(judged.course, event, broken)
  const [fault] = broken
  if (fault !== undefined) return { ...judged, fault }
  const start = event.type === "session/start" ? event : judged.start
  return {
    kept: judged.kept + 1,
    ...(start !== undefined && { start }),
    state: SessionState.next(judged.state, event),
    openTurn: turnAfter(judged.openTurn, event),
    course,
  }
}

/** One event more, and what it breaks. */
export const advance = (
  course: Course.Course<SessionEvent>,
  event: SessionEvent,
  broken: Array<LogViolation>,
): Course.Course<SessionEvent> =>
  course.advance(
    event,
    ({ id: rule, hint }, message) => void broken.push({ rule, seq: event.seq, message, hint }),
  )

const turnAfter = (turn: Trail | undefined, event: SessionEvent): Trail | undefined => {
  switch (event.type) {
    case "assistant/chunk":
      return turn
    case "turn/start":
      return { event, before: undefined }
    case "turn/end":
      return undefined
    default:
      return turn && { event, before: turn }
  }
}
