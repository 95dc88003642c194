/**
 * What every `SessionStore` owes a session, as cases that any test runner can run.
 *
 * In:  a store, as a layer.      Out: named effects; one that succeeds is kept.
 * Fails with: nothing: what is not kept is a defect, an `Error` that says what, with `expected` and `actual`.
 * Order: a case uses ids of its own, so a store may hold other logs, and cases may run at once.
 * Not here: what is told of a broken log, which is the business of each store's own format.
 * Source: the port (`store/SessionStore.ts`), PROTOCOL "Durability" and "Crashes".
 */
import { Clock, Effect, type Layer, type Scope } from "effect"
import { SessionStore } from "../store/SessionStore.ts"
import { crashCases } from "./crashCases.ts"
import { holdCases } from "./holdCases.ts"
import { keepCases } from "./keepCases.ts"
import { listCases } from "./listCases.ts"
import { historyCases } from "./playHistory.ts"

export interface Options<E> {
  /** Built anew for each case. */
  readonly store: Layer.Layer<SessionStore, E>
  /**
   * Kill the process that has the store now: what was only in its memory is gone. Out comes the store of the next
   * process, which may open the sessions of the dead one. Without it nothing is said about crashes.
   */
  readonly crash?: Effect.Effect<Layer.Layer<SessionStore, unknown>, unknown, SessionStore | Scope.Scope>
  /** Of the generated histories; others give others. 1 unless given. */
  readonly seed?: number
}

export interface Case {
  /** What is owed, as a sentence whose subject is the store. */
  readonly name: string
  readonly effect: Effect.Effect<void>
}

/** Everything that the store owes. */
export const cases = <E>({ store, crash, seed = 1 }: Options<E>): ReadonlyArray<Case> =>
  [
    ...keepCases,
    ...holdCases,
    ...listCases,
    ...historyCases(seed),
    ...(crash === undefined ? [] : crashCases(crash, seed)),
  ].map(({ name, check }) => ({
    name,
    effect: SessionStore.use(check).pipe(
      Effect.scoped,
      Effect.provide(store),
      Effect.orDie,
      // A store may have the times of its medium, which go on whatever a test makes of its own clock.
      Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()),
    ),
  }))
