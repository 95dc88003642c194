import { it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { describe, expect } from "vitest"
import * as EventCodec from "../../src/event/EventCodec.ts"
import * as EventType from "../../src/event/EventType.ts"

const Note = EventType.make({
  name: "acme:note",
  version: 2,
  schema: Schema.Struct({ text: Schema.String, at: Schema.FiniteFromString }),
  upcast: (data) => ({ text: String(data), at: "0" }),
})
const registry = EventType.registry([Note])
const append = (draft: Parameters<typeof EventCodec.fromDraft>[0], known = registry) =>
  EventCodec.fromDraft(draft, 0, 0, known)

describe("EventType", () => {
  it("writes typed values as JSON and reads them back typed", () => {
    const event = Result.getOrThrow(append(EventType.draft(Note, { text: "hi", at: 5 })))
    expect(event).toEqual({ seq: 0, at: 0, type: "acme:note", v: 2, data: { text: "hi", at: "5" } })
    expect(EventType.decode(Note, event)).toEqual(Result.succeed({ text: "hi", at: 5 }))
  })

  it("is refused at append when it is not registered", () => {
    const refused = Result.getOrThrow(
      Result.flip(append(EventType.draft(Note, { text: "", at: 1 }), new Map())),
    )
    expect(refused.message).toBe("event type acme:note is not registered")
  })

  it.each([
    [
      "a broken payload",
      { type: "acme:note", v: 2, data: { text: 1, at: "5" } },
      'acme:note: Expected string\n  at ["text"]',
    ],
    [
      "an excess property",
      { type: "acme:note", v: 2, data: { text: "", at: "5", more: 1 } },
      'acme:note: Expected no excess property\n  at ["more"]',
    ],
    [
      "an older version, also when its payload fits",
      { type: "acme:note", data: { text: "", at: "5" } },
      "acme:note is written as version 2, not 1",
    ],
  ] as const)("is refused at append with %s", (_, draft, message) => {
    expect(append(draft)).toEqual(Result.fail({ rule: "log.version", message }))
  })

  it("names its version only from the second on, and reads the first without", () => {
    const First = EventType.make({ name: "acme:first", version: 1, schema: Schema.String })
    const draft = EventType.draft(First, "hi")
    expect(draft).toEqual({ type: "acme:first", data: "hi" })
    const event = Result.getOrThrow(append(draft, EventType.registry([First])))
    expect(EventType.decode(First, event)).toEqual(Result.succeed("hi"))
  })

  it("says in words that an older payload cannot be lifted", () => {
    const event = Result.getOrThrow(EventCodec.fromRow({ seq: 0, at: 0, type: "acme:note", data: "old" }))
    const { upcast: _, ...unliftable } = Note
    expect(EventType.decode(unliftable, event)).toEqual(
      Result.fail("acme:note version 1 cannot be lifted to 2"),
    )
    const throwing = {
      ...Note,
      upcast: () => {
        throw new Error("no")
      },
    }
    expect(EventType.decode(throwing, event)).toEqual(Result.fail("acme:note: its upcast threw"))
    expect(EventType.decode({ ...Note, upcast: () => 1 }, event)).toEqual(Result.fail("Expected object"))
  })

  it("lifts an older payload when it is read, and leaves the log as it is", () => {
    const event = Result.getOrThrow(EventCodec.fromRow({ seq: 0, at: 0, type: "acme:note", data: "old" }))
    expect(event.data).toBe("old")
    expect(EventType.decode(Note, event)).toEqual(Result.succeed({ text: "old", at: 0 }))
  })

  it("says in words why an event cannot be read as the type", () => {
    const later = Result.getOrThrow(EventCodec.fromRow({ seq: 0, at: 0, type: "acme:note", v: 3, data: 1 }))
    const other = Result.getOrThrow(EventCodec.fromRow({ seq: 0, at: 0, type: "acme:other", data: 1 }))
    expect(EventType.decode(Note, later)).toEqual(
      Result.fail("acme:note version 3 is later than 2, the latest known here"),
    )
    expect(EventType.decode(Note, other)).toEqual(Result.fail("the event is a acme:other, not a acme:note"))
  })

  it("cannot be declared with a bad name, a bad version, or twice", () => {
    const declare = (name: `${string}:${string}`, version: number) => () =>
      EventType.make({ name, version, schema: Schema.String })
    expect(declare("Acme: note", 1)).toThrow('want "vendor:name"')
    expect(declare("acme:note", 0)).toThrow("event type acme:note: want a version of 1 or more")
    expect(declare("acme:note", 1.5)).toThrow("event type acme:note: want a version of 1 or more")
    expect(declare("acme:note", 1)).not.toThrow()
    for (const name of ["acme:", ":note", ".acme:note", "acme:.note", "ACME:note", "a:b c", " a:b"] as const)
      expect(declare(name, 1)).toThrow(`event type ${name}: want "vendor:name"`)
    expect(declare("a0.b_c-d:N0._/-n", 1)).not.toThrow()
    expect(() => EventType.registry([Note, Note])).toThrow("acme:note is registered twice")
  })

  it.effect("is registered by a layer, and none is without one", () =>
    Effect.gen(function* () {
      expect(yield* EventType.Registry).toEqual(new Map())
      const registered = yield* Effect.provide(Effect.service(EventType.Registry), EventType.layer([Note]))
      expect([...registered]).toEqual([["acme:note", Note]])
    }),
  )
})
