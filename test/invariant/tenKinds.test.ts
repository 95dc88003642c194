/**
 * Ten kinds of unlawful logs that the first rules of a neighbour let in, or noticed when the event was in the log already.
 *
 * Each is offered to a running session under `DevInvariants`, and is refused before anything is logged, folded or stored.
 */
import { it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { describe, expect } from "vitest"
import type { EventDraft } from "../../src/event/SessionEvent.ts"
import * as DevInvariants from "../../src/invariant/DevInvariants.ts"
import { change, chunk, drafts, find, nth, upTo } from "../../src/mutant/Story.ts"
import { Observer } from "../../src/session/Observer.ts"
import { create } from "../../src/session/SessionLog.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"

const text = [{ type: "text", text: "Hi." }] as const

const kinds: ReadonlyArray<
  readonly [what: string, refusedBy: string, error: string, after: number, append: ReadonlyArray<EventDraft>]
> = [
  [
    "a step that is open at the end of its turn",
    "step.nests",
    "InvariantViolated",
    find("usage", 1),
    [nth("turn/end")],
  ],
  [
    "a step in a step",
    "step.nests",
    "InvariantViolated",
    find("usage"),
    [{ type: "step/start", data: { turn: 1, step: 2, claims: [] } }],
  ],
  [
    "a turn number that comes again",
    "turn.counts",
    "InvariantViolated",
    find("user/message", 1),
    [{ type: "turn/start", data: { turn: 1, trigger: { kind: "message" }, claims: ["m5"] } }],
  ],
  [
    "a chunk that names another turn",
    "step.names",
    "InvariantViolated",
    find("step/start"),
    [chunk(2, 1, { type: "block-start", block: "b0", kind: "text" })],
  ],
  [
    "an end of a step that names another turn",
    "step.names",
    "InvariantViolated",
    find("usage"),
    [{ type: "step/end", data: { turn: 7, step: 1 } }],
  ],
  [
    "a call outside of any turn",
    "step.nests",
    "InvariantViolated",
    find("request/config"),
    [{ type: "tool/call", data: { turn: 1, step: 1, callId: "c9", name: "read", arguments: "{}" } }],
  ],
  [
    "a call id that comes again",
    "call.unique",
    "EventRejected",
    find("step/start", 2),
    [change("assistant/message", 0, { turn: 2 })[find("assistant/message")] ?? nth("turn/end")],
  ],
  [
    "a result in a later turn",
    "turn.closedIsClosed",
    "InvariantViolated",
    find("step/start", 2),
    [nth("tool/result", 1)],
  ],
  [
    "a message of the model outside of a step",
    "step.nests",
    "InvariantViolated",
    find("step/end", 1),
    [{ type: "assistant/message", data: { turn: 1, step: 3, content: text, finish: { kind: "stop" } } }],
  ],
]

describe("DevInvariants, before anything is committed", () => {
  const world = Layer.mergeAll(MemoryStore.layer, DevInvariants.layer())

  it.effect.each(kinds)("refuses %s by %s", ([, rule, tag, after, append]) =>
    Effect.gen(function* () {
      const session = yield* create({ id: "s" })
      yield* session.append("synced", () => upTo(after).slice(1))
      const heard: Array<string> = []
      session.subscribe(({ type }) => heard.push(type))
      const look = () => ({ log: session.log(), messages: session.messages(), status: session.status() })
      const [before, state] = [look(), session.state()]
      const exit = yield* Effect.exit(session.append("synced", () => append))
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({ _tag: tag, rule })
      expect(look()).toEqual(before)
      expect(session.state()).toBe(state)
      expect(heard).toEqual([])
      expect((yield* (yield* SessionStore).read("s")).length).toBe(after + 1)
      // Nor is there a trace of it in the rules: what follows lawfully is accepted.
      yield* session.append("synced", () => drafts.slice(after + 1))
      expect(session.log().length).toBe(drafts.length)
    }).pipe(Effect.scoped, Effect.provide(world)),
  )

  // A session numbers its events itself, so no append can leave a gap; this is told to the observer by hand.
  it.effect("refuses a gap in the seqs by log.seq", () =>
    Effect.gen(function* () {
      const observer = (yield* Observer)?.watch("s", [])
      const numbered = drafts.map((draft, seq) => ({ ...draft, seq, at: 0 }))
      observer?.onAppend(numbered.slice(0, 3))
      expect(() => observer?.onAppend(numbered.slice(4, 6))).toThrow("log.seq is broken at seq 4")
      observer?.onAppend(numbered.slice(3, 6))
    }).pipe(Effect.provide(world)),
  )
})
