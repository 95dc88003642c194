import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { it } from "@effect/vitest"
import { Cause, Clock, Effect, Exit, Fiber, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it as plain } from "vitest"
import * as Rule from "../../src/contract/Rule.ts"
import * as SessionEvent from "../../src/event/SessionEvent.ts"
import * as DevInvariants from "../../src/invariant/DevInvariants.ts"
import * as Agent from "../../src/loop/Agent.ts"
import type { Model } from "../../src/model/Model.ts"
import type * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as JsonlStore from "../../src/store/JsonlStore.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import * as TestHarness from "../../src/testing/TestHarness.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"

const script: ScriptedModel.Plan = { steps: [{ text: "Hello." }, { text: "Bye." }] }

/** Say something in a session of its own. */
const talk = Effect.gen(function* () {
  const session = yield* SessionLog.create()
  const agent = yield* Agent.make({ session, tools: Toolbox.empty })
  const { text } = yield* agent.prompt("Hi")
  return { text, id: session.id, log: session.log() }
})

/** A store that keeps something else than it was given. */
const storing = (change: (event: SessionEvent.SessionEvent) => ReadonlyArray<SessionEvent.SessionEvent>) =>
  Layer.effect(
    SessionStore,
    Effect.map(SessionStore, (store) => ({
      ...store,
      read: (id) => Effect.map(store.read(id), (events) => events.flatMap(change)),
    })),
  ).pipe(Layer.provide(Layer.fresh(MemoryStore.layer)))

/** How a test ends whose store is like that. */
const endOf = (change: (event: SessionEvent.SessionEvent) => ReadonlyArray<SessionEvent.SessionEvent>) =>
  talk.pipe(
    Effect.scoped,
    Effect.provide(TestHarness.layer(script, { store: storing(change) })),
    Effect.exit,
    Effect.map((exit) => (Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)),
  )

describe("a test harness", () => {
  it.effect("gives an agent all that it needs, and counts ids from the start in each test", () =>
    Effect.gen(function* () {
      const once = Effect.provide(Effect.scoped(talk), TestHarness.layer(script))
      const [first, second] = [yield* once, yield* once]
      expect([first.text, first.id]).toEqual(["Hello.", "session-1"])
      expect(second.log).toEqual(first.log)
    }),
  )

  it.effect("shows what the model was asked", () =>
    Effect.gen(function* () {
      yield* talk
      const requests = yield* TestHarness.Requests
      expect(requests().map(({ messages }) => messages.length)).toEqual([1])
    }).pipe(Effect.scoped, Effect.provide(TestHarness.layer(script))),
  )

  it.effect("breaks the turn of a request too many", () =>
    Effect.gen(function* () {
      const session = yield* SessionLog.create()
      const agent = yield* Agent.make({ session, tools: Toolbox.empty, modelRetries: 0 })
      const { reason } = yield* agent.prompt("Hi")
      expect(reason.kind).toBe("failed")
      expect(JSON.stringify(session.log())).toContain("has 0 steps, and was asked for another")
    }).pipe(Effect.scoped, Effect.provide(TestHarness.layer({ steps: [] }))),
  )

  plain("stops the clock where no runner has, and lets the test move it", async () => {
    const program = Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.andThen(Effect.sleep("1 hour"), Clock.currentTimeMillis))
      yield* TestClock.adjust("1 hour")
      return yield* Fiber.join(fiber)
    })
    expect(await Effect.runPromise(Effect.provide(program, TestHarness.layer(script)))).toBe(3_600_000)
  })

  it.effect("keeps the clock of the runner", () =>
    Effect.gen(function* () {
      const outer = yield* Clock.Clock
      const inner = yield* Effect.provide(Clock.Clock, TestHarness.layer(script))
      expect(inner).toBe(outer)
    }),
  )

  it.effect("takes a model and a store of one's own", () =>
    Effect.gen(function* () {
      const { id } = yield* talk
      const store = yield* SessionStore
      expect(store.locate(id)).toBe(`memory:${id}`)
      expect((yield* store.read(id)).length).toBeGreaterThan(5)
    }).pipe(Effect.scoped, Effect.provide(TestHarness.layer(script, { store: MemoryStore.layer }))),
  )

  it.effect("dies of a rule that is broken while the test runs", () =>
    Effect.gen(function* () {
      const session = yield* SessionLog.create()
      const early = session.append("written", () => [{ type: "step/end", data: { turn: 1, step: 1 } }])
      const exit = yield* Effect.exit(early)
      expect(Exit.isFailure(exit) && String(Cause.squash(exit.cause))).toMatch(/step\.\w+ is broken at seq 1/)
    }).pipe(Effect.scoped, Effect.provide(TestHarness.layer(script))),
  )
})

