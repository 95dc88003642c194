/**
 * Begin another session from a point of this one: a fork, or with an earlier point a rewind.
 *
 * In:  the id of a stored session, and a seq outside of any step.      Out: the id of a new session that begins like it.
 * Fails with: `ForkRefused`, and what reading the parent or creating the child fails with. The parent is only read.
 * Order: the child is synced when this returns; it is no longer held, and `SessionLog.open` goes on with it.
 * Not here: the proof (`contract/Ancestry`), going on (`loop/`).
 * Source: PROTOCOL "Rules", fork.prefix.
 */
import { Clock, Effect, Result } from "effect"
import * as Ancestry from "../contract/Ancestry.ts"
import { UnsupportedLogVersion } from "../event/EventError.ts"
import { type SessionEvent, version } from "../event/SessionEvent.ts"
import { Ids } from "../message/Ids.ts"
import * as SessionLog from "../session/SessionLog.ts"
import * as SessionState from "../session/SessionState.ts"
import { SessionStore } from "../store/SessionStore.ts"
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
  const store = yield* SessionStore
  const { events, isOfLaterVersion } = yield* SessionLog.read(parentId)
  if (isOfLaterVersion) return yield* tooNew(parentId)
  const seq = yield* Effect.fromResult(placeOf(events, options.at))
  const parent = { id: parentId, seq, digest: Ancestry.digest(events, seq) }
  const id = options.id ?? (yield* Ids).next("session")
  const createdAt = yield* Clock.currentTimeMillis
  const start: SessionEvent = {
    seq: 0,
    at: createdAt,
    type: "session/start",
    data: { version, id, createdAt, parent },
  }
  const shared = events.slice(1, seq + 1)
  const { pending } = shared.reduce(SessionState.next, SessionState.initial)
  const cancelled = options.pending === "keep" ? [] : pending.map(({ messageId }) => messageId)
  const end: ReadonlyArray<SessionEvent> =
    cancelled.length === 0
      ? []
      : [
          {
            seq: seq + 1,
            at: createdAt,
            type: "message/cancelled",
            data: { messageIds: cancelled, reason: `session ${parentId} was forked before they were served` },
          },
        ]
  // The events keep the seqs and the times that they have, so they go past the session, which would give them new ones.
  yield* Effect.scoped(
    Effect.flatMap(store.create(id), (writer) => writer.append([start, ...shared, ...end], "synced")),
  )
  return { id, location: store.locate(id), parent, cancelled } satisfies Forked
})

const tooNew = (id: string) =>
  new UnsupportedLogVersion({
    found: version + 1,
    supported: version,
    message: `session ${id} was written by a later version, which alone can fork it`,
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
