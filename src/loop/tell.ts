/**
 * Tell whoever listens what is not logged.
 *
 * In:  what there is to say.      Out: a stream of it, from when it is run; the latest of what waits for a slow listener.
 * Fails with: nothing. Once it is ended, the streams end, those that are run later too.
 * Not here: events of the log (`session/`).
 *
 * Nothing is kept, and there is nothing to keep it in, before somebody listens: nobody listens to most agents.
 */
import { Effect, PubSub, Stream } from "effect"

export interface Teller<A> {
  readonly tell: (said: A) => Effect.Effect<unknown>
  readonly told: Stream.Stream<A>
  readonly end: Effect.Effect<void>
}

/** Units: things said that wait for a listener. */
const kept = 256

export const makeTeller = <A>(): Teller<A> => {
  let hub: PubSub.PubSub<A> | undefined
  let isEnded = false
  const open = Effect.gen(function* () {
    const made = hub ?? (yield* PubSub.sliding<A>(kept))
    hub ??= made
    if (isEnded) yield* PubSub.shutdown(hub)
    return Stream.fromPubSub(hub)
  })
  return {
    tell: (said) => (hub === undefined ? Effect.void : PubSub.publish(hub, said)),
    told: Stream.unwrap(open),
    end: Effect.suspend(() => {
      isEnded = true
      return hub === undefined ? Effect.void : PubSub.shutdown(hub)
    }),
  }
}
