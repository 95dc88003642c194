import { Effect, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as JsonCopy from "../../src/event/JsonCopy.ts"
import { jsonify } from "../../src/output/jsonify.ts"
import * as Output from "../../src/output/Output.ts"

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSparseArray: true,
  withTypedArray: true,
})

describe("jsonify", () => {
  it("copies JSON to equal JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (json) => {
        const plain = JSON.parse(JSON.stringify(json))
        expect(jsonify(plain)).toEqual(Result.succeed(plain))
      }),
    )
  })

  it("keeps every key an own one, and says the whole way to what it refuses", () => {
    const odd: unknown = JSON.parse('{"a":[{"__proto__":{"b":1}}]}')
    expect(JSON.stringify(Result.getOrThrow(jsonify(odd)))).toBe('{"a":[{"__proto__":{"b":1}}]}')
    const refused = jsonify({ a: [1, { b: Number.NaN }], c: [{}, () => 1], d: { e: 1n } })
    expect(Result.isFailure(refused) && refused.failure.map(({ path }) => path)).toEqual([
      ["a", 1, "b"],
      ["c", 1],
      ["d", "e"],
    ])
  })

  it("takes an object that stands twice, and refuses one that stands in itself", () => {
    const twice = { x: 1 }
    const round: { self?: unknown } = {}
    round.self = [round]
    expect(jsonify([twice, { twice }])).toEqual(Result.succeed([{ x: 1 }, { twice: { x: 1 } }]))
    expect(jsonify(round)).toMatchObject({ failure: [{ path: ["self", 0] }] })
  })

  it("refuses keys that become one, and no others", () => {
    const refused = jsonify([{ "k\ud800": 1, "k\ud801": 2, "k\ufffd": 3, "\udc00": 4 }])
    expect(Result.isFailure(refused) && refused.failure).toMatchObject([
      { path: [0, "k\ufffd"], expected: "a key of its own" },
      {
        path: [0, "k\ufffd"],
        message: expect.stringContaining("output[0].k\ufffd: expected a key of its own"),
      },
    ])
    expect(jsonify({ "k\ud800": undefined, "k\ud801": 2, k: 3 })).toEqual(
      Result.succeed({ "k\ufffd": 2, k: 3 }),
    )
  })

  it("keeps every member, or says so", () => {
    const key = fc.string({ unit: fc.constantFrom("k", "\ud800", "\udc00", "\ufffd"), maxLength: 3 })
    fc.assert(
      fc.property(fc.dictionary(key, fc.nat()), (members) => {
        const json = jsonify(members)
        const names = Object.keys(members).map((name) => name.toWellFormed())
        expect(Result.isSuccess(json)).toBe(new Set(names).size === names.length)
        if (Result.isSuccess(json)) expect(Object.keys(json.success ?? {})).toEqual(names)
      }),
    )
  })

  it("accepts only what survives a round trip through text", () => {
    fc.assert(
      fc.property(anything, (value) => {
        const json = jsonify(value)
        if (Result.isFailure(json)) expect(json.failure.length).toBeGreaterThan(0)
        else if (json.success !== undefined)
          expect(JSON.parse(JSON.stringify(json.success))).toEqual(json.success)
      }),
    )
  })

  it("gives text that UTF-8 can hold, whatever the strings", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }), (text) => {
        const json = Result.getOrThrow(jsonify({ [text]: text }))
        const written = JSON.stringify(json)
        expect(Buffer.from(written, "utf8").toString("utf8")).toBe(written)
      }),
    )
  })
})

describe("what jsonify gives", () => {
  const nested = (levels: number): unknown => (levels === 1 ? [] : [nested(levels - 1)])
  const logged = (structured: unknown) => Result.isSuccess(JsonCopy.make({ structured }))

  it("is what a log takes as a part of a result, to the last level", () => {
    for (const levels of [198, 199, 200, 201, 202])
      expect(Result.isSuccess(jsonify(nested(levels)))).toBe(logged(nested(levels)))
    expect(logged(nested(199))).toBe(true)
    expect(logged(nested(200))).toBe(false)
  })

  it("has 0 for -0, which a log refuses", () => {
    const fee = Result.getOrThrow(jsonify({ fee: -0, all: [-0] }))
    expect(fee).toEqual({ fee: 0, all: [0] })
    expect(logged(fee)).toBe(true)
  })

  it("is what a log takes, whatever the body gave", () => {
    fc.assert(
      fc.property(anything, (value) => {
        const json = jsonify(value)
        if (Result.isSuccess(json) && json.success !== undefined) expect(logged(json.success)).toBe(true)
      }),
    )
  })
})

describe("render", () => {
  it("ends in content or in violations, whatever a body gave", () => {
    fc.assert(
      fc.property(anything, (value) => {
        const rendered = Effect.runSync(Effect.result(Output.render(value)))
        if (Result.isSuccess(rendered)) expect(rendered.success.content.length).toBeGreaterThan(0)
        else expect(rendered.failure.length).toBeGreaterThan(0)
      }),
    )
  })
})
