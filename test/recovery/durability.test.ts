/**
 * What somebody is told, or does, stands on what is on the medium by then: the table of PROTOCOL "Durability".
 *
 * Not here: that a medium keeps what it says (`test/store`), that nothing is told too early by the store (`test/session`).
 */
import { it } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import { describe, expect } from "vitest"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import * as Agent from "../../src/loop/Agent.ts"
import type { Model } from "../../src/model/Model.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import * as Approver from "../../src/policy/Approver.ts"
import * as Guard from "../../src/policy/Guard.ts"
import type { Session } from "../../src/session/Session.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import { type Durability, SessionStore } from "../../src/store/SessionStore.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { services } from "../flow/world.ts"

type Kept = Durability | "not logged"

/** A medium that remembers how far it was written and synced when, and takes its time for both. */
const makeMedium = (stored: ReadonlyArray<SessionEvent> = []) => {
  const events = [...stored]
  let written = stored.length
  let synced = stored.length
  const writer = {
    append: (more: ReadonlyArray<SessionEvent>, durability: Durability) =>
      Effect.gen(function* () {
        events.push(...more)
        if (durability === "accepted") return
        const reached = events.length
        yield* Effect.yieldNow
        written = reached
        yield* Effect.yieldNow
        if (durability === "synced") synced = reached
      }),
  }
  const store = SessionStore.of({
    create: () => Effect.succeed(writer),
    open: () => Effect.succeed({ events: [...stored], writer }),
    read: () => Effect.die("not in this test"),
    list: Effect.succeed([]),
    locate: (id) => id,
  })
  /** How durable the latest event of a type is now. */
  const kept = (session: Session, type: SessionEvent["type"]): Kept => {
    const seq = session.log().findLast((event) => event.type === type)?.seq
    if (seq === undefined) return "not logged"
    if (seq < synced) return "synced"
    return seq < written ? "written" : "accepted"
  }
  return { layer: Layer.succeed(SessionStore, store), kept }
}

/** What was looked at, by whom, and how durable it was then. */
const makeNotebook = (kept: (session: Session, type: SessionEvent["type"]) => Kept) => {
  const heard: Array<readonly [by: string, type: string, kept: Kept]> = []
  let session: Session | undefined
  return {
    heard,
    begin: (opened: Session) => {
      session = opened
    },
    look: (by: string, ...types: ReadonlyArray<SessionEvent["type"]>) =>
      Effect.sync(() => {
        for (const type of types)
          heard.push([by, type, session === undefined ? "not logged" : kept(session, type)])
      }),
  }
}

type Notebook = ReturnType<typeof makeNotebook>

const call = (name: string) => ({ calls: [{ id: name, name, arguments: "{}" }] })

/** Before each answer, it looks at what the step before has left. */
const attentive = (model: Model["Service"], { look }: Notebook): Model["Service"] => {
  let asked = 0
  return {
    ...model,
    stream: (request) => {
      asked++
      const before =
        asked === 3 ? look("the request after an unsafe step", "tool/result", "step/end") : Effect.void
      return Stream.unwrap(Effect.as(before, model.stream(request)))
    },
  }
}

const toolsFor = ({ look }: Notebook, whileItRuns: () => Effect.Effect<unknown, unknown>) =>
  Toolbox.make(
    defineTool({
      name: "look_up",
      description: "Look",
      parameters: {},
      idempotent: true,
      run: () => Effect.as(look("an idempotent body", "tool/call"), "seen"),
    }),
    defineTool({
      name: "pay",
      description: "Pay",
      parameters: {},
      run: () => Effect.as(look("an unsafe body", "tool/call", "approval/decided"), "paid"),
    }),
    defineTool({
      name: "wait",
      description: "Wait",
      parameters: {},
      run: () => Effect.andThen(Effect.orDie(whileItRuns()), Effect.never),
    }),
  )

const askToPay = (notebook: Notebook) =>
  Layer.mergeAll(
    Guard.layer(({ tool }) => Effect.succeed(tool === "pay" ? Guard.ask("it is money") : Guard.allow)),
    Approver.layer(() => Effect.as(notebook.look("the approver", "approval/asked"), Approver.allow)),
  )

describe("durability", () => {
  it.effect("is what the contract says, whenever somebody is told or a body starts", () => {
    const medium = makeMedium()
    const notebook = makeNotebook(medium.kept)
    const { heard, look, begin } = notebook
    const { model } = ScriptedModel.make({
      steps: [call("look_up"), call("pay"), { text: "done" }, call("wait")],
    })
    return Effect.gen(function* () {
      const session = yield* SessionLog.create()
      begin(session)
      yield* look("create", "session/start")
      const said: { agent?: Agent.Agent } = {}
      const whileItRuns = () =>
        Effect.gen(function* () {
          if (said.agent === undefined) return
          yield* said.agent.steer("use B")
          yield* look("steer", "steering/message")
          yield* Effect.forkDetach(Effect.andThen(said.agent.abort("enough"), look("abort", "turn/abort")))
        })
      const agent = yield* Agent.make({ session, tools: toolsFor(notebook, whileItRuns) })
      said.agent = agent
      yield* agent.inject("it rains", { source: "weather" })
      yield* look("inject", "context/message")
      yield* agent.send("go")
      yield* look("send", "user/message")
      yield* agent.awaitIdle
      yield* agent.prompt("go on")
      yield* look("prompt", "turn/end")
      expect(heard).toEqual([
        ["create", "session/start", "synced"],
        ["inject", "context/message", "synced"],
        ["send", "user/message", "synced"],
        ["an idempotent body", "tool/call", "written"],
        ["the approver", "approval/asked", "synced"],
        ["an unsafe body", "tool/call", "synced"],
        ["an unsafe body", "approval/decided", "synced"],
        ["the request after an unsafe step", "tool/result", "synced"],
        ["the request after an unsafe step", "step/end", "synced"],
        ["steer", "steering/message", "synced"],
        ["abort", "turn/abort", "synced"],
        ["prompt", "turn/end", "synced"],
      ])
    }).pipe(
      Effect.scoped,
      Effect.provide([services(attentive(model, notebook), medium.layer), askToPay(notebook)]),
    )
  })

  it.effect("covers a message that is said again: it is told once the first is on the medium", () => {
    const medium = makeMedium()
    const notebook = makeNotebook(medium.kept)
    const { model } = ScriptedModel.make({ steps: [{ text: "done" }] })
    return Effect.gen(function* () {
      const session = yield* SessionLog.create()
      notebook.begin(session)
      const agent = yield* Agent.make({ session, tools: Toolbox.empty })
      const first = yield* Effect.forkChild(
        agent.inject("it rains", { source: "weather", messageId: "m1" }),
        {
          startImmediately: true,
        },
      )
      yield* agent.inject("it rains", { source: "weather", messageId: "m1" })
      yield* notebook.look("the second time", "context/message")
      yield* Fiber.join(first)
      expect(notebook.heard).toEqual([["the second time", "context/message", "synced"]])
    }).pipe(Effect.scoped, Effect.provide(services(model, medium.layer)))
  })
})
