/**
 * The half of a session that is in memory: numbering, admission, and what the events add up to.
 *
 * In:  drafts.      Out: accepted events, the state, the history, the log.
 * Fails with: `EventRejected`. Whatever fails or throws, everything is as it was before.
 * Not here: writing (`commit.ts`), telling (`publish.ts`).
 */
import { type Clock, Result } from "effect"
import * as Admission from "../contract/Admission.ts"
import * as EventCodec from "../event/EventCodec.ts"
import { EventRejected } from "../event/EventError.ts"
import type { Registry } from "../event/EventType.ts"
import type { EventDraft, SessionEvent } from "../event/SessionEvent.ts"
import * as History from "./History.ts"
import type { SessionObserver } from "./Observer.ts"
import * as SessionState from "./SessionState.ts"

export interface Ledger {
  /** All or none. */
  readonly accept: (
    drafts: ReadonlyArray<EventDraft>,
  ) => Result.Result<ReadonlyArray<SessionEvent>, EventRejected>
  /** The same for one, without a list: the way of chunks. */
  readonly acceptOne: (draft: EventDraft) => Result.Result<SessionEvent, EventRejected>
  readonly state: () => SessionState.SessionState
  readonly history: () => History.History
  readonly log: () => ReadonlyArray<SessionEvent>
  /** The events from a seq on. */
  readonly since: (seq: number) => ReadonlyArray<SessionEvent>
}

const reject = (
  type: string,
  { rule, message }: Admission.Refused | EventCodec.Refusal,
): Result.Result<never, EventRejected> =>
  Result.fail(new EventRejected({ rule, type, message: `${rule}: ${message}` }))

/** Begin with a log that has been admitted as `admission` says. */
export const makeLedger = (options: {
  readonly existing: ReadonlyArray<SessionEvent>
  readonly admission: Admission.Admission
  readonly clock: Clock.Clock
  readonly registry: Registry
  readonly observer: SessionObserver | undefined
}): Ledger => {
  const { clock, registry, observer } = options
  const log = [...options.existing]
  let admission = options.admission
  let state = log.reduce(SessionState.next, SessionState.initial)
  let history = log.reduce(History.next, History.initial)

  return {
    accept: (drafts) => {
      const at = clock.currentTimeMillisUnsafe()
      const events: Array<SessionEvent> = []
      let nextAdmission = admission
      for (const draft of drafts) {
        const seq = log.length + events.length
        const event = EventCodec.make(draft, seq, at, registry)
        if (event instanceof EventCodec.Refusal) return reject(draft.type, event)
        const admitted = Admission.admit(nextAdmission, event, seq)
        if (admitted instanceof Admission.Refused) return reject(draft.type, admitted)
        nextAdmission = admitted
        events.push(event)
      }
      observer?.onAppend(events)
      let nextState = state
      let nextHistory = history
      for (const event of events) {
        if (SessionState.isMoved(event)) nextState = SessionState.next(nextState, event)
        nextHistory = History.next(nextHistory, event)
      }
      for (const event of events) log.push(event)
      admission = nextAdmission
      state = nextState
      history = nextHistory
      return Result.succeed(events)
    },
    acceptOne: (draft) => {
      const event = EventCodec.make(draft, log.length, clock.currentTimeMillisUnsafe(), registry)
      if (event instanceof EventCodec.Refusal) return reject(draft.type, event)
      const admitted = Admission.admit(admission, event, log.length)
      if (admitted instanceof Admission.Refused) return reject(draft.type, admitted)
      observer?.onAppend([event])
      const nextState = SessionState.isMoved(event) ? SessionState.next(state, event) : state
      history = History.next(history, event)
      state = nextState
      admission = admitted
      log.push(event)
      return Result.succeed(event)
    },
    state: () => {
      state = SessionState.numbered(state, log.length)
      return state
    },
    history: () => history,
    log: () => [...log],
    since: (seq) => log.slice(seq),
  }
}
