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
  readonly accept: (
    drafts: ReadonlyArray<EventDraft>,
  ) => Result.Result<ReadonlyArray<SessionEvent>, EventRejected>
  readonly state: () => SessionState.SessionState
  readonly history: () => History.History
  readonly log: () => ReadonlyArray<SessionEvent>
}

const reject = (type: string, { rule, message }: Admission.Refused): Result.Result<never, EventRejected> =>
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
        const event = EventCodec.fromDraft(draft, log.length + events.length, at, registry)
        if (Result.isFailure(event)) return reject(draft.type, event.failure)
        const admitted = Admission.admit(nextAdmission, event.success)
        if (Result.isFailure(admitted)) return reject(draft.type, admitted.failure)
        nextAdmission = admitted.success
        events.push(event.success)
      }
      observer?.onAppend(events)
      let nextState = state
      let nextHistory = history
      for (const event of events) {
        nextState = SessionState.next(nextState, event)
        nextHistory = History.next(nextHistory, event)
      }
      for (const event of events) log.push(event)
      admission = nextAdmission
      state = nextState
      history = nextHistory
      return Result.succeed(events)
    },
    state: () => state,
    history: () => history,
    log: () => [...log],
  }
}
