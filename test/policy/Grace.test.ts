import { it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import * as Grace from "../../src/policy/Grace.ts"

const never = new Promise<never>(() => {})
const at = (grace: "0 millis" | "5 millis" | "Infinity", running: Promise<unknown>) =>
  Effect.provide(Grace.settles(running), Grace.layer(grace === "Infinity" ? Number.POSITIVE_INFINITY : grace))

describe("settles", () => {
  it.effect("is so when the promise settles in time, whichever way", () =>
    Effect.gen(function* () {
      expect(yield* at("5 millis", Promise.resolve(1))).toBe(true)
      expect(yield* at("5 millis", Promise.reject(new Error("no")))).toBe(true)
      expect(yield* at("Infinity", new Promise((resolve) => setImmediate(resolve)))).toBe(true)
    }),
  )

  it.effect("is so for what stops at once, however short the time is", () =>
    Effect.gen(function* () {
      expect(
        yield* at(
          "0 millis",
          Promise.resolve().then(() => undefined),
        ),
      ).toBe(true)
    }),
  )

  it.effect("is not so when the time is over, also where nothing is interruptible", () =>
    Effect.gen(function* () {
      expect(yield* at("5 millis", never)).toBe(false)
      expect(yield* Effect.uninterruptible(at("5 millis", never))).toBe(false)
    }),
  )

  it.effect("does not depend on the clock of the Effects", () =>
    Effect.gen(function* () {
      const soon = new Promise((resolve) => setImmediate(resolve))
      const fiber = yield* Effect.forkChild(Grace.settles(soon), { startImmediately: true })
      yield* TestClock.adjust("1 hour")
      expect(yield* Fiber.join(fiber)).toBe(true)
    }),
  )
})

describe("within", () => {
  const reasonOf = (
    run: (body: Effect.Effect<void>) => Effect.Effect<unknown>,
    wait: () => Effect.Effect<unknown>,
  ) =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const body = Effect.onInterrupt(Effect.never, () =>
        Effect.map(Grace.reason, ({ name }) => void seen.push(name)),
      )
      const fiber = yield* Effect.forkChild(run(body), { startImmediately: true })
      yield* wait()
      yield* Fiber.interrupt(fiber)
      return seen
    })
  const minute = () => TestClock.adjust("1 minute")

  it.effect("gives what was done in time, or how it failed, and nothing when it took longer", () =>
    Effect.gen(function* () {
      const limit = Grace.within("1 second")
      expect(yield* limit(Effect.succeed(1))).toEqual(Option.some(1))
      expect(yield* Effect.exit(limit(Effect.fail("no")))).toEqual(Exit.fail("no"))
      const late = yield* Effect.forkChild(limit(Effect.never))
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(late)).toEqual(Option.none())
    }),
  )

  it.effect("is a TimeoutError to what it stops, however deep, and to nobody whom another stops", () =>
    Effect.gen(function* () {
      const limit = Grace.within("1 minute")
      const wide = Grace.within("1 hour")
      expect(yield* reasonOf(limit, minute)).toEqual(["TimeoutError"])
      expect(yield* reasonOf((body) => limit(wide(body)), minute)).toEqual(["TimeoutError"])
      expect(yield* reasonOf((body) => wide(limit(body)), minute)).toEqual(["TimeoutError"])
      expect(yield* reasonOf(wide, minute)).toEqual(["AbortError"])
      expect(yield* reasonOf((body) => body, minute)).toEqual(["AbortError"])
    }),
  )

  it.effect("goes on when what it stopped has stopped", () =>
    Effect.gen(function* () {
      const open = yield* Deferred.make<void>()
      const body = Effect.onInterrupt(Effect.never, () => Deferred.await(open))
      const fiber = yield* Effect.forkChild(Grace.within("1 second")(body))
      yield* TestClock.adjust("1 second")
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* Deferred.succeed(open, undefined)
      expect(yield* Fiber.join(fiber)).toEqual(Option.none())
    }),
  )
})
