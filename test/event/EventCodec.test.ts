import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as EventCodec from "../../src/event/EventCodec.ts"
import { UnsupportedLogVersion } from "../../src/event/EventError.ts"
import type { EventDraft } from "../../src/event/SessionEvent.ts"
import { badPayloads } from "./badPayloads.ts"

const none = new Map()

describe("EventCodec", () => {
  it.each(badPayloads)("refuses %s at append and at load, in the same words", (_, type, data) => {
    // What a caller without types could pass.
    const draft = JSON.parse(JSON.stringify({ type, data })) as EventDraft
    const appended = Result.getOrThrow(Result.flip(EventCodec.fromDraft(draft, 3, 5, none)))
    const loaded = Result.getOrThrow(Result.flip(EventCodec.fromRow({ seq: 3, at: 5, type, data })))
    if (type === "plugin/extra") {
      expect(appended.message).toBe("event type plugin/extra is not registered")
      expect(loaded.message).toBe("plugin/extra is no event type of version 1")
    } else expect(appended).toEqual(loaded)
    expect(appended.rule).toBe("log.version")
  })

  it.each([
    ["NaN", { turn: 1, reason: Number.NaN }],
    ["a date", { turn: 1, reason: new Date(0) }],
    ["undefined for an absent field", { turn: 1, reason: undefined }],
  ])("refuses %s as lossy", (_, data) => {
    const draft = { type: "turn/abort", data } as unknown
    const refused = Result.getOrThrow(Result.flip(EventCodec.fromDraft(draft as EventDraft, 0, 0, none)))
    expect(refused.rule).toBe("log.lossless")
    expect(refused.message).toMatch(/^turn\/abort: data\.reason is /)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 0.5, 2 ** 60])(
    "refuses %s as the time of an event",
    (at) => {
      const draft: EventDraft = { type: "turn/abort", data: { turn: 1, reason: "stop" } }
      const refused = Result.getOrThrow(Result.flip(EventCodec.fromDraft(draft, 0, at, none)))
      expect(refused).toMatchObject({
        rule: "log.lossless",
        message: expect.stringContaining("the clock gave"),
      })
    },
  )

  it("refuses -0, which a text can hold but a program cannot write back", () => {
    const row: unknown = JSON.parse('{"seq":0,"at":0,"type":"vendor:x","data":{"n":-0}}')
    const refused = Result.getOrThrow(Result.flip(EventCodec.fromRow(row)))
    expect(refused).toMatchObject({ rule: "log.lossless" })
  })

  it.each([
    ["no object", []],
    ["a missing seq", { at: 1, type: "step/end", data: { turn: 1, step: 1 } }],
    ["a negative seq", { seq: -1, at: 1, type: "step/end", data: { turn: 1, step: 1 } }],
    ["an unknown key", { seq: 1, at: 1, type: "step/end", data: { turn: 1, step: 1 }, note: 1 }],
    [
      "a version on a type of the core",
      { seq: 1, at: 1, type: "step/end", v: 2, data: { turn: 1, step: 1 } },
    ],
    ["version 0 of an extension", { seq: 1, at: 1, type: "vendor:x", v: 0, data: 1 }],
  ])("refuses a row with %s", (_, row) => {
    expect(Result.getOrThrow(Result.flip(EventCodec.fromRow(row)))).toMatchObject({ rule: "log.version" })
  })

  it("states both versions of a log of a later format, whatever else stands in it", () => {
    const row = { seq: 0, at: 1, type: "session/start", data: { version: 99, shape: "unknown" }, more: 1 }
    const refused = Result.getOrThrow(Result.flip(EventCodec.fromRow(row)))
    expect(refused).toBeInstanceOf(UnsupportedLogVersion)
    expect(refused).toMatchObject({ found: 99, supported: 1, message: expect.stringMatching(/99.*1/) })
  })

  it("refuses to write a log of another version than its own", () => {
    const draft: unknown = { type: "session/start", data: { version: 2, id: "s", createdAt: 0 } }
    const refused = Result.getOrThrow(Result.flip(EventCodec.fromDraft(draft as EventDraft, 0, 0, none)))
    expect(refused.rule).toBe("log.version")
  })

  it("keeps the payload of an unknown extension as it is", () => {
    const row = { seq: 4, at: 1, type: "vendor:x", v: 7, data: { any: [1, null, "thing"] } }
    expect(JSON.stringify(Result.getOrThrow(EventCodec.fromRow(row)))).toBe(JSON.stringify(row))
  })

  it("lets nothing of the caller's objects into the event", () => {
    const data = { turn: 1, reason: "user" }
    const event = Result.getOrThrow(EventCodec.fromDraft({ type: "turn/abort", data }, 7, 9, none))
    data.reason = "changed"
    expect(event).toEqual({ seq: 7, at: 9, type: "turn/abort", data: { turn: 1, reason: "user" } })
  })
})
