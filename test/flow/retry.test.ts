/** A model that cannot answer now is asked again in a new step, after as long as it asked for. Case: abort/false-cancel. */
import { it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { all, logged, type Step, tell, types } from "./world.ts"

const overloaded: Step = { error: { code: "MODEL_OVERLOADED", message: "try later" } }

describe("a failed attempt", () => {
  it.effect("at a rate limit waits as long as the provider asked, and not less", () =>
    tell(
      [{ error: { code: "MODEL_RATE_LIMITED", message: "429", retryAfterMillis: 5_000 } }, { text: "there" }],
      {},
      ({ agent, session, requests }) =>
        Effect.gen(function* () {
          const prompt = yield* Effect.forkChild(agent.prompt("go"))
          yield* logged(session, "step/end")
          yield* TestClock.adjust(4_999)
          expect(requests()).toHaveLength(1)
          yield* TestClock.adjust(1)
          expect(yield* Fiber.join(prompt)).toMatchObject({
            text: "there",
            steps: 2,
            reason: { kind: "completed" },
          })
          expect(all(session, "error")).toEqual([
            { turn: 1, step: 1, name: "ModelRateLimited", code: "MODEL_RATE_LIMITED", message: "429" },
          ])
          expect(types(session).slice(-7)).toEqual([
            ...["step/start", "error", "step/end"],
            ...["step/start", "assistant/message", "step/end", "turn/end"],
          ])
        }),
    ),
  )

  it.effect("without such a word waits one second, then two, then four, and fails after the last", () =>
    tell(
      [overloaded, overloaded, overloaded, overloaded, { text: "too late" }],
      {},
      ({ agent, session, requests }) =>
        Effect.gen(function* () {
          const prompt = yield* Effect.forkChild(agent.prompt("go"))
          for (const [seconds, asked] of [
            [1, 1],
            [2, 2],
            [4, 3],
          ] as const) {
            yield* TestClock.adjust(seconds * 1_000 - 1)
            expect(requests()).toHaveLength(asked)
            yield* TestClock.adjust(1)
          }
          const result = yield* Fiber.join(prompt)
          expect(result.reason).toEqual({ kind: "failed", code: "MODEL_OVERLOADED", message: "try later" })
          expect(result.error?._tag).toBe("ModelOverloaded")
          expect(all(session, "error")).toHaveLength(4)
          expect(requests()).toHaveLength(4)
        }),
    ),
  )

  it.effect("that cannot pass ends the turn at once", () =>
    tell([{ error: { code: "MODEL_UNAUTHORIZED", message: "no key" } }], {}, ({ agent, requests }) =>
      Effect.gen(function* () {
        expect((yield* agent.prompt("go")).error?._tag).toBe("ModelUnauthorized")
        expect(requests()).toHaveLength(1)
      }),
    ),
  )

  it.effect("leaves its finished text in the history and its calls out", () =>
    tell(
      [
        {
          text: "let me look",
          calls: [{ id: "c1", name: "echo", arguments: "{}" }],
          error: { code: "MODEL_UNREACHABLE", message: "reset", retryAfterMillis: 0 },
        },
        { text: "back" },
      ],
      {},
      ({ agent, session, requests }) =>
        Effect.gen(function* () {
          yield* agent.prompt("go")
          expect(all(session, "assistant/message")[0]).toMatchObject({
            content: [{ type: "text", text: "let me look" }],
            finish: { kind: "error", code: "MODEL_UNREACHABLE" },
          })
          expect(all(session, "tool/call")).toEqual([])
          expect(requests()[1]?.messages).toHaveLength(2)
        }),
    ),
  )

  it.effect("can be aborted while it waits to be repeated", () =>
    tell([overloaded, { text: "never" }], {}, ({ agent, session, requests }) =>
      Effect.gen(function* () {
        const prompt = yield* Effect.forkChild(agent.prompt("go"))
        yield* logged(session, "step/end")
        expect(yield* agent.abort()).toBe(true)
        expect((yield* Fiber.join(prompt)).reason.kind).toBe("aborted")
        expect(requests()).toHaveLength(1)
      }),
    ),
  )

  it.effect("does not count against the next one after an answer", () =>
    tell(
      [overloaded, { calls: [{ name: "nothing", arguments: "{}" }] }, overloaded, { text: "done" }],
      { modelRetries: 1 },
      ({ agent }) =>
        Effect.gen(function* () {
          const prompt = yield* Effect.forkChild(agent.prompt("go"))
          yield* TestClock.adjust("1 second")
          yield* TestClock.adjust("1 second")
          expect((yield* Fiber.join(prompt)).reason.kind).toBe("completed")
        }),
    ),
  )
})
