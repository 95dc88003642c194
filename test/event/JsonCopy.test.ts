import { runInNewContext } from "node:vm"
import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as JsonCopy from "../../src/event/JsonCopy.ts"

const cycle: { self?: unknown } = {}
cycle.self = cycle

const holes: Array<number> = []
holes[2] = 1

const refused: ReadonlyArray<readonly [what: string, value: unknown, message: string]> = [
  ["NaN", { a: [1, Number.NaN] }, "data.a[1] is NaN, which JSON cannot hold"],
  ["Infinity", Number.POSITIVE_INFINITY, "data is Infinity, which JSON cannot hold"],
  ["negative zero", { a: -0 }, "data.a is -0, which JSON cannot hold"],
  ["undefined", { a: undefined }, "data.a is undefined, which JSON cannot hold"],
  ["a hole", holes, "data[0] is undefined, which JSON cannot hold"],
  ["a BigInt", [1n], "data[0] is a bigint, which JSON cannot hold"],
  ["a function", { toJSON: () => 1 }, "data.toJSON is a function, which JSON cannot hold"],
  ["a symbol", Symbol("s"), "data is a symbol, which JSON cannot hold"],
  ["a date", { at: new Date(0) }, "data.at is an instance of Date, not a plain object"],
  [
    "an array of a class",
    [new (class Stack extends Array<number> {})()],
    "data[0] is an instance of Stack, not a plain array",
  ],
  [
    "a named property of an array",
    { a: Object.assign([1], { total: 1 }) },
    "data.a has the property total, which JSON does not keep of an array",
  ],
  ["a map", new Map(), "data is an instance of Map, not a plain object"],
]

const messageOf = (value: unknown): string =>
  Result.match(JsonCopy.make(value), { onFailure: (flaw) => flaw.message, onSuccess: () => "accepted" })

/** Of a value and of all in it, whether it is frozen. */
const frozenParts = (value: unknown): ReadonlyArray<boolean> =>
  typeof value === "object" && value !== null
    ? [Object.isFrozen(value), ...Object.values(value).flatMap(frozenParts)]
    : []

describe("JsonCopy", () => {
  it.each(refused)("refuses %s and says where", (_, value, message) => {
    expect(messageOf(value)).toBe(message)
  })

  it("refuses a cycle instead of following it", () => {
    expect(messageOf(cycle)).toMatch(/is nested deeper than 200 levels, or a cycle$/)
  })

  it("shows the beginning and the end of a long path", () => {
    expect(messageOf(cycle)).toBe(
      `data${".self".repeat(8)} … ${".self".repeat(8)} is nested deeper than 200 levels, or a cycle`,
    )
  })

  it("shows all of a path of sixteen steps", () => {
    const deep = (steps: number): unknown => (steps === 0 ? 1n : { a: deep(steps - 1) })
    expect(messageOf(deep(16))).toBe(`data${".a".repeat(16)} is a bigint, which JSON cannot hold`)
    expect(messageOf(deep(17))).toBe(
      `data${".a".repeat(8)} … ${".a".repeat(8)} is a bigint, which JSON cannot hold`,
    )
  })

  it("takes what is nested in 200 levels, and no deeper", () => {
    const nest = (levels: number): unknown => (levels === 0 ? 1 : [nest(levels - 1)])
    expect(messageOf(nest(JsonCopy.maxDepth))).toBe("accepted")
    expect(messageOf(nest(JsonCopy.maxDepth + 1))).toMatch(/nested deeper/)
  })

  it("names the class of an instance, when it has a name", () => {
    // In a list, a function gets no name from where it stands.
    const unnamed = Object.create({ constructor: [function () {}][0] })
    expect(messageOf(unnamed)).toBe("data is an instance of an unnamed class, not a plain object")
    const strange = Object.create(Object.create(Object.create(null)))
    strange.constructor = "none"
    expect(messageOf(strange)).toBe("data is an instance of an unnamed class, not a plain object")
  })

  it("takes an object without a prototype, and one of another realm", () => {
    expect(messageOf(Object.assign(Object.create(null), { a: 1 }))).toBe("accepted")
    expect(messageOf(runInNewContext("({ a: 1 })"))).toBe("accepted")
  })

  it("takes an array of another realm", () => {
    expect(JsonCopy.make(runInNewContext("[1, [2]]"))).toEqual(Result.succeed([1, [2]]))
  })

  it("refuses a value that throws while being read", () => {
    const value = {
      get a(): number {
        throw new Error("no")
      },
    }
    expect(messageOf(value)).toBe("data.a throws while being read")
  })

  it("keeps __proto__ as a property and no prototype", () => {
    const copy = Result.getOrThrow(JsonCopy.make(JSON.parse('{"__proto__":{"admin":true}}')))
    expect(copy).not.toHaveProperty("admin")
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true}}')
  })

  it("shares nothing with the original and is frozen to the bottom", () => {
    const inner = { n: 1 }
    const copy = Result.getOrThrow(JsonCopy.make({ inner: [inner] }))
    inner.n = 2
    expect(copy).toEqual({ inner: [{ n: 1 }] })
    expect(frozenParts(copy)).toEqual([true, true, true])
  })

  it("copies exactly what comes back from the text of the value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value))
        const copy = JsonCopy.make(parsed)
        // JSON.parse gives -0 for "-0"; everything else of a parse is lossless.
        if (Result.isFailure(copy)) expect(copy.failure.message).toContain("-0")
        else expect(JSON.stringify(copy.success)).toBe(JSON.stringify(parsed))
      }),
    )
  })

  it("accepts a value only when its text gives it back", () => {
    fc.assert(
      fc.property(
        fc.anything({ withSparseArray: true, withBigInt: true, withDate: true, withMap: true }),
        (value) => {
          const copy = JsonCopy.make(value)
          if (Result.isSuccess(copy)) expect(JSON.parse(JSON.stringify(value))).toEqual(copy.success)
        },
      ),
    )
  })
})
