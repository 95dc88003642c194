/** A turn ends at its limits, with a code, and closed. */
import { it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callEcho, echo, gate, type Step, tell } from "./world.ts"

const tools = Toolbox.make(echo)
const again = (word: string): Step => ({
  calls: [callEcho(word)],
  usage: { inputTokens: 40, outputTokens: 5, cacheReadTokens: 5 },
})

describe("a limit", () => {
  it.effect("of steps is looked at before the step that would be too many", () =>
    tell([again("a"), again("b"), again("c")], { tools, limits: { steps: 2 } }, ({ agent, requests }) =>
      Effect.gen(function* () {
        const result = yield* agent.prompt("go")
        expect(result).toMatchObject({ steps: 2, reason: { kind: "limit", code: "LIMIT_STEPS" } })
        expect(result.error).toMatchObject({ _tag: "LimitReached", code: "LIMIT_STEPS" })
        expect(requests()).toHaveLength(2)
      }),
    ),
  )

  it.effect("of tokens counts all kinds of them over the steps", () =>
    tell([again("a"), again("b"), again("c")], { tools, limits: { tokens: 100 } }, ({ agent }) =>
      Effect.map(agent.prompt("go"), (result) =>
        expect(result).toMatchObject({
          steps: 2,
          usage: { inputTokens: 80, outputTokens: 10, cacheReadTokens: 10 },
          reason: { kind: "limit", code: "LIMIT_TOKENS" },
        }),
      ),
    ),
  )

  it.effect("of repeated calls compares what the arguments say, not how they are written", () =>
    tell(
      [
        again("other"),
        { calls: [{ name: "echo", arguments: '{"word":"a"}' }] },
        { calls: [{ name: "echo", arguments: '{ "word" : "a" }' }] },
        { text: "never" },
      ],
      { tools, limits: { repeatedCalls: 2 } },
      ({ agent }) =>
        Effect.map(agent.prompt("go"), (result) =>
          expect(result).toMatchObject({ steps: 3, reason: { kind: "limit", code: "LIMIT_REPEATED_CALLS" } }),
        ),
    ),
  )

  it.effect("of wall time interrupts what runs", () => {
    const forever = gate("forever")
    return tell(
      [{ calls: [{ id: "c1", name: "forever", arguments: "{}" }] }],
      { tools: Toolbox.make(forever.tool), limits: { wallTime: "1 minute" } },
      ({ agent, session }) =>
        Effect.gen(function* () {
          const prompt = yield* Effect.forkChild(agent.prompt("go"))
          yield* forever.started
          yield* TestClock.adjust("1 minute")
          const { reason } = yield* Fiber.join(prompt)
          expect(reason).toMatchObject({ kind: "limit", code: "LIMIT_WALL_TIME" })
          expect(all(session, "tool/result")).toMatchObject([{ callId: "c1", outcome: "interrupted" }])
        }),
    )
  })

  it.effect("of wall time does not outlive its turn", () =>
    tell([{ text: "one" }, { text: "two" }], { limits: { wallTime: "1 minute" } }, ({ agent }) =>
      Effect.gen(function* () {
        yield* agent.prompt("one")
        yield* TestClock.adjust("2 minutes")
        expect((yield* agent.prompt("two")).reason).toEqual({ kind: "completed" })
      }),
    ),
  )
})
