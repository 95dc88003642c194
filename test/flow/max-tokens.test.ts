/** An answer that hits the output limit is told to be cut; no call of it runs. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callBlock, chunks, echo, finish, handmade, say, tell, textBlock } from "./world.ts"

const tools = Toolbox.make(echo)

describe("an answer cut off at the output limit", () => {
  it.effect("in the middle of a call runs none of its calls, tells the model, and goes on", () =>
    tell(
      handmade(
        () =>
          chunks(
            callBlock("c1", "echo", '{"word":"a"}'),
            [
              { type: "block-start", block: "1", kind: "tool-call", callId: "c2", name: "echo" },
              { type: "arguments-delta", block: "1", text: '{"wor' },
            ],
            finish("max-tokens"),
          ),
        () => say("shorter now"),
      ),
      { tools },
      ({ agent, session }) =>
        Effect.gen(function* () {
          expect(yield* agent.prompt("go")).toMatchObject({
            text: "shorter now",
            reason: { kind: "completed" },
          })
          expect(all(session, "tool/call")).toMatchObject([{ callId: "c1", starts: false }])
          expect(all(session, "tool/result")).toMatchObject([{ callId: "c1", outcome: "not-started" }])
          expect(all(session, "context/message")).toMatchObject([
            { source: "effect-harness", content: [{ text: expect.stringContaining("cut off") }] },
          ])
        }),
    ),
  )

  it.effect("again and again ends the turn at that limit", () => {
    const cut = () =>
      chunks(
        [{ type: "block-start", block: "1", kind: "tool-call", callId: "c", name: "echo" }],
        finish("max-tokens"),
      )
    return tell(handmade(cut, cut, cut, cut), { tools, reminders: 1 }, ({ agent }) =>
      Effect.gen(function* () {
        const result = yield* agent.prompt("go")
        expect(result).toMatchObject({ steps: 2, reason: { kind: "limit", code: "LIMIT_OUTPUT_TOKENS" } })
        expect(result.error?._tag).toBe("LimitReached")
      }),
    )
  })

  it.effect("in the middle of text ends the turn at that limit, with the finished text", () =>
    tell(
      handmade(() => chunks(textBlock("0", "so far"), finish("max-tokens"))),
      {},
      ({ agent }) =>
        Effect.map(agent.prompt("go"), (result) =>
          expect(result).toMatchObject({
            text: "so far",
            reason: { kind: "limit", code: "LIMIT_OUTPUT_TOKENS" },
          }),
        ),
    ),
  )
})

describe("an answer stopped by the provider's content rules", () => {
  it.effect("runs none of its calls, however whole they look, and fails the turn", () => {
    let runs = 0
    const counting = Toolbox.make(
      defineTool({ name: "echo", description: "", parameters: {}, run: () => Effect.sync(() => ++runs) }),
    )
    const refused = () => chunks(callBlock("c1", "echo", "{}"), finish("refused"))
    return tell(handmade(refused), { tools: counting }, ({ agent, session }) =>
      Effect.gen(function* () {
        const result = yield* agent.prompt("go")
        expect(result.reason).toMatchObject({ kind: "failed", code: "MODEL_REFUSED" })
        expect(runs).toBe(0)
        expect(all(session, "tool/call")).toMatchObject([{ callId: "c1", starts: false }])
        expect(all(session, "tool/result")).toMatchObject([
          {
            callId: "c1",
            outcome: "not-started",
            content: [{ text: expect.stringContaining("content rules") }],
          },
        ])
      }),
    )
  })
})
