/**
 * At most so many starts in any stretch of time, in the order in which they asked.
 *
 * In:  a limit and a time.      Out: an Effect that waits for its turn, by the Effect clock.
 * Fails with: a `TypeError` when made with a limit below one. Waiting fails with nothing; an interruption gives the turn back.
 * Not here: how many run at once (`loop/Agent.ts`), limits that several processes share.
 */
import { Duration, Effect, Semaphore } from "effect"

export interface Options {
  readonly limit: number
  readonly per: Duration.Input
}

export interface RateLimit {
  /** Wait until one more may start. */
  readonly wait: Effect.Effect<void>
  /** Start one more if it may start now. */
  readonly take: Effect.Effect<boolean>
}

/** Make a limit of its own; all that hold the same value share it. */
export const make = ({ limit, per }: Options): RateLimit => {
  if (!Number.isInteger(limit) || limit < 1)
    throw new TypeError(`A rate limit is a whole number from 1 on, not ${limit}.`)
  const perMillis = Duration.toMillis(per)
  const starts: Array<number> = []
  /** Units: milliseconds until one may start; 0 when it has. */
  const start = (now: number): number => {
    // A clock that was set back must not make anybody wait until it has caught up.
    starts.forEach((started, i) => {
      if (started > now) starts[i] = now
    })
    const oldest = starts.length < limit ? undefined : starts[0]
    if (oldest !== undefined && now - oldest < perMillis) return oldest + perMillis - now
    if (oldest !== undefined) starts.shift()
    starts.push(now)
    return 0
  }
  const attempt = Effect.clockWith((clock) => Effect.sync(() => start(clock.currentTimeMillisUnsafe())))
  const untilStarted: Effect.Effect<void> = Effect.flatMap(attempt, (millis) =>
    millis === 0 ? Effect.void : Effect.andThen(Effect.sleep(millis), untilStarted),
  )
  const queue = Semaphore.makeUnsafe(1)
  return { wait: queue.withPermits(1)(untilStarted), take: Effect.map(attempt, (millis) => millis === 0) }
}
