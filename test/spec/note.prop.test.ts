/** The keys that nothing reads, found by one look or by a walk through the whole spec. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Specs from "../../src/arbitrary/Specs.ts"
import * as Values from "../../src/arbitrary/Values.ts"
import { compileRoot } from "../../src/kind/Compiler.ts"
import { collect } from "../../src/kind/Place.ts"
import { noteBy } from "../../src/spec/note.ts"
import type { SchemaSpec } from "../../src/spec/SchemaSpec.ts"
import { runs } from "../runs.ts"

const specAndValues = Specs.spec.chain((of) =>
  fc.tuple(fc.constant(of), fc.array(Values.fitting(of), { minLength: 4, maxLength: 4 })),
)

const flat: SchemaSpec = {
  path: { type: "string", required: true, nullable: true },
  sizes: { type: "array", items: { type: "integer" } },
  mode: { enum: ["fast", 1] },
  more: { type: "any" },
}

const expectAlike = (of: SchemaSpec, value: unknown) => {
  const root = compileRoot(of)
  const notes = noteBy(root)(value)
  expect(notes).toEqual(collect(root, value, [], { noting: true }))
  return notes
}

describe("the notes on arguments that fit", () => {
  it("are those of a walk through the whole spec", () => {
    fc.assert(
      fc.property(specAndValues, ([of, values]) => {
        for (const value of values) expectAlike(of, value)
      }),
      { numRuns: runs(100) },
    )
  })

  it("are the same with one look, which finds a key that is not declared", () => {
    const good = { path: null, sizes: [1], mode: "fast", more: { odd: 1 } }
    const of = (spec: SchemaSpec, value: object) => expectAlike(spec, value).map(({ path }) => path)
    expect(of(flat, good)).toEqual([])
    expect(of(flat, { ...good, pth: 1 })).toEqual([["pth"]])
    expect(of({ type: "object", properties: flat, additionalProperties: true }, { ...good, x: 1 })).toEqual(
      [],
    )
  })

  it("reach objects inside, also those of a name", () => {
    const inside = {
      type: "object",
      name: "Node",
      properties: { next: { ref: "Node" }, at: { type: "string" } },
    } as const
    expect(expectAlike({ first: inside }, { first: { next: { att: "x" } } })).toHaveLength(1)
    expect(expectAlike(inside, { next: { att: "x" } })).toHaveLength(1)
    const wide = {
      type: "object",
      properties: { a: { type: "string" } },
      additionalProperties: inside,
    } as const
    expect(expectAlike(wide, { a: "", b: { att: "x" } })).toHaveLength(1)
  })
})
