import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { pumpParts } from "../../src/model/pumpParts.ts"
import { ask, connect } from "./answers.ts"
import { chat, serve } from "./replay.ts"

const numbers = (count: number, read: Array<number> = []) =>
  new ReadableStream<number>(
    {
      pull: (controller) => {
        if (read.length === count) controller.close()
        else {
          read.push(read.length)
          controller.enqueue(read.length - 1)
        }
      },
    },
    { highWaterMark: 0 },
  )

/** Let everything that can go on without us go on. */
const settle = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("a pump", () => {
  it.effect("gives every part once, in order, then nothing", () =>
    Effect.gen(function* () {
      const pump = yield* pumpParts<number>(async () => numbers(1000).getReader(), Number.POSITIVE_INFINITY)
      const taken: Array<number> = []
      for (;;) {
        const parts = yield* pump.take
        if (parts.length === 0) break
        taken.push(...parts)
      }
      expect(taken).toEqual(Array.from({ length: 1000 }, (_, index) => index))
      expect(yield* pump.take).toEqual([])
    }),
  )

  it.effect("reads ahead, but not without end", () =>
    Effect.gen(function* () {
      const read: Array<number> = []
      const pump = yield* pumpParts(async () => numbers(10_000, read).getReader(), Number.POSITIVE_INFINITY)
      for (let turn = 0; turn < 20; turn++) yield* settle
      expect(read.length).toBe(256)
      expect(yield* pump.take).toHaveLength(256)
      for (let turn = 0; turn < 20; turn++) yield* settle
      expect(read.length).toBe(512)
    }),
  )

  it.effect("gives the parts before a failure first", () =>
    Effect.gen(function* () {
      let pulls = 0
      const stream = new ReadableStream<number>(
        { pull: (controller) => (pulls++ < 2 ? controller.enqueue(pulls) : controller.error("broken")) },
        { highWaterMark: 0 },
      )
      const pump = yield* pumpParts(async () => stream.getReader(), Number.POSITIVE_INFINITY)
      yield* settle
      expect(yield* pump.take).toEqual([1, 2])
      expect(yield* Effect.flip(pump.take)).toEqual({ type: "failed", error: "broken", answered: true })
    }),
  )

  it.effect("tells of a failure to open as one", () =>
    Effect.gen(function* () {
      const pump = yield* pumpParts(() => Promise.reject("shut"), Number.POSITIVE_INFINITY)
      expect(yield* Effect.flip(pump.take)).toEqual({ type: "failed", error: "shut", answered: false })
    }),
  )

  it.effect("aborts the opening and cancels the reader when its scope closes", () =>
    Effect.gen(function* () {
      const cancelled: Array<string> = []
      let signal: AbortSignal | undefined
      const stream = new ReadableStream<number>({ cancel: () => void cancelled.push("reader") })
      const scope = yield* Scope.make()
      yield* pumpParts(async (given) => {
        signal = given
        return stream.getReader()
      }, Number.POSITIVE_INFINITY).pipe(Scope.provide(scope))
      yield* settle
      expect(signal?.aborted).toBe(false)
      yield* Scope.close(scope, Exit.void)
      expect(signal?.aborted).toBe(true)
      expect(cancelled).toEqual(["reader"])
    }),
  )

  it.effect("counts silence only while it waits for the provider", () =>
    Effect.gen(function* () {
      const pump = yield* pumpParts(async () => numbers(300).getReader(), 1000)
      yield* settle
      yield* TestClock.adjust(60_000)
      expect(yield* pump.take).toHaveLength(256)
      expect((yield* pump.take).length).toBeGreaterThan(0)
    }),
  )
})

describe("a provider that falls silent", () => {
  for (const [when, beginning] of [
    ["before its answer", []],
    ["in the middle of its answer", chat({ content: "Wait" }).slice(0, 1)],
  ] as const) {
    it.effect(`${when} is given up after two minutes, and hears of it`, () =>
      Effect.gen(function* () {
        const { url, answering, aborted } = yield* serve({ body: beginning, end: "hang" })
        const fiber = yield* Effect.forkChild(ask(yield* connect("openai", url)))
        yield* answering
        yield* TestClock.adjust("119 seconds")
        expect(fiber.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust("2 minutes")
        const { error } = yield* Fiber.join(fiber)
        expect(error).toMatchObject({ code: "MODEL_TIMED_OUT", retry: "later" })
        expect(error?.message).toMatch(/^the provider was silent for 2m/)
        yield* aborted
      }),
    )
  }
})
