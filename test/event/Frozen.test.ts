import { it } from "@effect/vitest"
import { DateTime } from "effect"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import { deepFreeze, isDeeplyFrozen } from "../../src/event/Frozen.ts"

describe("deepFreeze", () => {
  it("freezes objects and arrays to the last", () => {
    const value = deepFreeze({ a: [{ b: { c: 1 } }], [Symbol.for("s")]: { d: 1 } })
    expect(() => Object.assign(value.a[0]?.b ?? {}, { c: 2 })).toThrow(TypeError)
    expect(() => Object.assign(value[Symbol.for("s")] ?? {}, { d: 2 })).toThrow(TypeError)
    expect(isDeeplyFrozen(value)).toBe(true)
  })

  it("leaves alone what is of a class of somebody's, which may fill itself later", () => {
    class Box {
      readonly inside = { e: 1 }
    }
    const box = new Box()
    const at = DateTime.makeZonedUnsafe(0, { timeZone: "Europe/Berlin" })
    const value = deepFreeze({ box, at })
    expect([value, box, box.inside].map(Object.isFrozen)).toEqual([true, false, false])
    expect(DateTime.toParts(value.at).year).toBe(1970)
    expect([value, { ...value, box: 1 }, Object.freeze(box)].map(isDeeplyFrozen)).toEqual([
      false,
      false,
      false,
    ])
  })

  it("reaches the children of what is frozen already", () => {
    const child = { n: 1 }
    deepFreeze(Object.freeze([Object.freeze({ child })]))
    expect(Object.isFrozen(child)).toBe(true)
  })

  it("makes maps, sets and dates read-only, and what they hold", () => {
    const key = { k: 1 }
    const member = { m: 1 }
    const value = deepFreeze({ map: new Map([[key, member]]), set: new Set([member]), date: new Date(0) })
    expect(() => value.map.set({ k: 2 }, member)).toThrow("Cannot change what has been logged")
    expect(() => value.map.delete(key)).toThrow(TypeError)
    expect(() => value.map.clear()).toThrow(TypeError)
    expect(() => value.set.add(member)).toThrow(TypeError)
    expect(() => value.date.setFullYear(2000)).toThrow(TypeError)
    expect(value.map.get(key)).toBe(member)
    expect(value.date.getTime()).toBe(0)
    expect(Object.isFrozen(key) && Object.isFrozen(member)).toBe(true)
    expect(isDeeplyFrozen(value)).toBe(true)
  })

  it("takes the bytes of typed arrays and buffers out of their owner's hands", () => {
    const bytes = new Uint8Array([1, 2])
    const buffer = Buffer.from("ab")
    const value = deepFreeze({ bytes, list: [buffer], view: new DataView(new ArrayBuffer(2)) })
    bytes[0] = 9
    buffer[0] = 0
    expect([...value.bytes]).toEqual([1, 2])
    expect([...(value.list[0] ?? [])]).toEqual([97, 98])
    expect(isDeeplyFrozen(value)).toBe(true)
  })

  it("takes those in maps and sets as well, and leaves the members in their order", () => {
    const [bytes, key, member] = [new Uint8Array([1]), new Uint8Array([2]), new Uint8Array([3])]
    const value = deepFreeze({
      map: new Map<unknown, unknown>([
        ["a", 0],
        ["b", bytes],
        [key, "c"],
      ]),
      set: new Set<unknown>([1, member, 2]),
    })
    for (const owned of [bytes, key, member]) owned[0] = 9
    expect([...value.map]).toEqual([
      ["a", 0],
      ["b", new Uint8Array([1])],
      [new Uint8Array([2]), "c"],
    ])
    expect([...value.set]).toEqual([1, new Uint8Array([3]), 2])
    expect(isDeeplyFrozen(value)).toBe(true)
    expect(() => value.set.add(3)).toThrow(TypeError)
  })

  it("leaves a typed array alone that stands by itself or in something frozen", () => {
    const bytes = new Uint8Array([1])
    expect(deepFreeze(bytes)).toBe(bytes)
    expect(deepFreeze(Object.freeze({ bytes })).bytes).toBe(bytes)
  })

  it("stands rings and deep nesting", () => {
    const ring: { self?: unknown } = {}
    ring.self = ring
    let deep: unknown = {}
    for (let depth = 0; depth < 20_000; depth++) deep = [deep]
    expect(isDeeplyFrozen(deepFreeze([ring, deep]))).toBe(true)
  })

  it("is done with a value that is none of an object", () => {
    for (const value of [1, "text", null, undefined, true]) expect(deepFreeze(value)).toBe(value)
  })
})

/** Everything that a decoded payload can hold, to any depth; some of it frozen by somebody, at its own level only. */
const anything: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown; plain: unknown }>((tie) => ({
  plain: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.boolean()),
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("plain"),
    fc.uint8Array({ maxLength: 3 }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(tie("value"), { maxLength: 3 }).map(Object.freeze),
    fc.dictionary(fc.string({ maxLength: 2 }), tie("value"), { maxKeys: 3 }),
    fc
      .dictionary(fc.string({ maxLength: 2 }), tie("value"), { maxKeys: 3, noNullPrototype: true })
      .map(Object.freeze),
    fc.array(fc.tuple(tie("value"), tie("value")), { maxLength: 3 }).map((entries) => new Map(entries)),
    fc.array(tie("value"), { maxLength: 3 }).map((members) => new Set(members)),
    fc.date().map((date) => new Date(date)),
  ),
})).value

/** Every object in a value, found by other means than the code's. */
const inside = (value: unknown, found = new Set<object>()): ReadonlySet<object> => {
  if (typeof value !== "object" || value === null || found.has(value)) return found
  found.add(value)
  if (ArrayBuffer.isView(value)) return found
  if (value instanceof Map) for (const part of [...value.keys(), ...value.values()]) inside(part, found)
  if (value instanceof Set) for (const member of value) inside(member, found)
  for (const key of Reflect.ownKeys(value)) inside(Reflect.get(value, key), found)
  return found
}

const change = (object: object): void => {
  if (object instanceof Map) object.set("new", 1)
  else if (object instanceof Set) object.add("new")
  else if (object instanceof Date) object.setTime(1)
  else Object.assign(object, { added: 1 })
}

describe("what was frozen", () => {
  it("cannot be changed anywhere, whatever it holds and whoever had frozen parts of it", () => {
    fc.assert(
      fc.property(anything, (value) => {
        deepFreeze(value)
        expect(isDeeplyFrozen(value)).toBe(true)
        const all = [...inside(value)].filter((object) => !ArrayBuffer.isView(object))
        for (const object of all) expect(() => change(object)).toThrow(TypeError)
      }),
    )
  })

  it("is found to be frozen also when it is too large for the fast way", () => {
    const many = Array.from({ length: 1500 }, (_, n) => Object.freeze({ n }))
    expect(isDeeplyFrozen(Object.freeze(many))).toBe(true)
    expect(isDeeplyFrozen(Object.freeze([...many, { n: 1 }]))).toBe(false)
  })
})

describe("isDeeplyFrozen", () => {
  it("finds one open object anywhere", () => {
    expect(isDeeplyFrozen(Object.freeze({ a: Object.freeze([{}]) }))).toBe(false)
    expect(isDeeplyFrozen(Object.freeze(new Map([[1, Object.freeze({})]])))).toBe(false)
    expect(isDeeplyFrozen(Object.freeze(new Set()))).toBe(false)
  })
})
