import { it } from "@effect/vitest"
import { describe, expect } from "vitest"
import { deepFreeze, isDeeplyFrozen } from "../../src/invariant/log.ts"

describe("deepFreeze", () => {
  it("freezes objects and arrays to the last", () => {
    class Box {
      readonly inside = { e: 1 }
    }
    const box = new Box()
    const value = deepFreeze({ a: [{ b: { c: 1 } }], [Symbol.for("s")]: { d: 1 }, box })
    expect(Object.isFrozen(box) && Object.isFrozen(box.inside)).toBe(true)
    expect(() => Object.assign(value.a[0]?.b ?? {}, { c: 2 })).toThrow(TypeError)
    expect(() => Object.assign(value[Symbol.for("s")] ?? {}, { d: 2 })).toThrow(TypeError)
    expect(isDeeplyFrozen(value)).toBe(true)
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

describe("isDeeplyFrozen", () => {
  it("finds one open object anywhere", () => {
    expect(isDeeplyFrozen(Object.freeze({ a: Object.freeze([{}]) }))).toBe(false)
    expect(isDeeplyFrozen(Object.freeze(new Map([[1, Object.freeze({})]])))).toBe(false)
    expect(isDeeplyFrozen(Object.freeze(new Set()))).toBe(false)
  })
})
