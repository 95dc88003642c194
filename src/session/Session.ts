/**
 * An open session, as those see it who append to it, read it and listen to it.
 *
 * In:  drafts of events.      Out: numbered events, in the log; the state and the history they derive.
 * Fails with: `EventRejected` (nothing logged, go on), `SessionPoisoned` and store errors (nothing more is accepted).
 * Order of an append: admit → Observer → store → publish.
 * Not here: opening one (`SessionLog.ts`).
 */
import type { Effect, Result, Stream } from "effect"
import type { EventRejected } from "../event/EventError.ts"
import type { EventDraft, SessionEvent } from "../event/SessionEvent.ts"
import type { Message } from "../message/Message.ts"
import type { Durability, WriteError } from "../store/SessionStore.ts"
import type { SessionPoisoned } from "./SessionError.ts"
import type { SessionState, Status } from "./SessionState.ts"

/** What every append may fail with. */
export type AppendError = EventRejected | SessionPoisoned | WriteError

export interface Session {
  readonly id: string
  /** Where a person finds the log. */
  readonly location: string
  /** Name of the file that keeps the torn tail of the log, when it had one as it was opened. */
  readonly aside?: string

  /**
   * Accept the drafts that `decide` makes of the current state, all or none, in one synchronous step: nothing can
   * come between what it saw and what it wrote. Then wait for the durability.
   * Interruption after acceptance only stops the waiting.
   */
  readonly append: (
    durability: Durability,
    decide: (state: SessionState) => ReadonlyArray<EventDraft>,
  ) => Effect.Effect<ReadonlyArray<SessionEvent>, AppendError>

  /** Accept one draft now, as a function: the way of chunks. Kept in memory until the next stronger append. */
  readonly accept: (draft: EventDraft) => Result.Result<SessionEvent, EventRejected | SessionPoisoned>

  /** The state after the last accepted event. */
  readonly state: () => SessionState
  /** A frozen array of frozen messages: the same one until something enters, so a call costs a copy at the most. */
  readonly messages: () => ReadonlyArray<Message>
  /** Every accepted event so far. */
  readonly log: () => ReadonlyArray<SessionEvent>

  /** From now on, in seq order, each as soon as its kind may be told; ends when the session closes. */
  readonly events: Stream.Stream<SessionEvent>
  /** The same for callers without streams. Returns the way to stop listening. A listener must not throw. */
  readonly subscribe: (listener: (event: SessionEvent) => void) => () => void

  /** Derived: running while a turn is open, disposed once closed or poisoned. */
  readonly status: () => Status
  /** Tell the observer which history is about to be sent. */
  readonly observeRequest: (messages: ReadonlyArray<Message>) => void
}
