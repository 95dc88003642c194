/** A model fails for good, and the next one goes on with the turn; the log hears of both. */
import { it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callEcho, echo, logged, type Step, tell, types } from "./world.ts"

const named = (name: string, ...steps: ReadonlyArray<Step>) => ScriptedModel.make({ steps }, { name })
const error = (code: "MODEL_UNAUTHORIZED" | "MODEL_OVERLOADED", retryAfterMillis?: number): Step => ({
  error: { code, message: "no", ...(retryAfterMillis !== undefined && { retryAfterMillis }) },
})

describe("a model that has failed for good", () => {
  it.effect("makes way for the next one at once, which reads the same history", () => {
    const first = named("script:first", error("MODEL_UNAUTHORIZED"))
    const second = named("script:second", { calls: [callEcho("a", "c1")] }, { text: "from the second" })
    return tell(first.model, { tools: Toolbox.make(echo), fallback: [second.model] }, ({ agent, session }) =>
      Effect.gen(function* () {
        const result = yield* agent.prompt("go")
        expect(result).toMatchObject({ text: "from the second", steps: 3, reason: { kind: "completed" } })
        expect(all(session, "error")).toMatchObject([{ turn: 1, step: 1, code: "MODEL_UNAUTHORIZED" }])
        expect(all(session, "request/config").map(({ model }) => model)).toEqual([
          "script:first",
          "script:second",
        ])
        expect(types(session).slice(3, 9)).toEqual([
          ...["request/config", "step/start", "error", "step/end"],
          ...["request/config", "step/start"],
        ])
        expect(second.requests()[0]).toEqual(first.requests()[0])
      }),
    )
  })

  it.effect("is asked first again in the next turn", () => {
    const first = named("script:first", error("MODEL_UNAUTHORIZED"), { text: "back" })
    const second = named("script:second", { text: "meanwhile" })
    return tell(first.model, { fallback: [second.model] }, ({ agent, session }) =>
      Effect.gen(function* () {
        expect((yield* agent.prompt("one")).text).toBe("meanwhile")
        expect((yield* agent.prompt("two")).text).toBe("back")
        expect(all(session, "request/config").map(({ model }) => model)).toEqual([
          ...["script:first", "script:second", "script:first"],
        ])
      }),
    )
  })

  it.effect("has its retries first, and the next one has its own", () => {
    const first = named("script:first", error("MODEL_OVERLOADED", 0), error("MODEL_OVERLOADED", 0))
    const second = named("script:second", error("MODEL_OVERLOADED", 0), { text: "there" })
    return tell(first.model, { fallback: [second.model], modelRetries: 1 }, ({ agent, session }) =>
      Effect.gen(function* () {
        const prompt = yield* Effect.forkChild(agent.prompt("go"))
        yield* TestClock.adjust(1)
        expect((yield* Fiber.join(prompt)).text).toBe("there")
        expect([first.requests().length, second.requests().length]).toEqual([2, 2])
        expect(all(session, "error")).toHaveLength(3)
      }),
    )
  })

  it.effect("fails the turn when no other is left, with the error of the last", () => {
    const first = named("script:first", error("MODEL_UNAUTHORIZED"))
    const second = named("script:second", { error: { code: "MODEL_CONTEXT_OVERFLOW", message: "long" } })
    return tell(first.model, { fallback: [second.model] }, ({ agent }) =>
      Effect.map(agent.prompt("go"), ({ error: last, steps }) => {
        expect(last?._tag).toBe("ModelContextOverflow")
        expect(steps).toBe(2)
      }),
    )
  })
})

describe("a provider that asks for a long wait", () => {
  const daily = 24 * 60 * 60 * 1_000

  const longest = [
    [undefined, 2 * 60_000],
    ["5 seconds", 5_000],
  ] as const
  const options = (longestRetryAfter: "5 seconds" | undefined) =>
    longestRetryAfter === undefined ? {} : { longestRetryAfter }

  it.effect.each(longest)("gets what it asks for up to longestRetryAfter (%s)", ([given, waitMillis]) =>
    tell(
      [error("MODEL_OVERLOADED", waitMillis), { text: "there" }],
      options(given),
      ({ agent, session, requests }) =>
        Effect.gen(function* () {
          const prompt = yield* Effect.forkChild(agent.prompt("go"))
          yield* logged(session, "step/end")
          yield* TestClock.adjust(waitMillis - 1)
          expect(requests()).toHaveLength(1)
          yield* TestClock.adjust(1)
          expect((yield* Fiber.join(prompt)).text).toBe("there")
        }),
    ),
  )

  it.effect.each(longest)(
    "makes way for the next model at once when it asks for more (%s)",
    ([given, waitMillis]) => {
      const first = named("script:first", error("MODEL_OVERLOADED", waitMillis + 1))
      const second = named("script:second", { text: "from the second" })
      return tell(first.model, { fallback: [second.model], ...options(given) }, ({ agent }) =>
        Effect.gen(function* () {
          expect(yield* agent.prompt("go")).toMatchObject({ text: "from the second", steps: 2 })
          expect([first.requests().length, second.requests().length]).toEqual([1, 1])
        }),
      )
    },
  )

  it.effect("fails the turn at once when no other is left, and says how long it wants to wait", () =>
    tell([error("MODEL_OVERLOADED", daily)], {}, ({ agent, session, requests }) =>
      Effect.gen(function* () {
        const { error: last, reason } = yield* agent.prompt("go")
        expect(last).toMatchObject({ _tag: "ModelOverloaded", retryAfterMillis: daily })
        expect(reason).toMatchObject({ kind: "failed", code: "MODEL_OVERLOADED" })
        expect(reason.message).toContain(`${daily} ms`)
        expect(all(session, "turn/end")[0]?.reason).toEqual(reason)
        expect(requests()).toHaveLength(1)
      }),
    ),
  )
})
