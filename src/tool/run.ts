/**
 * Stage three: wait for a slot, start the body, and know how it ended.
 *
 * In:  the body as an Effect, and the caller's hooks.      Out: `Ended`: never started, or ran to an Exit.
 * Fails with: nothing. What a hook dies of, the caller dies of.
 * Not here: time limits and retries (`Tool.ts`: they are part of the body), what an Exit means (`encode.ts`).
 */
import { Cause, Effect, Exit } from "effect"

/** What the caller may put between the checks and the body. */
export interface CallHooks {
  /** Wrap the wait for a slot and the body; an interruption inside it before `onStart` never started the call. */
  readonly slot?: <A, E, R>(run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Run after decode, authorize and the slot, before the body, uninterruptibly. When it dies the body does not
   * start and the defect is not turned into an outcome.
   */
  readonly onStart?: (info: { readonly key?: string }) => Effect.Effect<void>
  /** Hear what the body says while it runs. */
  readonly onProgress?: (text: string) => Effect.Effect<void>
}

export interface Ran<out A, out E> {
  readonly _tag: "ran"
  readonly exit: Exit.Exit<A, E>
  /** Whether the caller was interrupted; a body may also interrupt itself. */
  readonly aborted: boolean
  /** Units: milliseconds from the start of the body. */
  readonly durationMillis: number
}

export type Ended<A, E> = { readonly _tag: "never-started" } | Ran<A, E>

const neverStarted: Ended<never, never> = { _tag: "never-started" }

/** Only the wait for a slot and the body can be interrupted; once the body has an Exit, that Exit counts. */
export const run = <A, E, R>(
  body: Effect.Effect<A, E, R>,
  hooks: CallHooks,
  start: { readonly key?: string },
): Effect.Effect<Ended<A, E>, never, R> =>
  Effect.suspend(() => {
    let ran: Ran<A, E> | undefined
    const started = Effect.map(toExit(body), (end) => {
      ran = end
    })
    const announced = hooks.onStart === undefined ? started : Effect.andThen(hooks.onStart(start), started)
    const guarded = Effect.uninterruptible(announced)
    const slotted = hooks.slot === undefined ? guarded : hooks.slot(guarded)
    return Effect.uninterruptible(
      Effect.flatMap(Effect.exit(Effect.interruptible(slotted)), (outer): Effect.Effect<Ended<A, E>> => {
        if (Exit.isFailure(outer) && !Cause.hasInterruptsOnly(outer.cause))
          return Effect.failCause(outer.cause)
        return Effect.succeed(ran ?? neverStarted)
      }),
    )
  })

const toExit = <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<Ran<A, E>, never, R> =>
  Effect.clockWith((clock) => {
    const startedAt = clock.currentTimeMillisUnsafe()
    return Effect.flatMap(Effect.exit(Effect.interruptible(body)), (exit) => {
      const durationMillis = Math.max(0, Math.round(clock.currentTimeMillisUnsafe() - startedAt))
      return Effect.map(isAborted(exit), (aborted) => ({
        _tag: "ran" as const,
        exit,
        aborted,
        durationMillis,
      }))
    })
  })

/** An interruption that is still pending stops the next interruptible step; one that the body made itself is over. */
const isAborted = (exit: Exit.Exit<unknown, unknown>): Effect.Effect<boolean> =>
  Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause)
    ? Effect.map(Effect.exit(Effect.interruptible(Effect.void)), Exit.isFailure)
    : Effect.succeed(false)
