/** The short way of a chunk, member by member: each form is taken, and with any one member wrong it is not. */
import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { copyChunk } from "../../src/event/chunk.ts"
import * as EventCodec from "../../src/event/EventCodec.ts"
import { payloads } from "../../src/event/SessionEvent.ts"

const strictly = Schema.decodeUnknownResult(payloads["assistant/chunk"], { onExcessProperty: "error" })

type Members = Readonly<Record<string, unknown>>

const forms: ReadonlyArray<Members> = [
  { type: "block-start", block: "b", kind: "text" },
  { type: "block-start", block: "b", kind: "reasoning" },
  { type: "block-start", block: "b", kind: "tool-call", callId: "c", name: "" },
  { type: "text-delta", block: "b", text: "" },
  { type: "reasoning-delta", block: "b", text: "t" },
  { type: "arguments-delta", block: "b", text: "{" },
  { type: "block-end", block: "b" },
]
const payload = (chunk: unknown, more: Members = {}) => ({ turn: 1, step: 1, chunk, ...more })

/** Whatever a member could be instead; a text that none of the forms has among them. */
const others = [undefined, null, 0, 1, -1, 1.5, 2 ** 60, Number.NaN, "", "x", true, [], {}, ["b"]]

const withOther = (members: Members): ReadonlyArray<Members> =>
  Object.keys(members).flatMap((key) => [
    Object.fromEntries(Object.entries(members).filter(([name]) => name !== key)),
    ...others.map((other) => ({ ...members, [key]: other })),
  ])

describe.each(forms)("the short way of %j", (form) => {
  it("gives a frozen copy", () => {
    const given = payload(form)
    const copy = copyChunk(given)
    expect(copy).toEqual(given)
    expect([copy === given, copy?.chunk === form]).toEqual([false, false])
    expect([Object.isFrozen(copy), Object.isFrozen(copy?.chunk)]).toEqual([true, true])
  })

  it("is taken by nothing that the schema refuses", () => {
    const near = [
      ...withOther(form).map((chunk) => payload(chunk)),
      ...withOther(payload(form)),
      ...forms.flatMap(({ type }) => payload({ ...form, type })),
      payload({ ...form, meta: {} }),
      payload({ ...form, extra: 1 }),
      payload(form, { extra: 1 }),
    ]
    for (const value of near) {
      const long = strictly(value)
      const short = copyChunk(value)
      if (short === undefined) expect(Result.isFailure(long) || "meta" in long.success.chunk).toBe(true)
      else expect(long).toEqual(Result.succeed(short))
    }
  })

  it("is taken by plain objects alone", () => {
    const odd = [
      Object.assign(Object.create({ inherited: 1 }), form),
      Object.assign(Object.create(null), form),
      Object.assign([], form),
      Object.assign(new Date(0), form),
    ]
    for (const chunk of odd) expect(copyChunk(payload(chunk))).toBeUndefined()
    for (const data of [null, undefined, "text", Object.assign(Object.create(null), payload(form))])
      expect(copyChunk(data)).toBeUndefined()
  })

  it("makes of a row the event that the long way makes", () => {
    const row = { seq: 3, at: 5, type: "assistant/chunk", data: payload(form) }
    expect(EventCodec.fromChunk(row)).toEqual(row)
    expect(Result.succeed(EventCodec.fromChunk(row))).toEqual(EventCodec.fromRow(row))
    expect(EventCodec.fromChunk({ ...row, seq: -1 })).toBeUndefined()
    expect(EventCodec.fromChunk({ ...row, at: 0.5 })).toBeUndefined()
    expect(EventCodec.fromChunk({ ...row, at: "5" })).toBeUndefined()
    expect(EventCodec.fromChunk({ ...row, data: payload({}) })).toBeUndefined()
  })
})
