/** A final answer by schema comes through a tool, typed, and ends the turn. */
import { it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { describe, expect } from "vitest"
import * as Agent from "../../src/loop/Agent.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import type { Session } from "../../src/session/Session.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callEcho, echo, type Step, services } from "./world.ts"

const spec = { city: { type: "string", required: true }, degrees: { type: "number" } } as const

const give = (text: string): Step => ({ calls: [{ name: "final_answer", arguments: text }] })

const ask = <const S extends Agent.AnswerSpec, A, E>(
  answer: S,
  steps: ReadonlyArray<Step>,
  story: (agent: Agent.Agent<Agent.AnswerOf<S>>, session: Session) => Effect.Effect<A, E>,
) =>
  Effect.gen(function* () {
    const session = yield* SessionLog.create()
    const agent = yield* Agent.make({ session, tools: Toolbox.make(echo), answer })
    return yield* story(agent, session)
  }).pipe(Effect.scoped, Effect.provide(services(ScriptedModel.make({ steps }).model)))

describe("a final answer", () => {
  it.effect("is decoded, and its accepted call ends the turn", () =>
    ask(spec, [{ calls: [callEcho("work")] }, give('{"city":"Bern","degrees":12}')], (agent, session) =>
      Effect.gen(function* () {
        const { answer, steps, reason } = yield* agent.prompt("weather?")
        expect(answer).toEqual({ city: "Bern", degrees: 12 })
        expect(steps).toBe(2)
        expect(reason).toEqual({ kind: "completed" })
        expect(all(session, "request/config")[0]?.tools.map(({ name }) => name)).toEqual([
          "echo",
          "final_answer",
        ])
      }),
    ),
  )

  it.effect("by an Effect Schema arrives as the schema's type", () =>
    ask(Schema.Struct({ at: Schema.DateFromString }), [give('{"at":"2026-01-02T00:00:00.000Z"}')], (agent) =>
      Effect.map(agent.prompt("when?"), ({ answer }) => expect(answer?.at).toEqual(new Date("2026-01-02"))),
    ),
  )

  it.effect("that breaks the schema goes back to the model", () =>
    ask(spec, [give('{"town":"Bern"}'), give('{"city":"Bern"}')], (agent) =>
      Effect.gen(function* () {
        const { answer, refused } = yield* agent.prompt("weather?")
        expect(answer).toEqual({ city: "Bern" })
        expect(refused).toMatchObject([{ name: "final_answer", corrected: true }])
      }),
    ),
  )

  it.effect("that comes as plain text is asked for again", () =>
    ask(spec, [{ text: '{"city":"Bern"}' }, give('{"city":"Bern"}')], (agent, session) =>
      Effect.gen(function* () {
        expect((yield* agent.prompt("weather?")).answer).toEqual({ city: "Bern" })
        expect(all(session, "context/message")).toMatchObject([
          { content: [{ text: expect.stringContaining("final_answer") }] },
        ])
      }),
    ),
  )

  it.effect("that never comes fails the turn after two reminders", () =>
    ask(spec, [{ text: "no" }, { text: "no" }, { text: "no" }, give('{"city":"Bern"}')], (agent) =>
      Effect.gen(function* () {
        const { answer, error, reason, steps } = yield* agent.prompt("weather?")
        expect(answer).toBeUndefined()
        expect(steps).toBe(3)
        expect(reason).toMatchObject({ kind: "failed", code: "ANSWER_MISSING" })
        expect(error?._tag).toBe("AnswerMissing")
      }),
    ),
  )

  it.effect("belongs to the turn that it ended, also when turns are queued", () =>
    ask(spec, [give('{"city":"Bern"}'), give('{"city":"Genf"}')], (agent) =>
      Effect.gen(function* () {
        const results = yield* Effect.all([agent.prompt("one"), agent.prompt("two")], {
          concurrency: "unbounded",
        })
        expect(results.map(({ answer }) => answer?.city)).toEqual(["Bern", "Genf"])
      }),
    ),
  )
})
