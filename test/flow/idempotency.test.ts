/** One logical call has one key: over retries, in the log, and nobody else's. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import * as Agent from "../../src/loop/Agent.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as CallInfo from "../../src/tool/CallInfo.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"
import { all, type Step, services, tell } from "./world.ts"

/** Fails the first time with each key, and writes every key down. */
const charging = (keys: Array<string>, idempotent = true) =>
  Toolbox.make(
    defineTool({
      name: "charge",
      description: "Charge a card",
      parameters: { amount: { type: "integer", required: true }, card: { type: "string" } },
      idempotent,
      run: (_, { key }) =>
        Effect.suspend(() => {
          const isFirst = !keys.includes(key)
          keys.push(key)
          return isFirst ? Effect.fail({ _tag: "CardBusy" as const }) : Effect.succeed("charged")
        }),
    }).pipe(Tool.retry({ times: 1 })),
  )

const charge = (id: string, text: string) => ({ id, name: "charge", arguments: text })

describe("the key of a call", () => {
  it.effect(
    "is the same for every run of its body and stands in the log, which hears of each failed run",
    () => {
      const keys: Array<string> = []
      return tell(
        [{ calls: [charge("c1", '{"amount":5}')] }, { text: "done" }],
        { tools: charging(keys) },
        ({ agent, session }) =>
          Effect.gen(function* () {
            yield* agent.prompt("go")
            expect(keys).toHaveLength(2)
            expect(new Set(keys).size).toBe(1)
            expect(all(session, "tool/call").map(({ key }) => key)).toEqual([keys[0]])
            expect(all(session, "tool/result")).toMatchObject([{ outcome: "success", attempts: 2 }])
            expect(all(session, "error")).toMatchObject([
              {
                turn: 1,
                step: 1,
                name: "CardBusy",
                code: "CARD_BUSY",
                message: expect.stringContaining("charge (c1), run 1"),
              },
            ])
          }),
      )
    },
  )

  it.effect("of a tool that is not idempotent is not in the log, but what it is made of is", () => {
    const keys: Array<string> = []
    return tell(
      [{ calls: [charge("c1", '{"amount":5}')] }, { text: "done" }],
      { tools: charging(keys, false) },
      ({ agent, session }) =>
        Effect.map(agent.prompt("go"), () => {
          expect(keys).toHaveLength(2)
          const calls = all(session, "tool/call")
          expect(calls.map((data) => "key" in data)).toEqual([false])
          const again = calls.map(({ name, arguments: text, callId }) =>
            CallInfo.make(name, text, callId, undefined, undefined, session.id),
          )
          expect(again.map(({ key }) => key)).toEqual([keys[0]])
        }),
    )
  })

  it.effect("differs when only the arguments do, and not when only their spelling does", () =>
    Effect.gen(function* () {
      const keyOf = (text: string) => {
        const keys: Array<string> = []
        const runner = ToolRunner.make(charging(keys))
        const call = { callId: "c1", name: "charge", arguments: text }
        return Effect.flatMap(runner, ({ execute }) =>
          Effect.map(execute(call, { scope: "the session" }), () => keys[0]),
        )
      }
      const five = yield* keyOf('{"amount":5,"card":"visa"}')
      expect(five).toMatch(/^[0-9a-f]+$/)
      expect(yield* keyOf('{ "card": "visa", "amount": 5 }')).toBe(five)
      expect(yield* keyOf('{"amount":6,"card":"visa"}')).not.toBe(five)
    }),
  )

  it.effect("differs when the model asks for the same a second time, even under the same id", () => {
    const keys: Array<string> = []
    const same = '{"amount":5}'
    const steps: ReadonlyArray<Step> = [
      { calls: [charge("c1", same), charge("c2", same)] },
      { calls: [charge("c1", same)] },
      { text: "done" },
    ]
    return tell(steps, { tools: charging(keys) }, ({ agent }) =>
      Effect.map(agent.prompt("go"), () => expect(new Set(keys).size).toBe(3)),
    )
  })

  it.effect("differs between sessions in which a provider gave the same id to the same arguments", () => {
    const keys: Array<string> = []
    const steps = [{ calls: [charge("call_0", '{"amount":5}')] }, { text: "done" }]
    const session = Effect.gen(function* () {
      const agent = yield* Agent.make({ session: yield* SessionLog.create(), tools: charging(keys) })
      yield* agent.prompt("go")
    }).pipe(Effect.scoped)
    return Effect.gen(function* () {
      yield* session
      yield* session
      expect(new Set(keys).size).toBe(2)
    }).pipe(Effect.provide(services(ScriptedModel.make({ steps: [...steps, ...steps] }).model)))
  })
})
