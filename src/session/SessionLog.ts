/**
 * Open a session: the one place that numbers events, admits them, and remembers what they add up to.
 *
 * In:  an id, and a `SessionStore`.      Out: an open `Session`, until the scope closes.
 * Fails with: `SessionBusy`, `SessionNotFound`, `CorruptLog`, `UnsupportedLogVersion`, `StoreUnavailable`.
 * Not here: what an open session does (`Session.ts`), what to append (`loop/`, `recovery/`), where it is kept (`store/`).
 */
import { Clock, Effect, Result, type Scope } from "effect"
import * as Admission from "../contract/Admission.ts"
import { CorruptLog, type EventRejected, type UnsupportedLogVersion } from "../event/EventError.ts"
import { version } from "../event/SessionEvent.ts"
import { Ids } from "../message/Ids.ts"
import { type OpenLog, SessionStore } from "../store/SessionStore.ts"
import {
  type SeqConflict,
  type SessionBusy,
  SessionNotFound,
  type StoreUnavailable,
} from "../store/StoreError.ts"
import type { Session } from "./Session.ts"
import type { SessionPoisoned } from "./SessionError.ts"
import { start } from "./start.ts"

export type Create = (options?: {
  readonly id?: string
}) => Effect.Effect<
  Session,
  SessionBusy | StoreUnavailable | SeqConflict | EventRejected | SessionPoisoned,
  SessionStore | Scope.Scope
>

export type Open = (
  id: string,
) => Effect.Effect<
  Session,
  SessionNotFound | SessionBusy | CorruptLog | UnsupportedLogVersion | StoreUnavailable,
  SessionStore | Scope.Scope
>

/** Begin a session; the id is drawn from `Ids` unless given. Order: its `session/start` is synced when this returns. */
export const create: Create = Effect.fnUntraced(function* (options) {
  const store = yield* SessionStore
  const id = options?.id ?? (yield* Ids).next("session")
  const writer = yield* store.create(id)
  const session = yield* start({
    id,
    location: store.locate(id),
    existing: [],
    admission: Admission.initial,
    writer,
  })
  const createdAt = yield* Clock.currentTimeMillis
  yield* session.append("synced", () => [{ type: "session/start", data: { version, id, createdAt } }])
  return session
})

/**
 * Go on with a stored session; nothing is appended to it yet.
 *
 * Errors: CorruptLog, with line and byte, when the log breaks a rule that append would have refused to break.
 */
export const open: Open = Effect.fnUntraced(function* (id) {
  const store = yield* SessionStore
  const log = yield* store.open(id)
  if (log.events.length === 0) {
    return yield* new SessionNotFound({ id, message: `session ${id} was never begun: its log is empty` })
  }
  const admission = yield* Effect.fromResult(admitAll(log))
  return yield* start({ id, location: store.locate(id), existing: log.events, admission, writer: log.writer })
})

const admitAll = (log: OpenLog): Result.Result<Admission.Admission, CorruptLog> => {
  let admission = Admission.initial
  for (const [index, event] of log.events.entries()) {
    const admitted = Admission.admit(admission, event)
    if (Result.isFailure(admitted)) {
      const { rule, message } = admitted.failure
      return Result.fail(new CorruptLog({ rule, message: `${rule}: ${message}`, ...log.placeOf?.(index) }))
    }
    admission = admitted.success
  }
  return Result.succeed(admission)
}
