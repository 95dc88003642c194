import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Specs from "../../src/arbitrary/Specs.ts"
import * as Values from "../../src/arbitrary/Values.ts"
import type { SchemaSpec } from "../../src/spec/SchemaSpec.ts"
import { compile } from "../../src/spec/SchemaSpec.ts"

const specAnd = <A>(draw: (spec: SchemaSpec) => fc.Arbitrary<A>) =>
  Specs.spec
    // Branches that overlap may leave no value at all.
    .filter((spec) => !JSON.stringify(spec).includes('"oneOf"'))
    .chain((spec) => fc.tuple(fc.constant(spec), draw(spec)))

describe("values of a spec", () => {
  it("fit", () => {
    fc.assert(fc.property(specAnd(Values.fitting), ([spec, value]) => compile(spec).is(value)))
  })

  it("that nearly fit give one violation, at the place that they name", () => {
    fc.assert(
      fc.property(specAnd(Values.nearMiss), ([spec, { path, value, what }]) => {
        const found = compile(spec).violations(value)
        expect(found.map((each) => each.path)).toEqual([path])
        if (what === "missing") expect(found[0]?.got).toBe("nothing")
      }),
      { numRuns: 150 },
    )
  })

  it("that are near are sometimes taken and sometimes not", () => {
    const near = fc.sample(specAnd(Values.near), { numRuns: 120, seed: 1 })
    const taken = near.filter(([spec, value]) => compile(spec).is(value)).length
    expect(taken).toBeGreaterThan(24)
    expect(taken).toBeLessThan(96)
  })
})

const draw = <const S extends SchemaSpec>(spec: S) =>
  fc.sample(Values.fitting(spec), { numRuns: 50, seed: 1 })

describe("values of a spec of one's own", () => {
  it("match its patterns, within their sizes", () => {
    const spec = {
      id: { type: "string", pattern: "^[A-Z]{2}-\\d+$", minLength: 5, maxLength: 7, required: true },
    } as const
    const ids = draw(spec).map(({ id }) => id)
    expect(ids.filter((id) => !/^[A-Z]{2}-\d+$/u.test(id) || id.length < 5 || id.length > 7)).toEqual([])
    expect(new Set(ids).size).toBeGreaterThan(10)
  })

  it("are examples where the pattern cannot be drawn", () => {
    const spec = {
      mark: { type: "string", pattern: "^(?=a)a$", examples: ["a"], required: true },
    } as const
    expect(new Set(draw(spec).map(({ mark }) => mark))).toEqual(new Set(["a"]))
  })

  it("are refused for a pattern that cannot be drawn and has no examples", () => {
    expect(() => Values.fitting({ mark: { type: "string", pattern: "^(?=a)a$" } })).toThrow(
      "no text can be drawn for the pattern ^(?=a)a$: give the spec examples that match it",
    )
  })

  it("are of one branch alone, and are given up when none is", () => {
    const tagged = {
      oneOf: [
        { type: "object", properties: { kind: { const: "a", required: true } } },
        { type: "object", properties: { kind: { const: "b", required: true } } },
      ],
    } as const
    const kinds = draw({ what: { ...tagged, required: true } }).map(({ what }) => what.kind)
    expect(new Set(kinds)).toEqual(new Set(["a", "b"]))
    const either = { oneOf: [{ type: "integer", minimum: 0, maximum: 2 }, { enum: [0, 1, 2] }] } as const
    expect(() => draw({ n: { ...either, required: true } })).toThrow("of 1000 values that were drawn")
  })

  it("are of an object spec as well, and of a property that is called type", () => {
    const whole = {
      type: "object",
      properties: { n: { type: "integer", required: true } },
      additionalProperties: false,
    } as const
    expect(draw(whole).every((value) => Object.keys(value).join() === "n")).toBe(true)
    expect(
      draw({ type: { type: "string", required: true } }).every(({ type }) => typeof type === "string"),
    ).toBe(true)
  })

  it("keep to bounds that only some numbers fit", () => {
    const spec = {
      tenth: { type: "number", multipleOf: 0.5, exclusiveMinimum: 1, maximum: 2, required: true },
      few: { type: "integer", exclusiveMinimum: 1, exclusiveMaximum: 4, required: true },
      share: { type: "number", minimum: 0.1, maximum: 0.2, required: true },
    } as const
    for (const { few, share, tenth } of draw(spec)) {
      expect([2, 3]).toContain(few)
      expect(tenth > 1 && tenth <= 2 && share >= 0.1 && share <= 0.2).toBe(true)
    }
  })

  it("miss in every way that there is", () => {
    const spec = {
      type: "object",
      properties: { n: { type: "integer", maximum: 3, required: true }, m: { enum: ["a"] } },
      additionalProperties: false,
    } as const
    const ways = fc.sample(Values.nearMiss(spec), { numRuns: 60, seed: 1 }).map(({ what }) => what)
    const all = ["missing", "not allowed", "out of bounds", "unknown key", "wrong kind"]
    expect([...new Set(ways)].sort()).toEqual(all)
  })

  it("miss the bounds of lists and of large numbers", () => {
    const spec = {
      list: { type: "array", items: { type: "boolean" }, minItems: 2, maxItems: 3, required: true },
      large: { type: "number", minimum: 1e300, required: true },
    } as const
    const missed = fc
      .sample(Values.nearMiss(spec), { numRuns: 60, seed: 1 })
      .filter(({ what }) => what === "out of bounds")
    const { violations } = compile(spec)
    expect(missed.map(({ path, value }) => [path, violations(value).map((each) => each.path)])).toEqual(
      missed.map(({ path }) => [path, [path]]),
    )
    expect(new Set(missed.map(({ path }) => path.join()))).toEqual(new Set(["list", "large"]))
  })

  it("miss as a whole where no place of theirs can", () => {
    const [miss] = fc.sample(Values.nearMiss({ what: { type: "any" } }), { numRuns: 1, seed: 1 })
    expect(miss).toMatchObject({ path: [], what: "wrong kind" })
  })
})
