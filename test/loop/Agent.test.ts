import { it } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import { describe, expect } from "vitest"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import * as Agent from "../../src/loop/Agent.ts"
import { ofJson, sha256 } from "../../src/message/Digest.ts"
import { Model } from "../../src/model/Model.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import { deriveMessages } from "../../src/session/History.ts"
import { Observer, type SessionObserver } from "../../src/session/Observer.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callEcho, echo, gate, services, tell, types } from "../flow/world.ts"

describe("request/config", () => {
  it.effect("is logged before the first request and again only when it changes", () =>
    Effect.gen(function* () {
      const session = yield* SessionLog.create()
      const serve = (options: Partial<Agent.Options<never, never>>) =>
        Effect.scoped(
          Effect.gen(function* () {
            const agent = yield* Agent.make({ session, tools: Toolbox.make(echo), ...options })
            yield* agent.prompt("hello")
          }),
        )
      yield* serve({ instructions: "be brief" })
      yield* serve({ instructions: "be brief" })
      yield* serve({
        instructions: "be long",
        sampling: { temperature: 0.5, maxTokens: 10 },
        toolChoice: "none",
      })
      expect(all(session, "request/config")).toMatchObject([
        {
          model: "script:inline",
          system: "be brief",
          parameters: { toolChoice: "auto" },
          tools: [{ name: "echo" }],
        },
        { system: "be long", parameters: { temperature: 0.5, maxTokens: 10, toolChoice: "none" } },
      ])
      const seqs = session.log().flatMap(({ type, seq }) => (type === "request/config" ? [seq] : []))
      expect(all(session, "step/start").map(({ request }) => request?.config)).toEqual([
        seqs[0],
        seqs[0],
        seqs[1],
      ])
    }).pipe(Effect.scoped, Effect.provide(services(ScriptedModel.make({ steps: [] }).model))),
  )

  it.effect("is what the model is given", () =>
    tell(
      [{ text: "hi" }],
      { instructions: "be brief", sampling: { seed: 7 }, toolChoice: "required", tools: Toolbox.make(echo) },
      ({ agent, requests }) =>
        Effect.map(agent.prompt("hello"), () =>
          expect(requests()[0]).toMatchObject({
            system: "be brief",
            sampling: { seed: 7 },
            toolChoice: "required",
            tools: [{ name: "echo", description: "Say a word back" }],
          }),
        ),
    ),
  )
})

describe("the digest of a request", () => {
  it.effect("can be computed from the log alone, claims included", () => {
    const work = gate("work")
    return tell(
      [{ calls: [{ name: "work", arguments: "{}" }] }, { text: "ok" }],
      { tools: Toolbox.make(work.tool) },
      ({ agent, session }) =>
        Effect.gen(function* () {
          yield* agent.send("go")
          yield* work.started
          yield* agent.steer("faster")
          yield* work.letGo
          yield* agent.awaitIdle
          const log = session.log()
          const starts = log.filter((event) => event.type === "step/start")
          expect(starts).toHaveLength(2)
          for (const start of starts) expect(start.data.request?.digest).toBe(digestFrom(log, start.seq))
        }),
    )
  })
})

/** ADR 0008, written down a second time. */
const digestFrom = (log: ReadonlyArray<SessionEvent>, seq: number): string => {
  const config = log.findLast((event) => event.type === "request/config" && event.seq < seq)
  if (config?.type !== "request/config") throw new Error("no config")
  const messages = deriveMessages(log.slice(0, seq + 1))
  return messages.reduce(
    (digest, { role, content }) => sha256(digest + ofJson({ role, content })),
    ofJson({ ...config.data }),
  )
}

describe("an agent", () => {
  it.effect("tells its status and everything that happens", () => {
    const work = gate("work")
    return tell(
      [{ calls: [{ name: "work", arguments: "{}" }] }, { text: "ok" }],
      { tools: Toolbox.make(work.tool) },
      ({ agent, session }) =>
        Effect.gen(function* () {
          const before = session.log().length
          const heard = yield* Effect.forkChild(
            Stream.runCollect(Stream.takeUntil(agent.events, (event) => event.type === "turn/end")),
            { startImmediately: true },
          )
          expect(agent.status()).toBe("idle")
          yield* agent.send("go")
          yield* work.started
          expect(agent.status()).toBe("running")
          yield* work.letGo
          yield* agent.awaitIdle
          expect(agent.status()).toBe("idle")
          expect(yield* Fiber.join(heard)).toEqual(session.log().slice(before))
        }),
    )
  })

  it.effect("closes the turn that a dead process left open when it is told to, and answers what waits", () =>
    Effect.gen(function* () {
      const session = yield* SessionLog.create()
      const content = [{ type: "text", text: "hello" }] as const
      yield* session.append("synced", () => [
        { type: "user/message", data: { messageId: "m1", content, source: "user" } },
        { type: "user/message", data: { messageId: "m2", content, source: "user" } },
        { type: "turn/start", data: { turn: 1, trigger: { kind: "message" }, claims: ["m1"] } },
        { type: "step/start", data: { turn: 1, step: 1, claims: [] } },
      ])
      const agent = yield* Agent.make({ session, tools: Toolbox.empty, openTurn: "close" })
      yield* agent.awaitIdle
      expect(all(session, "turn/end").map(({ reason }) => reason.kind)).toEqual(["interrupted", "completed"])
      expect(session.state().pending).toEqual([])
    }).pipe(Effect.scoped, Effect.provide(services(ScriptedModel.make({ steps: [{ text: "hi" }] }).model))),
  )

  it.effect("gives calls new ids when an earlier process has used the provider's", () =>
    Effect.gen(function* () {
      const session = yield* SessionLog.create()
      const serve = Effect.scoped(
        Effect.gen(function* () {
          const agent = yield* Agent.make({ session, tools: Toolbox.make(echo) })
          yield* agent.prompt("go")
        }),
      )
      yield* serve
      yield* serve
      const ids = all(session, "tool/call").map(({ callId }) => callId)
      expect(ids[0]).toBe("call_0")
      expect(new Set(ids).size).toBe(2)
    }).pipe(
      Effect.scoped,
      Effect.provide(
        services(
          ScriptedModel.make({
            steps: [{ calls: [callEcho("a", "call_0")] }, { text: "" }, { calls: [callEcho("b", "call_0")] }],
          }).model,
        ),
      ),
    ),
  )

  it.effect("lets nothing swallow what an observer throws", () => {
    const strict: Observer = {
      watch: (): SessionObserver => ({
        onAppend: (events) => {
          if (events.some(({ type }) => type === "tool/result")) throw new Error("not lawful")
        },
        onStatus: () => {},
        onAcknowledge: () => {},
        onRequest: () => {},
      }),
    }
    return Effect.gen(function* () {
      const session = yield* SessionLog.create()
      const agent = yield* Agent.make({ session, tools: Toolbox.make(echo) })
      const exit = yield* Effect.exit(agent.prompt("go"))
      expect(String(exit)).toContain("not lawful")
      expect(exit).toMatchObject({ cause: { reasons: [{ _tag: "Die" }] } })
      expect(yield* Effect.exit(agent.awaitIdle)).toMatchObject({ cause: { reasons: [{ _tag: "Die" }] } })
      expect(types(session)).not.toContain("tool/result")
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Layer.mergeAll(
          MemoryStore.layer,
          Layer.succeed(Observer, strict),
          Layer.succeed(Model, ScriptedModel.make({ steps: [{ calls: [callEcho("a")] }] }).model),
        ),
      ),
    )
  })
})
