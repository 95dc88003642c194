import type { Schema } from "effect"
import { describe, expect, it } from "vitest"
import type { Fix } from "../../src/error/Violation.ts"
import { applyFix, valueAt } from "../../src/spec/applyFix.ts"

type Path = ReadonlyArray<string | number>
type To = Extract<Fix, { readonly kind: "convert" }>["to"]

const convert = (value: Schema.Json, to: To) => applyFix({ v: value }, ["v"], { kind: "convert", to })

describe("a fix", () => {
  it.each<readonly [what: string, path: Path, fix: Fix, gives: Schema.Json | undefined]>([
    ["takes a key away", ["a"], { kind: "drop", key: "a" }, { b: [{ c: "1" }, null], n: null }],
    ["takes an item away", ["b", 1], { kind: "drop", key: "" }, { a: "x", b: [{ c: "1" }], n: null }],
    ["takes a null away", ["n"], { kind: "drop", key: "n" }, { a: "x", b: [{ c: "1" }, null] }],
    [
      "takes a key within away",
      ["b", 0, "c"],
      { kind: "drop", key: "c" },
      { a: "x", b: [{}, null], n: null },
    ],
    ["puts a member in", ["a"], { kind: "take", member: "y" }, { a: "y", b: [{ c: "1" }, null], n: null }],
    ["puts null in", ["a"], { kind: "take", member: null }, { a: null, b: [{ c: "1" }, null], n: null }],
    [
      "converts within",
      ["b", 0, "c"],
      { kind: "convert", to: "number" },
      { a: "x", b: [{ c: 1 }, null], n: null },
    ],
    ["at no place does nothing", ["c"], { kind: "drop", key: "c" }, undefined],
    ["below a text does nothing", ["a", 0], { kind: "drop", key: "a" }, undefined],
    ["below null does nothing", ["n", "x"], { kind: "drop", key: "x" }, undefined],
    ["beyond a list does nothing", ["b", 2], { kind: "drop", key: "" }, undefined],
    ["renames no key", ["a"], { kind: "rename", from: "a", to: "z" }, undefined],
    ["moves nothing up", ["a"], { kind: "unwrap", key: "a" }, undefined],
  ])("%s", (_, path, fix, gives) => {
    const value = { a: "x", b: [{ c: "1" }, null], n: null }
    const before = structuredClone(value)
    expect(applyFix(value, path, fix)).toEqual(gives)
    expect(value).toEqual(before)
  })

  it.each<readonly [to: To, from: Schema.Json, gives: Schema.Json | undefined]>([
    ["number", "1.5", 1.5],
    ["number", "true", undefined],
    ["number", "x", undefined],
    ["number", true, undefined],
    ["integer", "7", 7],
    ["integer", "false", undefined],
    ["boolean", "True", true],
    ["boolean", "1", undefined],
    ["string", "5", undefined],
    ["null", "null", undefined],
    ["item", "5", undefined],
    ["item", [5], undefined],
    ["json", "[1]", [1]],
    ["json", "[1", undefined],
    ["json", [1], undefined],
    ["array", 5, [5]],
    ["array", "5", ["5"]],
    ["array", [5], [[5]]],
  ])("to %s makes of %j, where it can", (to, from, gives) => {
    expect(convert(from, to)).toEqual(gives === undefined ? undefined : { v: gives })
  })

  it("keeps a key that is called __proto__ a key", () => {
    const value: Schema.Json = JSON.parse('{"__proto__":{"a":1},"b":"2"}')
    const fixed = applyFix(value, ["b"], { kind: "convert", to: "number" })
    expect(JSON.stringify(fixed)).toBe('{"__proto__":{"a":1},"b":2}')
  })

  it("of the whole gives another whole", () => {
    expect(applyFix('{"a":1}', [], { kind: "convert", to: "json" })).toEqual({ a: 1 })
  })
})

describe("the value at a path", () => {
  it("is an own member, and nothing that is inherited", () => {
    expect(valueAt({ a: [{ b: null }] }, ["a", 0, "b"])).toBeNull()
    expect(valueAt({ a: 1 }, ["toString"])).toBeUndefined()
    expect(valueAt([1], ["length"])).toBe(1)
    expect(valueAt("text", ["length"])).toBeUndefined()
    expect(valueAt(null, ["a"])).toBeUndefined()
    expect(valueAt({ a: { b: 1 } }, [])).toEqual({ a: { b: 1 } })
  })
})
