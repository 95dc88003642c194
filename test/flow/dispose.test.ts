/** Closing the agent's scope closes what runs; the session is left lawful and open for the next agent. */
import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope, Stream } from "effect"
import { describe, expect } from "vitest"
import { verify } from "../../src/invariant/Verifier.ts"
import * as Agent from "../../src/loop/Agent.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callBlock, chunks, finish, gate, handmade, logged, say, services, textBlock } from "./world.ts"

/** An agent whose scope is closed by hand, in a session that stays. */
const openAgent = <R>(tools: Toolbox.Toolbox<R>) =>
  Effect.gen(function* () {
    const session = yield* SessionLog.create()
    const scope = yield* Scope.make()
    const agent = yield* Scope.provide(Agent.make({ session, tools }), scope)
    return { session, agent, close: Scope.close(scope, Exit.void) }
  })

const tagOf = (call: Effect.Effect<unknown, Agent.AgentError>) =>
  Effect.map(Effect.flip(call), ({ _tag }) => _tag)

describe("closing the scope of an agent", () => {
  it.effect("in the middle of an answer ends the turn as disposed, and every later call is refused", () =>
    Effect.gen(function* () {
      const { session, agent, close } = yield* openAgent(Toolbox.empty)
      const prompt = yield* Effect.forkChild(agent.prompt("go"))
      const queued = yield* Effect.forkChild(Effect.flip(agent.prompt("and then")))
      yield* logged(session, "assistant/chunk")
      yield* close
      expect((yield* Fiber.join(prompt)).reason).toEqual({ kind: "disposed" })
      expect((yield* Fiber.join(queued))._tag).toBe("AgentDisposed")
      const late = [agent.prompt("a"), agent.send("b"), agent.steer("c"), agent.abort()].map(tagOf)
      expect(yield* Effect.all(late)).toEqual(late.map(() => "AgentDisposed"))
      yield* agent.awaitIdle
      expect(agent.status()).toBe("disposed")
      expect(session.status()).toBe("idle")
      expect(all(session, "turn/end")).toEqual([{ turn: 1, reason: { kind: "disposed" } }])
      expect(verify(session.log())).toEqual([])
    }).pipe(
      Effect.scoped,
      Effect.provide(services(handmade(() => Stream.concat(chunks(textBlock("0", "so far")), Stream.never)))),
    ),
  )

  it.effect("while a body runs logs how the body ended", () => {
    const work = gate("work")
    return Effect.gen(function* () {
      const { session, agent, close } = yield* openAgent(Toolbox.make(work.tool))
      yield* agent.send("go")
      yield* work.started
      yield* close
      expect(all(session, "tool/result")).toMatchObject([{ callId: "c1", outcome: "interrupted" }])
      expect(all(session, "turn/end")).toEqual([{ turn: 1, reason: { kind: "disposed" } }])
      expect(verify(session.log())).toEqual([])
    }).pipe(
      Effect.scoped,
      Effect.provide(services(handmade(() => chunks(callBlock("c1", "work", "{}"), finish("tool-calls"))))),
    )
  })

  it.effect("leaves queued messages to the next agent, which serves them at once", () =>
    Effect.gen(function* () {
      const { session, agent, close } = yield* openAgent(Toolbox.empty)
      yield* agent.send("one")
      yield* agent.send("two")
      yield* logged(session, "assistant/chunk")
      yield* close
      const next = yield* Agent.make({ session, tools: Toolbox.empty })
      yield* next.awaitIdle
      expect(all(session, "turn/end").map(({ reason }) => reason.kind)).toEqual(["disposed", "completed"])
      expect(session.state().pending).toEqual([])
      expect(verify(session.log())).toEqual([])
    }).pipe(
      Effect.scoped,
      Effect.provide(
        services(
          handmade(
            () => Stream.concat(chunks(textBlock("0", "so far")), Stream.never),
            () => say("two"),
          ),
        ),
      ),
    ),
  )
})
