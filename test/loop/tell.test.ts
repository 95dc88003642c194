import { it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { describe, expect } from "vitest"
import { makeTeller } from "../../src/loop/tell.ts"

const said = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

describe("a teller", () => {
  it.effect("tells each listener all from when it began to listen", () =>
    Effect.gen(function* () {
      const { tell, told, end } = makeTeller<number>()
      yield* tell(0)
      const early = yield* Effect.forkChild(Stream.runCollect(told), { startImmediately: true })
      yield* tell(1)
      const late = yield* Effect.forkChild(Stream.runCollect(told), { startImmediately: true })
      yield* tell(2)
      yield* Effect.yieldNow
      yield* end
      expect([yield* Fiber.join(early), yield* Fiber.join(late)]).toEqual([[1, 2], [2]])
    }),
  )

  it.effect("keeps the latest 256 for a listener that is slow", () =>
    Effect.gen(function* () {
      const { tell, told } = makeTeller<number>()
      const heard: Array<number> = []
      const listening = Stream.runForEach(told, (one) =>
        Effect.andThen(
          Effect.sync(() => heard.push(one)),
          one === 0 ? Effect.forEach(said(1, 1000), tell) : Effect.void,
        ),
      )
      const fiber = yield* Effect.forkChild(listening, { startImmediately: true })
      yield* tell(0)
      for (let turn = 0; turn < 300; turn++) yield* Effect.yieldNow
      expect(heard).toEqual([0, ...said(744, 1000)])
      yield* Fiber.interrupt(fiber)
    }),
  )

  for (const [when, isHeard] of [
    ["that nobody ever listened to", false],
    ["that somebody listened to", true],
  ] as const) {
    it.effect(`${when} ends streams that are run when it has ended`, () =>
      Effect.gen(function* () {
        const { tell, told, end } = makeTeller<number>()
        const fiber = isHeard
          ? yield* Effect.forkChild(Stream.runCollect(told), { startImmediately: true })
          : undefined
        yield* end
        yield* tell(1)
        expect(yield* Stream.runCollect(told)).toEqual([])
        if (fiber !== undefined) expect(yield* Fiber.join(fiber)).toEqual([])
      }),
    )
  }
})