describe("the end of a test", () => {
  it.effect("is quiet when every session reads as it was lived, also one that is still open", () =>
    Effect.gen(function* () {
      const { text } = yield* Effect.provide(talk, TestHarness.layer(script))
      expect(text).toBe("Hello.")
    }),
  )

  it.effect("is quiet over logs in files, also of sessions that are open and not all written", () =>
    Effect.gen(function* () {
      const directory = mkdtempSync(join(tmpdir(), "effect-harness-"))
      const store = Layer.provide(JsonlStore.layer({ directory }), NodeServices.layer)
      yield* Effect.gen(function* () {
        yield* talk
        const { append } = yield* SessionLog.create()
        yield* append("accepted", () => [
          { type: "context/message", data: { messageId: "m", content: [], source: "test" } },
        ])
      }).pipe(Effect.provide(TestHarness.layer(script, { store })))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(directory, { recursive: true })))
    }),
  )

  it.effect("fails when a session cannot be told from its log, in words that show the place", () =>
    Effect.gen(function* () {
      const error = yield* endOf((event) =>
        event.type === "user/message"
          ? [{ ...event, data: { ...event.data, content: [{ type: "text", text: "Ho" }] } }]
          : [event],
      )
      expect(error).toMatchObject({ name: "ReplayFailed", sessionIds: ["session-1"] })
      const [head, ...lines] = String(error).split("\n")
      expect(head).toBe("ReplayFailed: session-1 does not read as it was lived:")
      expect(lines[0]).toMatch(/^ {2}seq 1 {2}stored as 1 user\/message .*"Ho".*, appended as .*"Hi"/)
      expect(lines.filter((line) => line.startsWith("  > "))).toEqual([
        expect.stringMatching(/^ {2}> 1 user\/message/),
      ])
      expect(lines.join("\n")).toContain("request: its digest is")
      expect(lines.join("\n")).toContain("the model was sent another history than the log derives")
    }),
  )

  it.effect("fails when a stored log breaks a rule", () =>
    Effect.gen(function* () {
      const error = yield* endOf((event) => (event.type === "step/end" ? [] : [event]))
      expect(String(error)).toContain("step.nests: ")
    }),
  )

  it.effect("fails when less is stored than was told", () =>
    Effect.gen(function* () {
      const error = yield* endOf((event) => (event.type === "turn/end" ? [] : [event]))
      expect(String(error)).toMatch(/the log ends before it, though seq \d+ was told as stored/)
    }),
  )

  it.effect("fails when a session cannot be read at all", () =>
    Effect.gen(function* () {
      const store = Layer.effect(
        SessionStore,
        Effect.map(SessionStore, (inner) => ({ ...inner, read: () => inner.read("gone") })),
      ).pipe(Layer.provide(Layer.fresh(MemoryStore.layer)))
      const exit = yield* talk.pipe(
        Effect.scoped,
        Effect.provide(TestHarness.layer(script, { store })),
        Effect.exit,
      )
      expect(Exit.isFailure(exit) && String(Cause.squash(exit.cause))).toContain(
        "session-1 cannot be read again: there is no session gone",
      )
    }),
  )

  it.effect("names each session that fails, in a test that makes many", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.all([talk, talk]).pipe(
        Effect.scoped,
        Effect.provide(
          TestHarness.layer(script, {
            store: storing((event) => (event.type === "session/start" ? [{ ...event, at: 1 }] : [event])),
          }),
        ),
        Effect.exit,
      )
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({
        sessionIds: ["session-1", "session-2"],
      })
    }),
  )
})

/** A rule of one's own that the script breaks with its second answer. */
const brief = Rule.make({
  id: "acme.brief",
  statement: "A session has one turn.",
  hint: "Make a session for each question.",
  on: ["turn/end"],
  initial: 0,
  step: (turns) => (turns === 0 ? 1 : new Rule.Broken(turns, ["a second turn ends"])),
})

