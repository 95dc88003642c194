/** A caller says something again because it does not know whether it was heard: it is heard once. */
import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import * as Agent from "../../src/loop/Agent.ts"
import { Ids } from "../../src/message/Ids.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callEcho, echo, gate, type Step, services, tell } from "./world.ts"

const once = { messageId: "m1" }
const rich: ReadonlyArray<Step> = [
  { calls: [{ name: "ecco", arguments: "{}" }], usage: { inputTokens: 5, outputTokens: 2 } },
  { text: "working", calls: [callEcho("a"), { name: "echo", arguments: "{" }] },
  { text: "done", usage: { inputTokens: 7, outputTokens: 1, cacheReadTokens: 3 } },
]

describe("a message that is said again under its id", () => {
  it.effect("is one message, one turn and one result, also for somebody who asks later", () =>
    tell(rich, { tools: Toolbox.make(echo) }, ({ agent, session, requests }) =>
      Effect.gen(function* () {
        const first = yield* agent.prompt("go", once)
        expect(first.refused).toHaveLength(2)
        expect(yield* agent.prompt("go", once)).toEqual(first)
        expect(yield* agent.send("go", once)).toBe("m1")
        expect(all(session, "user/message")).toHaveLength(1)
        expect(requests()).toHaveLength(3)
      }),
    ),
  )

  it.effect(
    "has all its callers wait for its one turn, and one that gives up takes nothing from the others",
    () => {
      const work = gate("work")
      return tell(
        [{ calls: [{ name: "work", arguments: "{}" }] }, { text: "done" }],
        { tools: Toolbox.make(work.tool) },
        ({ agent, session }) =>
          Effect.gen(function* () {
            const prompts = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(agent.prompt("go", once)))
            yield* work.started
            const [impatient, ...patient] = prompts
            if (impatient !== undefined) yield* Fiber.interrupt(impatient)
            yield* work.letGo
            for (const prompt of patient) expect((yield* Fiber.join(prompt)).text).toBe("done")
            expect(all(session, "user/message")).toHaveLength(1)
            expect(all(session, "turn/end")).toHaveLength(1)
          }),
      )
    },
  )

  it.effect.each(["limit", "failed", "aborted"] as const)("tells again how a turn ended: %s", (kind) => {
    const steps = {
      limit: [{ calls: [callEcho("a")] }],
      failed: [{ error: { code: "MODEL_REFUSED" as const, message: "no" } }],
      aborted: [{ calls: [{ name: "work", arguments: "{}" }] }],
    }[kind]
    const work = gate("work")
    return tell(steps, { tools: Toolbox.make(echo, work.tool), limits: { steps: 1 } }, ({ agent }) =>
      Effect.gen(function* () {
        const prompt = yield* Effect.forkChild(agent.prompt("go", once))
        if (kind === "aborted") yield* Effect.andThen(work.started, agent.abort("enough"))
        const first = yield* Fiber.join(prompt)
        expect(first.reason.kind).toBe(kind)
        const again = yield* agent.prompt("go", once)
        expect(again).toMatchObject({ ...first, ...(first.error && { error: { code: first.error.code } }) })
        expect(again.error?._tag).toBe(first.error?._tag)
      }),
    )
  })

  it.effect(
    "is told an end no sooner than it is synced, whatever else of the session is written first",
    () => {
      const writes: Array<Deferred.Deferred<void>> = []
      let isHeld = false
      const held = Layer.effect(
        SessionStore,
        Effect.map(SessionStore, (store) => ({
          ...store,
          create: (id) =>
            Effect.map(store.create(id), (writer) => ({
              append: (events, durability) => {
                if (!isHeld) return writer.append(events, durability)
                const write = Deferred.makeUnsafe<void>()
                writes.push(write)
                return Effect.andThen(Deferred.await(write), writer.append(events, durability))
              },
            })),
        })),
      ).pipe(Layer.provide(MemoryStore.layer))
      const letGo = Effect.suspend(() =>
        Effect.forEach(writes.splice(0), (write) => Deferred.succeed(write, undefined)),
      )
      const { model } = ScriptedModel.make({
        steps: [{ error: { code: "MODEL_OVERLOADED", message: "busy" } }],
      })
      return Effect.gen(function* () {
        const session = yield* SessionLog.create()
        const agent = yield* Agent.make({ session, tools: Toolbox.empty, limits: { steps: 1 } })
        const first = yield* Effect.forkChild(agent.prompt("go", once))
        yield* Effect.yieldNow.pipe(Effect.repeat({ until: () => all(session, "step/end").length > 0 }))
        isHeld = true
        const second = yield* Effect.forkChild(agent.prompt("go", once), { startImmediately: true })
        yield* TestClock.adjust("1 minute")
        expect(all(session, "turn/end")).toHaveLength(1)
        yield* letGo
        yield* Effect.repeat(Effect.yieldNow, { times: 20 })
        expect(second.pollUnsafe() === undefined).toBe(true)
        while (first.pollUnsafe() === undefined || second.pollUnsafe() === undefined)
          yield* Effect.andThen(letGo, Effect.yieldNow)
        expect(yield* Fiber.join(second)).toMatchObject({ reason: { kind: "limit" } })
        isHeld = false
      }).pipe(Effect.scoped, Effect.provide(services(model, held)))
    },
  )

  it.effect("with other words is refused, and changes nothing", () =>
    tell([{ text: "done" }], {}, ({ agent, session }) =>
      Effect.gen(function* () {
        yield* agent.prompt("go", once)
        const length = session.log().length
        for (const say of [
          Effect.asVoid(agent.prompt("stop", once)),
          Effect.asVoid(agent.send("stop", once)),
          Effect.asVoid(agent.inject("go", { ...once, source: "user" })),
          Effect.asVoid(agent.steer("stop", once)),
        ])
          expect(yield* Effect.flip(say)).toMatchObject({ _tag: "EventRejected", rule: "inbox.unique" })
        expect(session.log()).toHaveLength(length)
        expect((yield* agent.prompt("go on")).text).toBe("")
      }),
    ),
  )

  it.effect(
    "is refused when nobody chose its id: two messages are not one because their ids were drawn alike",
    () =>
      Effect.gen(function* () {
        const session = yield* SessionLog.create()
        const agent = yield* Agent.make({ session, tools: Toolbox.empty })
        yield* agent.prompt("go")
        expect(yield* Effect.flip(agent.prompt("go"))).toMatchObject({ rule: "inbox.unique" })
      }).pipe(
        Effect.scoped,
        Effect.provideService(Ids, { next: (kind) => `the-${kind}` }),
        Effect.provide(services(ScriptedModel.make({ steps: [{ text: "done" }] }).model)),
      ),
  )

  it.effect("is heard once as steering and as context as well", () =>
    tell([{ text: "done" }], {}, ({ agent, session }) =>
      Effect.gen(function* () {
        expect(yield* agent.inject("it rains", { source: "weather", messageId: "m1" })).toBe("m1")
        expect(yield* agent.inject("it rains", { source: "weather", messageId: "m1" })).toBe("m1")
        expect(yield* agent.steer("go", { messageId: "m2" })).toBe("m2")
        yield* agent.awaitIdle
        expect(yield* agent.steer("go", { messageId: "m2" })).toBe("m2")
        expect(all(session, "context/message")).toHaveLength(1)
        expect(all(session, "user/message")).toHaveLength(1)
        expect(all(session, "steering/message")).toHaveLength(0)
      }),
    ),
  )

  it.effect("gives its typed answer again, to the next process too", () => {
    const steps = [{ calls: [{ name: "final_answer", arguments: '{"sum":42}' }] }, { text: "no more" }]
    return Effect.gen(function* () {
      const session = yield* SessionLog.create()
      const ask = Effect.scoped(
        Effect.gen(function* () {
          const agent = yield* Agent.make({
            session,
            tools: Toolbox.empty,
            answer: { sum: { type: "number", required: true } },
          })
          return yield* agent.prompt("add", once)
        }),
      )
      const first = yield* ask
      expect(first.answer).toEqual({ sum: 42 })
      expect(yield* ask).toEqual(first)
    }).pipe(Effect.scoped, Effect.provide(services(ScriptedModel.make({ steps }).model)))
  })
})
