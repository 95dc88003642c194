import { it } from "@effect/vitest"
import { Effect, Fiber, Latch, Stream } from "effect"
import { describe, expect } from "vitest"
import type { ModelChunk } from "../../src/message/ModelChunk.ts"
import { ModelInterrupted } from "../../src/model/ModelError.ts"
import * as ModelStream from "../../src/model/ModelStream.ts"

const word = (piece: number): ModelChunk => ({ type: "text-delta", block: "0", text: `${piece} ` })

async function* speak(pieces: number, heard: Array<string> = []): AsyncGenerator<ModelChunk> {
  try {
    for (let piece = 0; piece < pieces; piece++) yield word(piece)
    heard.push("end")
  } finally {
    heard.push("returned")
  }
}

const broken = (error: unknown) => new ModelInterrupted({ message: String(error) })

describe("a stream of an async iterable", () => {
  it.effect("gives every chunk once, in order, and ends where the iterable does", () =>
    Effect.gen(function* () {
      const heard: Array<string> = []
      const stream = ModelStream.fromAsyncIterable(() => speak(1000, heard), broken)
      const chunks = yield* Stream.runCollect(stream)
      expect(chunks).toEqual(Array.from({ length: 1000 }, (_, piece) => word(piece)))
      expect(heard).toEqual(["end", "returned"])
    }),
  )

  it.effect("opens the iterable anew for each run, later too", () =>
    Effect.gen(function* () {
      let opened = 0
      const stream = ModelStream.fromAsyncIterable(async () => {
        opened++
        return speak(1)
      }, broken)
      expect(opened).toBe(0)
      yield* Stream.runDrain(stream)
      expect(yield* Stream.runCollect(stream)).toEqual([word(0)])
      expect(opened).toBe(2)
    }),
  )

  it.effect("gives what came before a failure first", () =>
    Effect.gen(function* () {
      const chunks: Array<ModelChunk> = []
      const stream = ModelStream.fromAsyncIterable(async function* () {
        yield* speak(2)
        yield await Promise.reject("the line is dead")
      }, broken)
      const failure = yield* Effect.flip(
        Stream.runForEach(stream, (chunk) => Effect.sync(() => chunks.push(chunk))),
      )
      expect(chunks).toEqual([word(0), word(1)])
      expect(failure).toMatchObject({ code: "MODEL_INTERRUPTED", message: "the line is dead" })
    }),
  )

  it.effect("fails with what opening it failed with", () =>
    Effect.gen(function* () {
      const opened = [
        () => Promise.reject(new Error("no route")),
        () => {
          throw new Error("no route")
        },
      ]
      for (const open of opened) {
        const failure = yield* Effect.flip(Stream.runDrain(ModelStream.fromAsyncIterable(open, broken)))
        expect(failure.message).toBe("Error: no route")
      }
    }),
  )

  it.effect("gives chunks that came at once in one batch", () =>
    Effect.gen(function* () {
      const stream = ModelStream.fromAsyncIterable(() => speak(100), broken)
      const batches = yield* Stream.runCollect(Stream.chunks(stream))
      expect(batches.length).toBe(1)
    }),
  )

  it.live("hands over a chunk after which nothing comes for now", () =>
    Effect.gen(function* () {
      const stream = ModelStream.fromAsyncIterable(async function* (signal: AbortSignal) {
        yield word(0)
        await new Promise((resolve) => signal.addEventListener("abort", resolve))
      }, broken)
      expect(yield* Stream.runCollect(Stream.take(stream, 1))).toEqual([word(0)])
    }),
  )

  it.live("aborts the signal and returns the iterator when it is interrupted", () =>
    Effect.gen(function* () {
      const heard: Array<string> = []
      let given: AbortSignal | undefined
      const stream = ModelStream.fromAsyncIterable(async function* (signal) {
        given = signal
        try {
          yield word(0)
          await new Promise((resolve) => signal.addEventListener("abort", resolve))
          yield word(1)
        } finally {
          heard.push("returned")
        }
      }, broken)
      const begun = Latch.makeUnsafe(false)
      const fiber = yield* Effect.forkChild(Stream.runForEach(stream, () => begun.open))
      yield* begun.await
      expect(given?.aborted).toBe(false)
      yield* Fiber.interrupt(fiber)
      expect(given?.aborted).toBe(true)
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      expect(heard).toEqual(["returned"])
    }),
  )
})
