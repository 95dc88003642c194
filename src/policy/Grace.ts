/**
 * How long an async body is waited for once it was told to stop, and what it is told.
 *
 * In:  a promise that runs on, whatever its caller wants.      Out: the reason of its signal; whether it settled in time.
 * Fails with: nothing. What the promise rejects with is no longer anybody's result.
 * Not here: the finalisers of an Effect, which are waited for however long they take; what becomes of a call whose body
 * did not settle (`tool/pipeline.ts`), and of those that conflict with it (`call/order.ts`).
 */
import { Context, Duration, Effect, Layer, Option } from "effect"

const defaultMillis = 1_000

/** How long, in real time. Zero waits for what stops at once, infinity for everybody. */
export const Grace = Context.Reference<Duration.Duration>("effect-harness/policy/Grace", {
  defaultValue: () => Duration.millis(defaultMillis),
})

/** Wait this long for the async bodies of the calls made under it. */
export const layer = (grace: Duration.Input): Layer.Layer<never> =>
  Layer.succeed(Grace, Duration.fromInputUnsafe(grace))

/** Whether a limit of time around a body is over: who then interrupts it is that limit. */
export const Deadline = Context.Reference<() => boolean>("effect-harness/policy/Grace/Deadline", {
  defaultValue: () => () => false,
})

/**
 * Give what is run a limit of time that it can see; nothing when it took longer. A body that a limit stops is waited
 * for before this goes on.
 */
export const within =
  (duration: Duration.Input) =>
  <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E, R> =>
    Effect.flatMap(Deadline, (outer) =>
      Effect.suspend(() => {
        let isOver = false
        const expire = Effect.sync(() => {
          isOver = true
          return Option.none<A>()
        })
        return Effect.raceFirst(
          Effect.asSome(Effect.provideService(run, Deadline, () => isOver || outer())),
          Effect.andThen(Effect.sleep(duration), expire),
        )
      }),
    )

/** Say why who is interrupted now is interrupted. */
export const reason: Effect.Effect<DOMException> = Effect.map(Deadline, (isOver) =>
  isOver()
    ? new DOMException("The call took longer than its limit of time.", "TimeoutError")
    : new DOMException("The call was stopped.", "AbortError"),
)

/**
 * Wait for what was told to stop, also where nothing is interruptible; tell whether it settled.
 *
 * By a timer of the platform: a promise knows no other time, and whoever sets the clock of the Effects forward, as tests
 * do, must not take away the milliseconds that it needs to hear its signal.
 */
export const settles = (running: Promise<unknown>): Effect.Effect<boolean> =>
  Effect.flatMap(Grace, (grace) =>
    Effect.callback((resume) => {
      const giveUp = () => resume(Effect.succeed(false))
      const millis = Duration.toMillis(grace)
      const timer = millis <= longestTimer ? globalThis.setTimeout(giveUp, millis) : undefined
      const settled = () => {
        globalThis.clearTimeout(timer)
        resume(Effect.succeed(true))
      }
      void running.then(settled, settled)
    }),
  )

/** Units: milliseconds. A timer of more would ring at once. */
const longestTimer = 2 ** 31 - 1
