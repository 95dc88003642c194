/** The model sends wrong arguments, reads what is wrong, and corrects itself. Case: loop/invalid-args-halt. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callEcho, echo, tell, types } from "./world.ts"

const tools = Toolbox.make(echo)

describe("wrong arguments", () => {
  it.effect("go back to the model, which corrects them in the next step", () =>
    tell(
      [
        { calls: [{ id: "c1", name: "echo", arguments: '{"wrod":"a"}' }] },
        { calls: [callEcho("a", "c2")] },
        { text: "done" },
      ],
      { tools },
      ({ agent, session, requests }) =>
        Effect.gen(function* () {
          const result = yield* agent.prompt("say a")
          expect(result).toMatchObject({ reason: { kind: "completed" }, text: "done", steps: 3 })
          expect(result.reason.code).toBeUndefined()
          expect(result.refused).toEqual([
            {
              callId: "c1",
              name: "echo",
              outcome: "rejected",
              error: { name: "ToolArgsInvalid", code: "INVALID_ARGS" },
              corrected: true,
            },
          ])
          expect(all(session, "tool/call").map(({ callId, starts }) => [callId, starts])).toEqual([
            ["c1", false],
            ["c2", undefined],
          ])
          expect(requests()[1]?.messages.at(-1)).toMatchObject({
            role: "tool",
            content: [{ callId: "c1", isError: true, content: [{ text: expect.stringContaining("wrod") }] }],
          })
          expect(types(session)).toEqual([
            "session/start",
            "user/message",
            "turn/start",
            "request/config",
            ...["step/start", "assistant/message", "tool/call", "tool/result", "step/end"],
            ...["step/start", "assistant/message", "tool/call", "tool/result", "step/end"],
            ...["step/start", "assistant/message", "step/end"],
            "turn/end",
          ])
        }),
    ),
  )

  it.effect("that are no JSON are rejected by the tool, not by the loop", () =>
    tell(
      [{ calls: [{ id: "c1", name: "echo", arguments: '{"word":' }] }, { text: "sorry" }],
      { tools },
      ({ agent }) =>
        Effect.map(agent.prompt("say a"), ({ refused }) => {
          expect(refused).toMatchObject([{ outcome: "rejected", error: { code: "ARGS_NOT_JSON" } }])
        }),
    ),
  )

  it.effect("beside a call that succeeds are not corrected by it: the model had not seen the refusal", () => {
    const wrong = { id: "c1", name: "echo", arguments: '{"wrod":"a"}' }
    const unknown = { id: "c3", name: "ecco", arguments: "{}" }
    const orders = [
      [wrong, callEcho("b", "c2"), unknown],
      [callEcho("b", "c2"), unknown, wrong],
    ]
    return Effect.forEach(orders, (calls) =>
      tell([{ calls }, { text: '{"word":"a"}' }], { tools }, ({ agent }) =>
        Effect.map(agent.prompt("say a"), ({ refused, reason }) => {
          expect(refused.map(({ corrected }) => corrected)).toEqual([false, false])
          expect(reason).toMatchObject({ kind: "completed", code: "CALL_NEVER_CORRECTED" })
        }),
      ),
    )
  })
})
