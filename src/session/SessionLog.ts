/**
 * Open a session: the one place that numbers events, admits them, and remembers what they add up to.
 *
 * In:  an id, and a `SessionStore`.      Out: an open `Session`, until the scope closes.
 * Fails with: `SessionExists`, `SessionIdInvalid`, `SessionBusy`, `SessionNotFound`, `CorruptLog`, `UnsupportedLogVersion`, `StoreUnavailable`.
 * Not here: what an open session does (`Session.ts`), what to append (`loop/`, `recovery/`), where it is kept (`store/`).
 */
import { Clock, Effect, Result, type Scope } from "effect"
import * as Admission from "../contract/Admission.ts"
import * as Ancestry from "../contract/Ancestry.ts"
import {
  type CorruptLog,
  corruptLog,
  type EventRejected,
  type UnsupportedLogVersion,
} from "../event/EventError.ts"
import { type SessionEvent, version } from "../event/SessionEvent.ts"
import { allOrNothing } from "../lease/Hold.ts"
import { Ids } from "../message/Ids.ts"
import type { Message } from "../message/Message.ts"
import { type OpenLog, SessionStore, type WriteError } from "../store/SessionStore.ts"
import {
  type SessionBusy,
  type SessionExists,
  type SessionIdInvalid,
  SessionNotFound,
  type StoreUnavailable,
} from "../store/StoreError.ts"
import * as History from "./History.ts"
import type { Session } from "./Session.ts"
import type { SessionPoisoned } from "./SessionError.ts"
import * as SessionState from "./SessionState.ts"
import { start } from "./start.ts"

export type Create = (options?: {
  readonly id?: string
}) => Effect.Effect<
  Session,
  SessionExists | SessionIdInvalid | SessionBusy | WriteError | EventRejected | SessionPoisoned,
  SessionStore | Scope.Scope
>

export type Open = (
  id: string,
) => Effect.Effect<
  Session,
  SessionNotFound | SessionBusy | CorruptLog | UnsupportedLogVersion | StoreUnavailable,
  SessionStore | Scope.Scope
>

/** A log that is looked at: what its events are, and what those of them add up to that this version knows. */
export interface StoredLog {
  readonly id: string
  /** Of the format, as its session/start names it. */
  readonly version: number
  /** Nothing can be written: this is of a later version than `SessionEvent.version`, and `open` refuses it. */
  readonly isOfLaterVersion: boolean
  /** What a later version wrote and this one cannot interpret has a type of the form `~2:turn/start`. */
  readonly events: ReadonlyArray<SessionEvent>
  readonly state: SessionState.SessionState
  readonly messages: ReadonlyArray<Message>
}

export type Read = (
  id: string,
) => Effect.Effect<StoredLog, SessionNotFound | CorruptLog | StoreUnavailable, SessionStore>

/** Begin a session; the id is drawn from `Ids` unless given. Order: its `session/start` is synced when this returns. */
export const create: Create = (options) => allOrNothing(begin(options?.id))

const begin = Effect.fnUntraced(function* (given: string | undefined) {
  const store = yield* SessionStore
  const id = given ?? (yield* Ids).next("session")
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
 * Go on with a stored session; nothing is appended to it yet. A failed open holds nothing.
 *
 * Errors: CorruptLog, with line and byte, when the log breaks a rule that append would have refused to break.
 */
export const open: Open = (id) => allOrNothing(goOn(id))

const goOn = Effect.fnUntraced(function* (id: string) {
  const store = yield* SessionStore
  const log = yield* store.open(id)
  if (log.events.length === 0) return yield* neverBegun(id)
  const admission = yield* Effect.fromResult(admit(log))
  const location = log.location ?? store.locate(id)
  const { events: existing, writer, aside } = log
  return yield* start({ id, location, existing, admission, writer, ...(aside !== undefined && { aside }) })
})

/**
 * Look at a stored session, also at one that somebody else holds or that a later version wrote.
 *
 * Errors: CorruptLog when a row cannot be read; the order of the events is not judged (`invariant/Verifier`).
 */
export const read: Read = Effect.fnUntraced(function* (id) {
  const store = yield* SessionStore
  const events = yield* store.read(id)
  const [first] = events
  if (first === undefined) return yield* neverBegun(id)
  const found = Number(/^~(\d+):/.exec(first.type)?.[1] ?? version)
  return {
    id,
    version: found,
    isOfLaterVersion: found > version,
    events,
    state: events.reduce(SessionState.next, SessionState.initial),
    messages: History.messages(events.reduce(History.next, History.initial)),
  }
})

const neverBegun = (id: string) =>
  new SessionNotFound({ id, message: `session ${id} was never begun: its log holds no whole line` })

const admit = ({ events, placeOf }: OpenLog): Result.Result<Admission.Admission, CorruptLog> =>
  Result.flatMap(
    Result.mapError(Admission.admitAll(events), ({ rule, message, index }) =>
      corruptLog(rule, `${rule}: ${message}`, placeOf?.(index)),
    ),
    (admission) => {
      const flaw = Ancestry.flawOf(events)
      return flaw === undefined ? Result.succeed(admission) : Result.fail(corruptLog("fork.prefix", flaw))
    },
  )
