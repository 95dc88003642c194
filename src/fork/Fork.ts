/**
 * Begin another session from a point of this one: a fork, or with an earlier point a rewind.
 *
 * In:  the id of a stored session, and a seq outside of any step.      Out: the id of a new session that begins like it.
 * Fails with: `ForkRefused`; `CorruptLog` for a parent that could not be opened; what reading the parent or creating the
 * child fails with. The parent is only read.
 * Order: the child is synced when this returns; it is no longer held, and `SessionLog.open` goes on with it. One that
 * broke off before that cannot be opened, and the same fork with the same id finishes it.
 * Not here: the proof (`contract/Ancestry`), going on (`loop/`).
 * Source: PROTOCOL "Rules", fork.prefix.
 */
import { Clock, Effect, Result } from "effect"
import * as Admission from "../contract/Admission.ts"
import * as Ancestry from "../contract/Ancestry.ts"
import { corruptLog, UnsupportedLogVersion } from "../event/EventError.ts"
import { type SessionEvent, version } from "../event/SessionEvent.ts"
import { Ids } from "../message/Ids.ts"
import * as SessionLog from "../session/SessionLog.ts"
import * as SessionState from "../session/SessionState.ts"
import { SessionStore } from "../store/SessionStore.ts"
import { SessionExists } from "../store/StoreError.ts"
import { ForkRefused } from "./ForkError.ts"

export interface Options {
  /** The last event that the fork shares with its parent; the latest place that can be forked unless given. */
  readonly at?: number
  /** The id of the fork; drawn from `Ids` unless given. */
  readonly id?: string
  /**
   * What becomes of messages that nothing had claimed at that place: cancelled unless given, because the parent will
   * serve them too.
   */
  readonly pending?: "cancel" | "keep"
}

export interface Forked {
  readonly id: string
  /** Where a person finds the log. */
  readonly location: string
  readonly parent: { readonly id: string; readonly seq: number; readonly digest: string }
  readonly cancelled: ReadonlyArray<string>
}

/** Fork a stored session; also one that somebody holds and writes to. */
export const fork = Effect.fnUntraced(function* (parentId: string, options: Options = {}) {
  const { events, isOfLaterVersion, version: found } = yield* SessionLog.read(parentId)
  if (isOfLaterVersion) return yield* tooNew(parentId, found)
  const id = options.id ?? (yield* Ids).next("session")
  const begun = options.id === undefined ? undefined : yield* begunBefore(id, parentId, options.at)
  const seq = yield* Effect.fromResult(placeOf(events, options.at ?? begun?.data.parent?.seq))
  const parent = { id: parentId, seq, digest: Ancestry.digest(events, seq) }
  const createdAt = yield* Clock.currentTimeMillis
  const start: Start = begun ?? {
    seq: 0,
    at: createdAt,
    type: "session/start",
    data: { version, id, createdAt, parent },
  }
  const shared = events.slice(1, seq + 1)
  const { pending } = shared.reduce(SessionState.next, SessionState.initial)
  const cancelled = options.pending === "keep" ? [] : pending.map(({ messageId }) => messageId)
  const log = [start, ...shared, ...cancel(cancelled, parent, createdAt)]
  yield* Effect.fromResult(judge(events, log))
  if (begun === undefined) yield* Effect.scoped(create(id, log))
  else yield* Effect.scoped(finish(id, log))
  const store = yield* SessionStore
  return { id, location: store.locate(id), parent, cancelled } satisfies Forked
})

type Start = Extract<SessionEvent, { readonly type: "session/start" }>

const cancel = (
  messageIds: ReadonlyArray<string>,
  { id, seq }: Forked["parent"],
  at: number,
): ReadonlyArray<SessionEvent> =>
  messageIds.length === 0
    ? []
    : [
        {
          seq: seq + 1,
          at,
          type: "message/cancelled",
          data: { messageIds, reason: `session ${id} was forked before they were served` },
        },
      ]

/** What `SessionLog.open` would refuse must not be written; looking at the parent has judged its rows, not their order. */
const judge = (parent: ReadonlyArray<SessionEvent>, log: ReadonlyArray<SessionEvent>) => {
  const flaw = Ancestry.flawOf(parent) ?? Ancestry.flawOf(log)
  if (flaw !== undefined) return Result.fail(corruptLog("fork.prefix", flaw))
  return Result.mapError(Admission.admitAll(log), ({ rule, message, index }) =>
    corruptLog(rule, `seq ${index}: ${rule}: ${message}`),
  )
}

/** The events keep the seqs and the times that they have, so they go past the session, which would give them new ones. */
const create = Effect.fnUntraced(function* (id: string, log: ReadonlyArray<SessionEvent>) {
  const writer = yield* (yield* SessionStore).create(id)
  yield* writer.append(log, "synced")
})

/** Write the rest of a fork that broke off; whatever else stands there by now is left alone. */
const finish = Effect.fnUntraced(function* (id: string, log: ReadonlyArray<SessionEvent>) {
  const { events, writer } = yield* (yield* SessionStore).open(id)
  const isBeginning =
    events.length < log.length && Ancestry.firstDifference(log, events, events.length - 1) === undefined
  if (!isBeginning)
    return yield* new SessionExists({ id, message: `session ${id} exists already, and is another fork` })
  yield* writer.append(log.slice(events.length), "synced")
})

/** The first event of a fork of this parent that broke off while it was made; it says where it was to be forked. */
const begunBefore = Effect.fnUntraced(function* (id: string, parentId: string, at: number | undefined) {
  const store = yield* SessionStore
  const events = yield* Effect.catchTag(store.read(id), ["SessionNotFound", "CorruptLog"], () =>
    Effect.succeed<ReadonlyArray<SessionEvent>>([]),
  )
  const [first] = events
  if (first?.type !== "session/start" || first.data.parent?.id !== parentId) return undefined
  const { seq } = first.data.parent
  return events.length <= seq && (at ?? seq) === seq ? first : undefined
})

const tooNew = (id: string, found: number) =>
  new UnsupportedLogVersion({
    found,
    supported: version,
    message: `session ${id} was written by a later version, ${found}, which alone can fork it`,
  })

/** Where a log can be forked: the seqs after which no step is open, ascending. Seq 0 forks nothing but the id. */
export const placesOf = (events: ReadonlyArray<SessionEvent>): ReadonlyArray<number> => {
  const places: Array<number> = []
  let state = SessionState.initial
  for (const event of events) {
    state = SessionState.next(state, event)
    if (state.phase === "none") places.push(event.seq)
  }
  return places
}

const placeOf = (
  events: ReadonlyArray<SessionEvent>,
  at: number | undefined,
): Result.Result<number, ForkRefused> => {
  const places = placesOf(events)
  const place = at === undefined ? places.at(-1) : places.find((seq) => seq === at)
  if (place !== undefined) return Result.succeed(place)
  const before = places.findLast((seq) => seq < (at ?? 0))
  const after = places.find((seq) => seq > (at ?? 0))
  const where = [before, after].filter((seq) => seq !== undefined).join(" or ")
  const last = events.at(-1)?.seq ?? 0
  const why =
    at !== undefined && (at > last || at < 0)
      ? `the log goes from seq 0 to ${last}`
      : `seq ${at} lies inside a step, which cannot be cut`
  const message = `${why}; fork at ${where}`
  return Result.fail(
    new ForkRefused({
      message,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    }),
  )
}
