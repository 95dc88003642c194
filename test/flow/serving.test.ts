/** What would wait for itself is told so at once: two agents of one session, and a body that prompts its own agent. */
import { it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Layer } from "effect"
import { describe, expect } from "vitest"
import * as Agent from "../../src/loop/Agent.ts"
import { Model } from "../../src/model/Model.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import * as Approver from "../../src/policy/Approver.ts"
import * as Guard from "../../src/policy/Guard.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import type { SessionStore } from "../../src/store/SessionStore.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callEcho, echo, services, tell } from "./world.ts"

const defectOf = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : ""

describe("a session", () => {
  it.effect("is served by one agent at a time; a second one dies before it writes", () =>
    tell([{ text: "hi" }], {}, ({ agent, session }) =>
      Effect.gen(function* () {
        const events = session.log().length
        const { model } = ScriptedModel.make({ steps: [] })
        const second = Effect.scoped(Agent.make({ session, tools: Toolbox.empty }))
        const exit = yield* Effect.exit(Effect.provideService(second, Model, model))
        expect(defectOf(exit)).toContain(`Session ${session.id} is served by an agent already`)
        expect(session.log().length).toBe(events)
        expect((yield* agent.prompt("hello")).text).toBe("hi")
      }),
    ),
  )

  it.effect("is free again when the scope of its agent has closed, also of one that never began", () =>
    Effect.gen(function* () {
      const session = yield* SessionLog.create()
      const serve = (limits: { readonly steps: number }) =>
        Effect.scoped(
          Effect.flatMap(Agent.make({ session, tools: Toolbox.empty, limits }), (agent) =>
            agent.prompt("hello"),
          ),
        )
      yield* serve({ steps: 1 })
      yield* Effect.exit(serve({ steps: -1 }))
      expect((yield* serve({ steps: 1 })).reason.kind).toBe("completed")
    }).pipe(Effect.scoped, Effect.provide(services(ScriptedModel.make({ steps: [] }).model))),
  )
})

describe("a body", () => {
  const inBody = (work: (agent: Agent.Agent) => Effect.Effect<unknown, unknown>) => {
    const made = Deferred.makeUnsafe<Agent.Agent>()
    const tool = defineTool({
      name: "reflect",
      description: "",
      parameters: {},
      run: () => Effect.as(Effect.flatMap(Deferred.await(made), work), "done"),
    })
    const steps = [{ calls: [{ name: "reflect", arguments: "{}" }] }, { text: "ready" }]
    return tell(steps, { tools: Toolbox.make(tool) }, ({ agent, session }) =>
      Effect.gen(function* () {
        yield* Deferred.succeed(made, agent)
        const { text } = yield* agent.prompt("go")
        yield* agent.awaitIdle
        return { text, results: all(session, "tool/result") }
      }),
    )
  }

  it.effect.each([
    ["prompt", (agent: Agent.Agent) => agent.prompt("and you?")],
    ["awaitIdle", (agent: Agent.Agent) => agent.awaitIdle],
  ] as const)("that waits for a turn of its own agent is told so: %s", ([method, work]) =>
    Effect.map(inBody(work), ({ text, results }) => {
      expect(text).toBe("ready")
      expect(results).toMatchObject([{ outcome: "defect" }])
      expect(JSON.stringify(results)).toContain(`${method} waits for a turn of session`)
    }),
  )

  it.effect("may speak to its own agent without waiting", () =>
    Effect.map(
      inBody((agent) => Effect.andThen(agent.steer("faster"), agent.send("and then this"))),
      ({ results }) => expect(results).toMatchObject([{ outcome: "success" }]),
    ),
  )

  it.effect("may have an agent with a session of its own, whose body may not wait for the outer one", () =>
    Effect.gen(function* () {
      const outer = yield* Deferred.make<Agent.Agent>()
      const deep = defineTool({
        name: "deep",
        description: "",
        parameters: {},
        run: () => Effect.flatMap(Deferred.await(outer), (agent) => agent.prompt("up")),
      })
      const inner = ScriptedModel.layer({
        steps: [{ calls: [{ name: "deep", arguments: "{}" }] }, { text: "inner" }],
      })
      const delegate = defineTool({
        name: "delegate",
        description: "",
        parameters: {},
        run: () =>
          Effect.gen(function* () {
            const session = yield* SessionLog.create()
            const agent = yield* Agent.make({ session, tools: Toolbox.make(deep) })
            const { text } = yield* agent.prompt("go")
            return { text, outcome: all(session, "tool/result").map((result) => result.outcome) }
          }).pipe(Effect.scoped, Effect.provide(Layer.merge(MemoryStore.layer, inner)), Effect.orDie),
      })
      const steps = [{ calls: [{ name: "delegate", arguments: "{}" }] }, { text: "outer" }]
      const results = yield* tell(steps, { tools: Toolbox.make(delegate) }, ({ agent, session }) =>
        Effect.gen(function* () {
          yield* Deferred.succeed(outer, agent)
          expect((yield* agent.prompt("go")).text).toBe("outer")
          return all(session, "tool/result")
        }),
      )
      expect(results).toMatchObject([
        { outcome: "success", structured: { text: "inner", outcome: ["defect"] } },
      ])
    }),
  )
})

describe("a question inside of a body", () => {
  const asking = (work: Effect.Effect<unknown, unknown, SessionStore>) => {
    const asked: Array<string> = []
    const approver: Approver.Approver = ({ tool, callId }) =>
      Effect.sync(() => {
        asked.push(`${tool} ${callId}`)
        return Approver.allow
      })
    const tool = defineTool({ name: "outer", description: "", parameters: {}, run: () => Effect.orDie(work) })
    const steps = [{ calls: [{ id: "c1", name: "outer", arguments: "{}" }] }, { text: "ready" }]
    return tell(steps, { tools: Toolbox.make(tool) }, ({ agent, session }) =>
      Effect.map(agent.prompt("go"), ({ reason }) => ({
        asked,
        kind: reason.kind,
        logged: all(session, "approval/asked").map(({ callId }) => callId),
        outcomes: all(session, "tool/result").map(({ outcome }) => outcome),
      })),
    ).pipe(
      Effect.provide([
        Approver.layer(approver),
        Guard.layer(Guard.forTool(echo, () => Guard.ask("sure?"))),
        MemoryStore.layer,
      ]),
    )
  }

  it.effect("of a tool that it runs goes to the approver, and not into the log", () =>
    Effect.gen(function* () {
      const told = yield* asking(Tool.run(echo)('{"word":"hi"}', { callId: "c9" }))
      expect(told).toEqual({ asked: ["echo c9"], kind: "completed", logged: [], outcomes: ["success"] })
    }),
  )

  it.effect(
    "of an agent of its own goes to the same approver, and into that one's log, whatever its calls are called",
    () =>
      Effect.gen(function* () {
        const inner: Array<string> = []
        const told = yield* asking(
          Effect.gen(function* () {
            const session = yield* SessionLog.create()
            const agent = yield* Agent.make({ session, tools: Toolbox.make(echo) })
            yield* agent.prompt("go")
            inner.push(...all(session, "approval/asked").map(({ callId }) => callId))
          }).pipe(
            Effect.scoped,
            Effect.provide(
              ScriptedModel.layer({ steps: [{ calls: [callEcho("hi", "c1")] }, { text: "inner" }] }),
            ),
          ),
        )
        expect(told).toEqual({ asked: ["echo c1"], kind: "completed", logged: [], outcomes: ["success"] })
        expect(inner).toEqual(["c1"])
      }),
  )
})