const talkTwice = Effect.gen(function* () {
  const session = yield* SessionLog.create()
  const agent = yield* Agent.make({ session, tools: Toolbox.empty })
  yield* agent.prompt("Hi")
  yield* Effect.exit(agent.prompt("And?"))
  return session.log()
})

describe("rules of one's own", () => {
  it.effect("are checked while the test runs", () =>
    Effect.gen(function* () {
      const log = yield* talkTwice
      expect(log.filter(({ type }) => type === "turn/end").length).toBe(1)
    }).pipe(Effect.scoped, Effect.provide(TestHarness.layer(script, { rules: [brief] }))),
  )

  it.effect("are checked again in what is stored", () =>
    Effect.gen(function* () {
      const twice = storing((event) => (event.type === "turn/end" ? [event, event] : [event]))
      const exit = yield* talk.pipe(
        Effect.scoped,
        Effect.provide(TestHarness.layer(script, { store: twice, rules: [brief] })),
        Effect.exit,
      )
      expect(Exit.isFailure(exit) && String(Cause.squash(exit.cause))).toContain(
        "acme.brief: a second turn ends. Make a session for each question.",
      )
    }),
  )

  it.effect("are collected where that is asked for, and then fail nothing at the end", () =>
    Effect.gen(function* () {
      yield* talkTwice
      expect(yield* DevInvariants.violations).toMatchObject([{ rule: "acme.brief", sessionId: "session-1" }])
    }).pipe(Effect.scoped, Effect.provide(TestHarness.layer(script, { rules: [brief], mode: "collect" }))),
  )

  it.effect("may be those that only a stored log can be held to", () =>
    Effect.gen(function* () {
      const late = { ...brief, mode: "O" as const }
      const exit = yield* talkTwice.pipe(
        Effect.scoped,
        Effect.provide(TestHarness.layer(script, { rules: [late], only: ["acme"] })),
        Effect.exit,
      )
      expect(Exit.isFailure(exit) && String(Cause.squash(exit.cause))).toContain("acme.brief: a second turn")
    }),
  )

  it.effect("and ours are picked by name, and a name that fits none is told", () =>
    Effect.gen(function* () {
      yield* talkTwice.pipe(
        Effect.scoped,
        Effect.provide(TestHarness.layer(script, { rules: [brief], except: ["acme"] })),
      )
      const error = yield* Effect.flip(
        Effect.provide(Effect.void, TestHarness.layer(script, { only: ["turns"] })),
      )
      expect(error._tag).toBe("UnknownInvariant")
    }),
  )
})

/** A log that no session has written. */
const writeOld = Effect.gen(function* () {
  const writer = yield* (yield* SessionStore).create("old")
  const data = { version: SessionEvent.version, id: "old", createdAt: 0 } as const
  yield* writer.append([{ seq: 0, at: 0, type: "session/start", data }], "synced")
})

describe("a session that the harness does not see", () => {
  const lossy = storing((event) => (event.type === "turn/end" ? [] : [event]))
  const beside = Layer.merge(
    TestHarness.layer(script, { store: lossy }),
    DevInvariants.layer({ rules: [brief] }),
  )

  const unseen = (use: Effect.Effect<unknown, unknown, Scope.Scope | SessionStore | Model>) =>
    Effect.gen(function* () {
      const exit = yield* use.pipe(Effect.scoped, Effect.provide(beside), Effect.exit)
      const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      expect(error).toMatchObject({ name: "ReplayFailed" })
      expect(String(error)).toContain("a layer inside of this one has replaced its observer")
      expect(String(error)).toContain("TestHarness.layer(script, { rules })")
    })

  it.effect("fails the test that begins it", () => unseen(talk))

  it.effect("fails the test that opens it", () =>
    unseen(Effect.andThen(Effect.scoped(writeOld), SessionLog.open("old"))),
  )

  it.effect("is none where only the store is written to", () =>
    Effect.gen(function* () {
      yield* writeOld
      expect((yield* (yield* SessionStore).read("old")).length).toBe(1)
    }).pipe(Effect.scoped, Effect.provide(TestHarness.layer(script))),
  )
})
