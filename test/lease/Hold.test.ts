import { describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { expect } from "vitest"
import { allOrNothing } from "../../src/lease/Hold.ts"

describe("allOrNothing", () => {
  const makeThings = () => {
    const held: Array<string> = []
    const hold = (name: string) =>
      Effect.acquireRelease(
        Effect.sync(() => void held.push(name)),
        () => Effect.sync(() => void held.splice(held.indexOf(name), 1)),
      )
    return { held, hold }
  }

  it.effect("holds until the caller's scope closes", () =>
    Effect.gen(function* () {
      const { held, hold } = makeThings()
      const both = allOrNothing(Effect.andThen(hold("a"), hold("b")))
      yield* Effect.scoped(
        Effect.andThen(
          both,
          Effect.sync(() => expect(held).toEqual(["a", "b"])),
        ),
      )
      expect(held).toEqual([])
    }),
  )

  it.effect("lets go at once of what it had when a later part fails, dies or is interrupted", () =>
    Effect.gen(function* () {
      const { held, hold } = makeThings()
      for (const end of [Effect.fail("no"), Effect.die("no"), Effect.interrupt]) {
        yield* Effect.exit(allOrNothing(Effect.andThen(hold("a"), end)))
        expect(held).toEqual([])
      }
      const begun = yield* Deferred.make<void>()
      const waiting = hold("a").pipe(
        Effect.andThen(Deferred.succeed(begun, undefined)),
        Effect.andThen(Effect.never),
      )
      const fiber = yield* Effect.forkChild(allOrNothing(waiting))
      yield* Deferred.await(begun)
      expect(held).toEqual(["a"])
      yield* Fiber.interrupt(fiber)
      expect(held).toEqual([])
    }).pipe(Effect.scoped),
  )
})
