/** What the source of a check decides, and when there is one. */
import { it } from "@effect/vitest"
import * as fc from "fast-check"
import { afterEach, describe, expect, vi } from "vitest"
import * as Specs from "../../src/arbitrary/Specs.ts"
import * as Values from "../../src/arbitrary/Values.ts"
import { compileRoot } from "../../src/kind/Compiler.ts"
import { generate, hasten } from "../../src/spec/hasten.ts"
import type { SchemaSpec } from "../../src/spec/SchemaSpec.ts"
import { runs } from "../runs.ts"

const numRuns = runs(150)

/** Units: milliseconds. */
const timeout = 20_000 + 200 * numRuns

const specAndValues = Specs.spec.chain((of) =>
  fc.tuple(fc.constant(of), fc.array(Values.near(of), { minLength: 6, maxLength: 6 })),
)

/** The value, and the same members with other ancestors: none, a class, or all of them inherited. */
const variants = (value: unknown): ReadonlyArray<unknown> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [value]
  const members = Object.getOwnPropertyDescriptors(value)
  return [value, Object.create(null, members), Object.create({ extra: 1 }, members), Object.create(value)]
}

/** Names and texts that would end a string, a line or a template, were they written without care. */
const hostile = ['"', "\\", "`${1}`", "\u2028", "*/", "];return true;//", "\ud800", "a\nb", "</script>"]

const hostileSpec: SchemaSpec = Object.fromEntries(
  hostile.map((text) => [text, { enum: [text, `${text}'`], required: true } as const]),
)

/** One name that objects inherit: such an object has no source of its own. */
const inherited = { toString: { type: "string" } }

const kindsSpec = {
  id: { type: "integer", required: true, minimum: -0.5, exclusiveMaximum: 1e21 },
  ratio: { type: "number", exclusiveMinimum: -1e-7, maximum: 1, nullable: true },
  step: { type: "number", multipleOf: 0.1 },
  sizes: { type: "array", items: { type: "integer" }, minItems: 1, maxItems: 2 },
  shape: {
    oneOf: [
      { type: "object", properties: { kind: { const: 1, required: true } }, additionalProperties: false },
      { type: "object", properties: { kind: { const: "1", required: true } } },
    ],
  },
}

const kindsValues: ReadonlyArray<unknown> = [
  { id: 0 },
  { id: -1 },
  { id: 2 ** 53 },
  { id: "0" },
  { id: 0, ratio: null },
  { id: 0, ratio: -1e-7 },
  { id: 0, ratio: Number.NaN },
  { id: 0, ratio: undefined },
  { id: 0, step: 0.3 },
  { id: 0, step: 0.35 },
  { id: 0, sizes: [] },
  { id: 0, sizes: [1, 2] },
  { id: 0, sizes: Object.assign([], { length: 1 }) },
  { id: 0, shape: { kind: 1 } },
  { id: 0, shape: { kind: 1, more: 1 } },
  { id: 0, shape: { kind: "1", more: 1 } },
  { id: 0, shape: Object.create({ kind: "1" }) },
  { id: 0, shape: Object.assign([], { kind: "1" }) },
  { id: 0, toString: 1 },
]

afterEach(() => {
  vi.unstubAllGlobals()
})

describe("the source of a check", () => {
  it(
    "decides as the closures do",
    () => {
      let accepted = 0
      fc.assert(
        fc.property(specAndValues, ([of, values]) => {
          const place = compileRoot(of)
          const generated = generate(place)
          expect(generated).toBeDefined()
          for (const value of values.flatMap(variants)) {
            const is = place.is(value)
            if (is) accepted++
            expect([value, generated?.(value)]).toEqual([value, is])
          }
        }),
        { numRuns },
      )
      expect(accepted).toBeGreaterThan(numRuns)
    },
    timeout,
  )

  it("decides as the closures do at the bounds of each kind", () => {
    for (const each of [compileRoot(kindsSpec), compileRoot({ ...kindsSpec, ...inherited })]) {
      const generated = generate(each)
      const decided = kindsValues.flatMap(variants).map((value) => each.is(value))
      expect(kindsValues.flatMap(variants).map((value) => generated?.(value))).toEqual(decided)
      expect(new Set(decided)).toEqual(new Set([true, false]))
    }
  })

  it("reads hostile names and texts as what they are", () => {
    const generated = generate(compileRoot(hostileSpec))
    const good = Object.fromEntries(hostile.map((text) => [text, text]))
    expect(generated?.(good)).toBe(true)
    for (const text of hostile) expect([text, generated?.({ ...good, [text]: "x" })]).toEqual([text, false])
  })
})

describe("a check", () => {
  const place = compileRoot({ a: { type: "string", required: true } })

  it("gets its function only when it is used often", () => {
    const made = vi.fn<FunctionConstructor>(Function)
    vi.stubGlobal("Function", made)
    const is = hasten(place)
    for (let use = 0; use < 50; use++) is({ a: "" })
    expect(made).not.toHaveBeenCalled()
    for (let use = 0; use < 1000; use++) expect([is({ a: "" }), is({ a: 1 })]).toEqual([true, false])
    expect(made).toHaveBeenCalledOnce()
  })

  it("stays what it is where no code can be made of text", () => {
    const forbidden = vi.fn<() => never>(function forbid() {
      throw new EvalError("Code generation from strings disallowed for this context")
    })
    vi.stubGlobal("Function", forbidden)
    expect(generate(place)).toBeUndefined()
    expect(forbidden).toHaveBeenCalled()
    const is = hasten(place)
    for (let use = 0; use < 1000; use++) expect([is({ a: "" }), is({ a: 1 })]).toEqual([true, false])
  })
})
