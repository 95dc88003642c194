/**
 * Run somebody else's Effect so that a slip in it ends in a defect, and not in the end of the fiber that asked.
 *
 * In:  an Effect of a tool, a guard, an approver, a schema.      Out: the same, or its Exit.
 * Fails with: what it fails with. A step that is no Effect (a `yield` without its star, a callback that returns nothing)
 * ends a fiber at once, past all handlers; here it is the fiber of the foreign Effect alone.
 * Order: an interruption reaches it and waits for its finalisers; what it gave none the less counts.
 * Not here: what a defect means (`tool/encode.ts`, `policy/Guard.ts`).
 */
import { type Context, Effect, Effectable, Exit, Fiber } from "effect"

/**
 * A foreign Effect whose first step is a call. Who contains it makes that call in its own fiber: most calls of tools are
 * over with it, and need no other.
 */
export abstract class Called<A, E, R> extends Effectable.Class<A, E, R> {
  /** Make the call; what it returns is run at once. */
  abstract begin(): Effect.Effect<A, E, R>
}

/** Make it, run it to its Exit, interruptibly, and go on with that; to be called in an uninterruptible region. */
export const exitWith = <A, E, R, B, F>(
  services: Context.Context<R>,
  make: () => Effect.Effect<A, E, R>,
  go: (exit: Exit.Exit<A, E>) => Effect.Effect<B, F>,
): Effect.Effect<B, F> => end(Effect.interruptible, services, make, go)

/** Tell whether it is its own Exit. What is over already cannot slip, and takes no step. */
export const isOver = <A, E, R>(
  foreign: Effect.Effect<A, E, R>,
): foreign is Effect.Effect<A, E, R> & Exit.Exit<A, E> => Exit.isExit(foreign)

/** Ask for it: what throws where it should fail, such as a schema of its author, is a defect. */
export const from = <A, E, R>(make: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  try {
    return make()
  } catch (defect) {
    return Effect.die(defect)
  }
}

/** Ask for it and make its first step, if that is a call; to be called where it is to run now. */
export const begin = <A, E, R>(make: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  from(() => {
    const made = make()
    return made instanceof Called ? made.begin() : made
  })

/** Run it as the caller would, interruptible where the caller is. */
export const run = <A, E, R>(foreign: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  isOver(foreign)
    ? foreign
    : Effect.uninterruptibleMask((restore) =>
        Effect.contextWith((services: Context.Context<R>) =>
          end(
            restore,
            services,
            () => foreign,
            (exit) => exit,
          ),
        ),
      )

const end = <A, E, R, B, F>(
  restore: <C, G, S>(effect: Effect.Effect<C, G, S>) => Effect.Effect<C, G, S>,
  services: Context.Context<R>,
  make: () => Effect.Effect<A, E, R>,
  go: (exit: Exit.Exit<A, E>) => Effect.Effect<B, F>,
): Effect.Effect<B, F> => {
  let fiber: Fiber.Fiber<A, E> | undefined
  let over: Exit.Exit<A, E> | undefined
  // One step, so that no interruption comes between the call and the fiber of what it returned.
  const start = Effect.suspend((): Effect.Effect<Exit.Exit<A, E>> => {
    const begun = begin(make)
    if (isOver(begun)) {
      over = begun
      return Effect.succeed(begun)
    }
    fiber = Effect.runForkWith(services)(begun)
    const ended = fiber.pollUnsafe()
    return ended === undefined ? Fiber.await(fiber) : Effect.succeed(ended)
  })
  return Effect.matchCauseEffect(restore(start), {
    onSuccess: go,
    onFailure: (cause) => {
      if (over !== undefined) return go(over)
      // Interrupted before it began, or so broken that its fiber could not even be made.
      if (fiber === undefined) return go(Exit.failCause(cause))
      return Effect.flatMap(Effect.andThen(Fiber.interrupt(fiber), Fiber.await(fiber)), go)
    },
  })
}
