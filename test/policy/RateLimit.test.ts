import { it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import * as RateLimit from "../../src/policy/RateLimit.ts"

const startTimes = (limit: RateLimit.RateLimit, count: number) => {
  const times: Array<readonly [number, number]> = []
  const start = (i: number) =>
    Effect.andThen(
      limit.wait,
      Effect.map(Clock.currentTimeMillis, (now) => void times.push([i, now])),
    )
  return Effect.as(
    Effect.forEach(
      Array.from({ length: count }, (_, i) => i),
      start,
      { concurrency: "unbounded" },
    ),
    times,
  )
}

describe("a rate limit", () => {
  it.effect("lets as many start in any stretch of time, in the order in which they asked", () =>
    Effect.gen(function* () {
      const limit = RateLimit.make({ limit: 2, per: "1 second" })
      const fiber = yield* Effect.forkChild(startTimes(limit, 5))
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(fiber)).toEqual([
        [0, 0],
        [1, 0],
        [2, 1_000],
        [3, 1_000],
        [4, 2_000],
      ])
    }),
  )

  it.effect("looks back from each start, not at the hands of a clock", () =>
    Effect.gen(function* () {
      const limit = RateLimit.make({ limit: 1, per: "1 second" })
      yield* TestClock.adjust("900 millis")
      yield* limit.wait
      yield* TestClock.adjust("900 millis")
      expect(yield* limit.take).toBe(false)
      yield* TestClock.adjust("100 millis")
      expect(yield* limit.take).toBe(true)
    }),
  )

  it.effect("gives the turn of one that is interrupted to the next", () =>
    Effect.gen(function* () {
      const limit = RateLimit.make({ limit: 1, per: "1 second" })
      yield* limit.wait
      const gone = yield* Effect.forkChild(limit.wait, { startImmediately: true })
      const next = yield* Effect.forkChild(startTimes(limit, 1), { startImmediately: true })
      yield* Fiber.interrupt(gone)
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(next)).toEqual([[0, 1_000]])
    }),
  )

  it.each([0, -1, 1.5, Number.NaN])("is refused when it is %s", (limit) => {
    expect(() => RateLimit.make({ limit, per: "1 second" })).toThrow(TypeError)
  })

  it.effect("waits its time and no longer when the clock was set back", () =>
    Effect.gen(function* () {
      const limit = RateLimit.make({ limit: 1, per: "50 millis" })
      yield* TestClock.setTime(3_600_000)
      yield* limit.wait
      yield* TestClock.setTime(0)
      const fiber = yield* Effect.forkChild(limit.wait, { startImmediately: true })
      yield* TestClock.adjust("49 millis")
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(fiber)
      expect(yield* Clock.currentTimeMillis).toBe(50)
    }),
  )
})
