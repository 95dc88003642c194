/**
 * Providers number calls as they like: every call runs once, under an id of its own, and reads its own result; and what
 * a model has read once it reads again in the same order. Cases: ids/restart, order/results.
 */
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { verify } from "../../src/invariant/Verifier.ts"
import * as Agent from "../../src/loop/Agent.ts"
import { Model } from "../../src/model/Model.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { runs } from "../runs.ts"
import { all, type Step, services } from "./world.ts"

const call = fc.record({ id: fc.constantFrom("", "call_0", "call_1", "call-1", "0"), turns: fc.nat(5) })
/** Answers of one turn; a cut one has its ids in the log already and is asked again. */
const turn = fc.array(
  fc.record({ calls: fc.array(call, { minLength: 1, maxLength: 3 }), isCut: fc.boolean() }),
  {
    minLength: 1,
    maxLength: 3,
  },
)
/** A process serves some turns of the session. */
const plan = fc.array(fc.array(turn, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 })
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never

const toSteps = (turns: Plan[number], fresh: () => number): ReadonlyArray<Step> =>
  turns.flatMap((answers) => [
    ...answers.map(
      ({ calls, isCut }): Step => ({
        calls: calls.map(({ id, turns: wait }) => ({
          id,
          name: "say",
          arguments: JSON.stringify({ n: fresh(), wait }),
        })),
        ...(isCut && { error: { code: "MODEL_OVERLOADED", message: "busy", retryAfterMillis: 0 } }),
      }),
    ),
    { text: "done" },
  ])

const live = (chosen: Plan) =>
  Effect.gen(function* () {
    const ran: Array<number> = []
    const say = defineTool({
      name: "say",
      description: "Say its number",
      parameters: { n: { type: "integer", required: true }, wait: { type: "integer", required: true } },
      run: ({ n, wait }) =>
        Effect.as(
          Effect.andThen(
            Effect.sync(() => ran.push(n)),
            Effect.repeat(Effect.yieldNow, { times: wait }),
          ),
          `number ${n}`,
        ),
    })
    let made = 0
    const session = yield* SessionLog.create()
    const requests: Array<ReadonlyArray<unknown>> = []
    for (const turns of chosen) {
      const scripted = ScriptedModel.make({ steps: toSteps(turns, () => made++) })
      yield* Effect.gen(function* () {
        const agent = yield* Agent.make({ session, tools: Toolbox.make(say), modelRetries: 9 })
        for (const _ of turns) yield* agent.prompt("go")
      }).pipe(Effect.scoped, Effect.provideService(Model, scripted.model))
      requests.push(...scripted.requests().map(({ messages }) => messages))
    }
    return { session, ran, requests }
  }).pipe(Effect.scoped, Effect.provide(services(ScriptedModel.make({ steps: [] }).model)))

describe("calls, whatever their provider named them", () => {
  it("have ids of their own, run once each, and read their own results in a history that only grows", () =>
    fc.assert(
      fc.asyncProperty(plan, async (chosen) => {
        const { session, ran, requests } = await Effect.runPromise(live(chosen))
        expect(verify(session.log())).toEqual([])
        const calls = all(session, "tool/call")
        expect(new Set(calls.map(({ callId }) => callId)).size).toBe(calls.length)
        expect(ran).toHaveLength(new Set(ran).size)
        expect(ran).toHaveLength(calls.length)
        for (const { callId, content } of all(session, "tool/result")) {
          const text = calls.find((one) => one.callId === callId)?.arguments ?? "{}"
          expect(content).toEqual([{ type: "text", text: `number ${JSON.parse(text).n}` }])
        }
        for (const [at, messages] of requests.slice(1).entries()) {
          const before = requests[at] ?? []
          expect(messages.slice(0, before.length)).toEqual(before)
        }
      }),
      { numRuns: runs(40) },
    ))
})
