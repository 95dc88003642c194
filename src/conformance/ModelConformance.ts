/**
 * What every adapter of the model port owes the loop, as cases that any test runner can run.
 *
 * In:  an adapter in situations: what its far side says and does.      Out: named effects; one that succeeds is kept.
 * Fails with: nothing: what is not kept is a defect, an `Error` that says what, with `expected` and `actual`.
 * Order: each case makes its subject anew, in a scope of its own; cases may run at once. Time is the real one, also where
 * a test clock stands still.
 * Not here: what a provider's wire looks like, which is the business of the adapter's own tests.
 * Source: the port (`model/Model.ts`), PROTOCOL "Chunks".
 */
import { Clock, Duration, Effect } from "effect"
import { answerCases } from "./answerCases.ts"
import { endCases } from "./endCases.ts"
import type { Situations } from "./situations.ts"

export type { Failing, Silent, Situations } from "./situations.ts"

export interface Options<E> extends Situations<E> {
  /** How long an abort may take to be felt. 1 second unless given. */
  readonly abortWithin?: Duration.Input
}

export interface Case {
  /** What is owed, as a sentence whose subject is the adapter. */
  readonly name: string
  readonly effect: Effect.Effect<void>
}

/** Everything that the adapter owes in these situations. */
export const cases = <E>(options: Options<E>): ReadonlyArray<Case> =>
  [
    ...answerCases(options),
    ...endCases({ ...options, bound: Duration.fromInputUnsafe(options.abortWithin ?? "1 second") }),
  ].map(({ name, check }) => ({ name, effect: check.pipe(Effect.scoped, inRealTime, Effect.orDie) }))

const inRealTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Clock.Clock, Clock.Clock.defaultValue())
