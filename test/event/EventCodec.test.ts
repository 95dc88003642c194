import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import * as EventCodec from "../../src/event/EventCodec.ts"
import { UnsupportedLogVersion } from "../../src/event/EventError.ts"
import * as EventType from "../../src/event/EventType.ts"
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

  const step = { turn: 1, step: 1 }
  const noHead = "the row has no valid seq, at and type"

  it.each([
    ["no object", [], "the row is no JSON object"],
    ["null", null, "the row is no JSON object"],
    ["a text", "row", "the row is no JSON object"],
    ["a missing seq", { at: 1, type: "step/end", data: step }, noHead],
    ["a negative seq", { seq: -1, at: 1, type: "step/end", data: step }, noHead],
    ["half a seq", { seq: 0.5, at: 1, type: "step/end", data: step }, noHead],
    ["a seq in words", { seq: "0", at: 1, type: "step/end", data: step }, noHead],
    ["no time", { seq: 0, type: "step/end", data: step }, noHead],
    ["half a millisecond", { seq: 0, at: 0.5, type: "step/end", data: step }, noHead],
    ["no type", { seq: 0, at: 1, data: step }, noHead],
    ["a type that is no text", { seq: 0, at: 1, type: ["step/end"], data: step }, noHead],
  ])("refuses a row with %s, also of a later version", (_, row, message) => {
    const refused = Result.fail({ rule: "log.version", message })
    expect(EventCodec.fromRow(row)).toEqual(refused)
    expect(EventCodec.fromLaterRow(row, 2)).toEqual(refused)
  })

  it.each([
    [
      "an unknown key",
      { seq: 1, at: 1, type: "step/end", data: step, note: 1 },
      'the row has an unknown key "note"',
    ],
    [
      "a version on a type of the core",
      { seq: 1, at: 1, type: "step/end", v: 2, data: step },
      "step/end cannot have 2 as its version",
    ],
    [
      "version 0 of an extension",
      { seq: 1, at: 1, type: "vendor:x", v: 0, data: 1 },
      "vendor:x cannot have 0 as its version",
    ],
    [
      "a version in words",
      { seq: 1, at: 1, type: "vendor:x", v: "1", data: 1 },
      'vendor:x cannot have "1" as its version',
    ],
  ])("refuses a row with %s", (_, row, message) => {
    expect(EventCodec.fromRow(row)).toEqual(Result.fail({ rule: "log.version", message }))
  })

  it("refuses a payload that JSON cannot hold, of any type and version", () => {
    const lossy = (type: string) => ({ seq: 0, at: 1, type, data: { n: Number.NaN } })
    const refusal = (type: string) =>
      Result.fail({ rule: "log.lossless", message: `${type}: data.n is NaN, which JSON cannot hold` })
    expect(EventCodec.fromRow(lossy("step/end"))).toEqual(refusal("step/end"))
    expect(EventCodec.fromRow(lossy("vendor:x"))).toEqual(refusal("vendor:x"))
    expect(EventCodec.fromLaterRow(lossy("turn/pause"), 2)).toEqual(refusal("turn/pause"))
  })

  it("says of a payload what its schema says, in 500 characters at the most", () => {
    const said = (length: number) =>
      Result.mapError(
        EventCodec.fromRow({ seq: 0, at: 1, type: "step/end", data: { ...step, ["x".repeat(length)]: 1 } }),
        ({ message }) => message.replace("step/end: ", ""),
      )
    const around = Result.getOrThrow(Result.flip(said(0))).length
    const words = (length: number) => `Expected no excess property\n  at ["${"x".repeat(length)}"]`
    expect(said(500 - around)).toEqual(Result.fail(words(500 - around)))
    expect(said(501 - around)).toEqual(Result.fail(`${words(501 - around).slice(0, 500)} …`))
  })

  it.each([
    ["a payload alone", { seq: 1, at: 2, type: "turn/pause", data: { why: "lunch" } }, { why: "lunch" }],
    ["a row without a payload", { seq: 1, at: 2, type: "turn/pause" }],
    ["a row with a version", { seq: 1, at: 2, type: "turn/pause", v: 3, data: 1 }],
    ["a row with a key more", { seq: 1, at: 2, type: "turn/pause", data: 1, why: "lunch" }],
    ["a known type with another payload", { seq: 1, at: 2, type: "step/end", data: 1 }, 1],
  ])("keeps of a later version %s", (_, row, kept: unknown = row) => {
    expect(EventCodec.fromLaterRow(row, 2)).toEqual(
      Result.succeed({ seq: 1, at: 2, type: `~2:${row.type}`, data: kept }),
    )
  })

  it("reads of a later version what it knows as it always does", () => {
    const row = { seq: 1, at: 2, type: "step/end", data: step }
    expect(EventCodec.fromLaterRow(row, 2)).toEqual(Result.succeed(row))
  })

  it("takes version 1 for later than none, and any other row for what it is", () => {
    const start = (version: unknown) => ({ seq: 0, at: 1, type: "session/start", data: { version } })
    for (const version of [1, 0, -2, 1.5, "2", null]) {
      expect(Result.getOrThrow(Result.flip(EventCodec.fromRow(start(version))))).toMatchObject({
        rule: "log.version",
      })
    }
    const other = { seq: 0, at: 1, type: "vendor:x", data: { version: 2 } }
    expect(EventCodec.fromRow(other)).toEqual(Result.succeed(other))
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

  it("takes no version at append that it would not take at load", () => {
    const noted = EventType.make({ name: "vendor:noted", version: 1, schema: Schema.Struct({}) })
    const registry = new Map([[noted.name, noted]])
    const chunk = { type: "text-delta", block: "0", text: "a" }
    for (const [type, data] of [
      ["turn/abort", { turn: 1, reason: "stop" }],
      ["assistant/chunk", { turn: 1, step: 1, chunk }],
      ["vendor:noted", {}],
    ])
      for (const v of [1, 0, -1, 2, 1.5, "1", null, true, Number.NaN]) {
        const draft: unknown = { type, v, data }
        const made = EventCodec.fromDraft(draft as EventDraft, 0, 0, registry)
        expect(Result.isSuccess(made), `${type} ${v}`).toBe(type === "vendor:noted" && v === 1)
        if (Result.isFailure(made)) expect(made.failure.rule).toBe("log.version")
        else expect(EventCodec.fromRow(made.success)).toEqual(made)
      }
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
