/** The disk fails in the middle of a turn: nobody is told that anything went well, and nothing more starts. */
import { it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { describe, expect } from "vitest"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import * as Agent from "../../src/loop/Agent.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import { StoreUnavailable } from "../../src/store/StoreError.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { type Step, services } from "./world.ts"

/** A store in memory that fails the first write which holds such an event. */
const failingAt = (
  isLast: (event: SessionEvent) => boolean,
  isLastWrite: () => boolean = () => false,
): Layer.Layer<SessionStore> =>
  Layer.effect(
    SessionStore,
    Effect.map(SessionStore, (store) => ({
      ...store,
      create: (id) =>
        Effect.map(store.create(id), (writer) => ({
          append: (events, durability) =>
            isLastWrite() || events.some(isLast)
              ? Effect.fail(
                  new StoreUnavailable({ operation: "append", reason: "ENOSPC", message: "disk full" }),
                )
              : writer.append(events, durability),
        })),
    })),
  ).pipe(Layer.provide(MemoryStore.layer))

const started: Array<string> = []
const note = defineTool({
  name: "note",
  description: "Remember that it ran",
  parameters: { word: { type: "string", required: true } },
  run: ({ word }) => Effect.sync(() => started.push(word)),
})

const note3: Step = {
  calls: ["a", "b", "c"].map((word) => ({ id: word, name: "note", arguments: JSON.stringify({ word }) })),
}

/** A store in memory that fails the nth write, counted from 0. */
const failingAtWrite = (n: number): Layer.Layer<SessionStore> => {
  let written = 0
  return failingAt(
    () => false,
    () => written++ === n,
  )
}

const failAt = (isLast: (event: SessionEvent) => boolean) =>
  Effect.gen(function* () {
    started.length = 0
    const session = yield* SessionLog.create()
    const agent = yield* Agent.make({ session, tools: Toolbox.make(note), concurrency: 1 })
    const [error, queued] = yield* Effect.all(
      [Effect.flip(agent.prompt("go")), Effect.flip(agent.prompt("and then"))],
      {
        concurrency: "unbounded",
      },
    )
    yield* agent.awaitIdle
    expect(agent.status()).toBe("disposed")
    const late = yield* Effect.flip(agent.send("hello?"))
    expect(late._tag).toBe("AgentDisposed")
    return { error, queued, started }
  }).pipe(
    Effect.scoped,
    Effect.provide(
      services(ScriptedModel.make({ steps: [note3, { text: "done" }] }).model, failingAt(isLast)),
    ),
  )

/** Two prompts over a store that fails its nth write; what ran, and what the store had by then. */
const runTo = (n: number) =>
  Effect.gen(function* () {
    started.length = 0
    const session = yield* SessionLog.create()
    const agent = yield* Agent.make({ session, tools: Toolbox.make(note) })
    const exits = yield* Effect.all(
      [Effect.exit(agent.prompt("go")), Effect.exit(agent.prompt("and then"))],
      {
        concurrency: "unbounded",
      },
    )
    yield* agent.awaitIdle
    const store = yield* SessionStore
    const kept = yield* store.read(session.id)
    const calls = kept.flatMap((event) => (event.type === "tool/call" ? [event.data.callId] : []))
    return { exits, calls, ran: [...started], status: agent.status() }
  }).pipe(
    Effect.scoped,
    Effect.provide(
      services(ScriptedModel.make({ steps: [note3, { text: "done" }] }).model, failingAtWrite(n)),
    ),
  )

describe("a write that fails", () => {
  it.effect("wherever it is, leaves nobody waiting, and no body ran whose call is not kept", () =>
    Effect.gen(function* () {
      let n = 1
      for (let status = "disposed"; status === "disposed"; n++) {
        const run = yield* runTo(n)
        status = run.status
        expect(run.ran.filter((word) => !run.calls.includes(word))).toEqual([])
        expect(run.exits.every(Exit.isSuccess)).toBe(status === "idle")
      }
      expect(n).toBeGreaterThan(8)
    }),
  )

  it.effect(
    "at the first result lets no further body start, and fails the prompt with the store's error",
    () =>
      Effect.gen(function* () {
        const { error, queued, started } = yield* failAt((event) => event.type === "tool/result")
        expect(error).toMatchObject({ _tag: "StoreUnavailable", reason: "ENOSPC" })
        expect(queued._tag).toBe("StoreUnavailable")
        expect(started).toEqual(["a"])
      }),
  )

  it.effect("at tool/call keeps the body from starting", () =>
    Effect.gen(function* () {
      const { error, started } = yield* failAt((event) => event.type === "tool/call")
      expect(error._tag).toBe("StoreUnavailable")
      expect(started).toEqual([])
    }),
  )

  it.effect("at the end of the turn is not told as an end", () =>
    Effect.gen(function* () {
      const { error } = yield* failAt((event) => event.type === "turn/end")
      expect(error._tag).toBe("StoreUnavailable")
    }),
  )

  it.effect("at the start of the turn is told as well", () =>
    Effect.gen(function* () {
      const { error } = yield* failAt((event) => event.type === "turn/start")
      expect(error._tag).toBe("StoreUnavailable")
    }),
  )
})
