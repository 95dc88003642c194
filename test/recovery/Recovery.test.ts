import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import type { EventDraft } from "../../src/event/SessionEvent.ts"
import * as DevInvariants from "../../src/invariant/DevInvariants.ts"
import { drafts, find, message, nth, upTo } from "../../src/mutant/Story.ts"
import { close } from "../../src/recovery/Recovery.ts"
import { create, open } from "../../src/session/SessionLog.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"

const world = Layer.mergeAll(MemoryStore.layer, DevInvariants.layer())

/** Leave a log behind as a dead process would, open it again, and close its turn. */
const closeAfter = (log: ReadonlyArray<EventDraft>) =>
  Effect.gen(function* () {
    yield* Effect.scoped(
      Effect.flatMap(create({ id: "s" }), (session) => session.append("synced", () => log.slice(1))),
    )
    const session = yield* open("s")
    const before = session.log().length
    yield* close(session)
    return { session, added: session.log().slice(before) }
  })

const results = (added: ReadonlyArray<{ readonly type: string; readonly data: unknown }>) =>
  added.flatMap(({ type, data }) => (type === "tool/result" ? [Object(data)] : []))

describe("close", () => {
  // bug-046: a hard kill between call and result.
  it.effect("answers a call that was running with an unknown outcome, right after the model's message", () =>
    Effect.gen(function* () {
      const { session, added } = yield* closeAfter(upTo(find("tool/call", 1)))
      expect(added.map(({ type }) => type)).toEqual(["tool/result", "step/end", "turn/end"])
      expect(results(added)).toEqual([
        {
          turn: 1,
          step: 1,
          callId: "c1",
          outcome: "outcome-unknown",
          isError: true,
          content: [
            {
              type: "text",
              text: "The turn broke off while read was running: it may or may not have taken effect. Find out which before you call it again.",
            },
          ],
          error: { name: "ToolOutcomeUnknown", code: "TOOL_OUTCOME_UNKNOWN" },
        },
      ])
      expect(added.at(-1)?.data).toEqual({
        turn: 1,
        reason: {
          kind: "interrupted",
          code: "PROCESS_DIED",
          message: "The process stopped while the turn was running.",
        },
      })
      expect(session.messages().map(({ role }) => role)).toEqual([
        "user",
        "user",
        "user",
        "assistant",
        "tool",
      ])
      // The next prompt goes through: nothing of the broken turn is left open.
      yield* session.append("synced", () => [
        message("user/message", "m9"),
        { type: "turn/start", data: { turn: 2, trigger: { kind: "message" }, claims: ["m9"] } },
      ])
    }).pipe(Effect.scoped, Effect.provide(world)),
  )

  it.effect(
    "answers a call that nothing had started with not-started, and logs it as one that never starts",
    () =>
      Effect.gen(function* () {
        const { added } = yield* closeAfter(upTo(find("assistant/message")))
        expect(added.slice(0, 4).map(({ type, data }) => [type, Object(data).callId])).toEqual([
          ["tool/call", "c1"],
          ["tool/result", "c1"],
          ["tool/call", "c2"],
          ["tool/result", "c2"],
        ])
        expect(Object(added[0]?.data)).toMatchObject({ starts: false, name: "read", arguments: "{}" })
        expect(results(added)[0]).toMatchObject({
          outcome: "not-started",
          error: { name: "ToolNotStarted", code: "TOOL_NOT_STARTED" },
          content: [
            {
              text: "The turn broke off before read was started: nothing was done. Call it again if it is still needed.",
            },
          ],
        })
      }).pipe(Effect.scoped, Effect.provide(world)),
  )

  it.effect("answers a call that was torn from its result with not-started, without a second call", () =>
    Effect.gen(function* () {
      const { added } = yield* closeAfter(upTo(find("tool/call")))
      expect(results(added).map(({ callId, outcome }) => [callId, outcome])).toEqual([
        ["c1", "not-started"],
        ["c2", "not-started"],
      ])
      expect(added.filter(({ type }) => type === "tool/call").map(({ data }) => Object(data).callId)).toEqual(
        ["c1"],
      )
    }).pipe(Effect.scoped, Effect.provide(world)),
  )

  // bug-048: of a parallel batch the finished results are kept.
  it.effect("keeps the result that was there, and answers only what is left", () =>
    Effect.gen(function* () {
      const fast = [...upTo(find("tool/call", 1)).filter((draft) => draft.type !== "tool/result")]
      const { added } = yield* closeAfter([...fast, nth("tool/result", 1)])
      expect(results(added).map(({ callId, outcome }) => [callId, outcome])).toEqual([["c2", "not-started"]])
    }).pipe(Effect.scoped, Effect.provide(world)),
  )

  it.effect("ends a turn as aborted when an abort had been accepted", () =>
    Effect.gen(function* () {
      const { added } = yield* closeAfter(upTo(find("turn/abort")))
      expect(results(added)).toMatchObject([{ callId: "c3", outcome: "not-started" }])
      expect(added.at(-1)?.data).toEqual({ turn: 2, reason: { kind: "aborted" } })
    }).pipe(Effect.scoped, Effect.provide(world)),
  )

  it.effect("keeps partial text out of the history, and steering pending", () =>
    Effect.gen(function* () {
      const streaming = [...upTo(find("assistant/chunk", 2)), message("steering/message", "m9")]
      const { session, added } = yield* closeAfter(streaming)
      expect(added.map(({ type }) => type)).toEqual(["step/end", "turn/end"])
      expect(session.messages().every(({ role }) => role === "user")).toBe(true)
      expect(session.state().pending.map(({ messageId }) => messageId)).toEqual(["m9"])
    }).pipe(Effect.scoped, Effect.provide(world)),
  )

  it.effect("is durable when it returns, and has nothing to do the second time", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(closeAfter(upTo(find("tool/call", 1))))
      const store = yield* SessionStore
      const stored = yield* store.read("s")
      expect(stored.at(-1)?.type).toBe("turn/end")
      const session = yield* open("s")
      expect(yield* close(session)).toEqual([])
      expect(session.log()).toEqual(stored)
    }).pipe(Effect.scoped, Effect.provide(world)),
  )

  it.effect("leaves a log alone that has no open turn", () =>
    Effect.gen(function* () {
      const { added, session } = yield* closeAfter(drafts)
      expect(added).toEqual([])
      expect(session.status()).toBe("idle")
    }).pipe(Effect.scoped, Effect.provide(world)),
  )
})
