import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Stream } from "effect"
import { describe, expect } from "vitest"
import { pull } from "../../src/turn/pull.ts"

const onEnd = () => Effect.fail("too short" as const)

/** A stream of single pieces that writes down what it gives and when it closes. */
const noting = (pieces: number, notes: Array<string> = []) => {
  let piece = 0
  const next = Effect.sync(() => {
    notes.push(`gives ${piece}`)
    return piece++
  })
  return Stream.fromEffectRepeat(next).pipe(
    Stream.take(pieces),
    Stream.ensuring(Effect.sync(() => notes.push("closes"))),
  )
}

describe("pulling a stream", () => {
  it.effect("ends with what a batch comes to, asks for no more, and has closed the stream then", () =>
    Effect.gen(function* () {
      const notes: Array<string> = []
      const end = yield* pull(
        () => noting(10, notes),
        ([piece]) => (piece === 2 ? Effect.succeed(piece) : undefined),
        onEnd,
      )
      expect(end).toBe(2)
      expect(notes).toEqual(["gives 0", "gives 1", "gives 2", "closes"])
    }),
  )

  it.effect("fails with what a batch comes to", () =>
    Effect.gen(function* () {
      const notes: Array<string> = []
      const error = yield* Effect.flip(
        pull(
          () => noting(10, notes),
          () => Effect.fail("enough"),
          onEnd,
        ),
      )
      expect([error, notes]).toEqual(["enough", ["gives 0", "closes"]])
    }),
  )

  it.effect("asks what becomes of a stream that ends first", () =>
    Effect.gen(function* () {
      const notes: Array<string> = []
      const error = yield* Effect.flip(
        pull(
          () => noting(2, notes),
          () => undefined,
          onEnd,
        ),
      )
      expect([error, notes]).toEqual(["too short", ["gives 0", "gives 1", "closes"]])
    }),
  )

  it.effect("fails with what the stream fails with, a throw as it is opened included", () =>
    Effect.gen(function* () {
      const take = () => undefined
      expect(yield* Effect.flip(pull(() => Stream.fail("broken"), take, onEnd))).toBe("broken")
      const thrown = yield* Effect.exit(
        pull(
          () => {
            throw new Error("not today")
          },
          take,
          onEnd,
        ),
      )
      expect(thrown).toEqual(Exit.die(new Error("not today")))
    }),
  )

  it.effect("closes the stream when it is interrupted", () =>
    Effect.gen(function* () {
      const notes: Array<string> = []
      const stream = Stream.concat(noting(1), Stream.never).pipe(
        Stream.ensuring(Effect.sync(() => notes.push("closes"))),
      )
      const fiber = yield* Effect.forkChild(
        pull(
          () => stream,
          () => undefined,
          onEnd,
        ),
        {
          startImmediately: true,
        },
      )
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      expect(notes).toEqual(["closes"])
    }),
  )

  it.effect("takes a hundred thousand single pieces without growing", () =>
    Effect.gen(function* () {
      let sum = 0
      const count = (batch: ReadonlyArray<number>): undefined => {
        sum += batch.length
      }
      yield* Effect.flip(pull(() => Stream.rechunk(Stream.range(1, 100_000), 1), count, onEnd))
      expect(sum).toBe(100_000)
    }),
  )
})
