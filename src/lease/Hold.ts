/**
 * Acquire several things for a scope, or none of them.
 *
 * In:  an effect that acquires.      Out: the same; when it fails, what it had is released at once.
 * Not here: what is acquired.
 */
import { Effect, Exit, Scope } from "effect"

/** What succeeds is held until the caller's scope closes; what fails or is interrupted lets go of it now. */
export const allOrNothing = <A, E, R>(
  acquire: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, Exclude<R, Scope.Scope> | Scope.Scope> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const inner = yield* Scope.fork(yield* Scope.Scope)
      const exit = yield* Effect.exit(Scope.provide(restore(acquire), inner))
      if (Exit.isFailure(exit)) yield* Scope.close(inner, exit)
      return yield* exit
    }),
  )
