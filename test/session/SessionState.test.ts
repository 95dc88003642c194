import { HashMap, Option, Result } from "effect"
import { describe, expect, it } from "vitest"
import * as EventCodec from "../../src/event/EventCodec.ts"
import type { EventDraft } from "../../src/event/SessionEvent.ts"
import * as SessionState from "../../src/session/SessionState.ts"
import * as Draft from "./drafts.ts"

const after = (...drafts: ReadonlyArray<EventDraft>): SessionState.SessionState =>
  drafts
    .map((draft, seq) => Result.getOrThrow(EventCodec.fromDraft(draft, seq, 0, new Map())))
    .reduce(SessionState.next, SessionState.initial)

const phases = (state: SessionState.SessionState) =>
  state.callOrder.map((id) => Option.getOrThrow(HashMap.get(state.calls, id)).phase)

const begun = [Draft.user("m"), Draft.turnStart(1, "m"), Draft.stepStart(1, 1)]

describe("SessionState", () => {
  it("keeps what is pending by seq, until it is claimed or cancelled", () => {
    const sent = [Draft.user("u"), Draft.steering("s"), Draft.context("c")]
    expect(after(...sent).pending).toEqual([
      { messageId: "u", kind: "user", seq: 0 },
      { messageId: "s", kind: "steering", seq: 1 },
      { messageId: "c", kind: "context", seq: 2 },
    ])
    const left = after(...sent, Draft.cancelled("s"), Draft.turnStart(1, "u"))
    expect(left.pending).toEqual([{ messageId: "c", kind: "context", seq: 2 }])
  })

  it("follows a turn and its steps from open to closed", () => {
    expect(after(...begun)).toMatchObject({
      turn: 1,
      turnIsOpen: true,
      step: 1,
      phase: "streaming",
      nextSeq: 3,
    })
    const ended = after(...begun, Draft.stepEnd(1, 1), Draft.turnEnd(1))
    expect(ended).toMatchObject({ turn: 1, turnIsOpen: false, phase: "none" })
    expect(after(...begun, Draft.stepEnd(1, 1), Draft.turnEnd(1), Draft.turnStart(2))).toMatchObject({
      turn: 2,
      step: 0,
    })
  })

  it("follows calls from open through running to done, in block order", () => {
    const answered = [...begun, Draft.answer(1, 1, "", "b", "a")]
    expect(phases(after(...answered))).toEqual(["open", "open"])
    const running = after(...answered, Draft.call(1, 1, "a", "key-a"))
    expect(running.callOrder).toEqual(["b", "a"])
    expect(phases(running)).toEqual(["open", "running"])
    expect(Option.getOrThrow(HashMap.get(running.calls, "a")).key).toBe("key-a")
    expect(phases(after(...answered, Draft.call(1, 1, "a"), Draft.result(1, 1, "a")))).toEqual([
      "open",
      "done",
    ])
  })

  it("aborts one turn and not the next", () => {
    const aborted = [...begun, { type: "turn/abort", data: { turn: 1, reason: "user" } } as const]
    expect(after(...aborted).aborting).toBe(true)
    expect(after(...aborted, Draft.stepEnd(1, 1), Draft.turnEnd(1), Draft.turnStart(2)).aborting).toBe(false)
  })

  it("breaks a step that streams when the session is resumed, and leaves an answered one", () => {
    const resume: EventDraft = { type: "session/resume", data: { epoch: 3, reruns: [] } }
    expect(after(...begun, resume)).toMatchObject({ phase: "broken", epoch: 3 })
    expect(after(...begun, Draft.answer(1, 1, "x"), resume).phase).toBe("answered")
  })

  it("remembers the latest configuration", () => {
    const config: EventDraft = { type: "request/config", data: { model: "m", parameters: {}, tools: [] } }
    expect(after(Draft.user("m")).configSeq).toBe(-1)
    expect(after(Draft.user("m"), config, config).configSeq).toBe(2)
  })
})
