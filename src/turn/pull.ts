/**
 * Pull a stream to its end or to where enough was heard, at the price of one step of a fiber for each batch.
 *
 * In:  a stream, and what is done with each batch.      Out: what the last batch, or the end, comes to.
 * Fails with: what the stream fails with, and what a batch comes to.
 * Order: one fiber pulls, in its own context; the stream's scope closes before this returns.
 * Not here: what a batch says (`listen.ts`).
 */
import { type Cause, Channel, Effect, Pull, type Stream } from "effect"

type Batch<Piece> = readonly [Piece, ...Array<Piece>]

/** `take` gives nothing to go on, or what to end with; `onEnd` is asked when the stream ends first. */
export const pull = <Piece, E, A, E2, A3, E3>(
  open: () => Stream.Stream<Piece, E>,
  take: (batch: Batch<Piece>) => Effect.Effect<A, E2> | undefined,
  onEnd: () => Effect.Effect<A3, E3>,
): Effect.Effect<A | A3, Pull.ExcludeDone<E | E2> | E3> =>
  Effect.scopedWith((scope) =>
    // Not `Stream.toPull`, which takes a lock and copies all services for every pull.
    Effect.flatMap(Channel.toPullScoped(open().channel, scope), (next) => {
      const goOn: Effect.Effect<A, E | E2 | Cause.Done> = Effect.flatMap(next, (batch) => take(batch) ?? goOn)
      return Pull.catchDone(goOn, onEnd)
    }),
  )
