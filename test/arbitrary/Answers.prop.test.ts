import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Answers from "../../src/arbitrary/Answers.ts"
import * as Assembler from "../../src/message/Assembler.ts"

describe("drawn answers", () => {
  it("fold to what they say they are, and end", () => {
    fc.assert(
      fc.property(Answers.answer, ({ chunks, content }) => {
        const assembled = Assembler.fold(chunks)
        expect(assembled.fault).toBeUndefined()
        expect(assembled.content).toEqual(content)
        expect(chunks.slice(-2).map(({ type }) => type)).toEqual(["usage", "finish"])
      }),
    )
  })

  it("that are malformed fold without a fault to the place that they name, and not beyond", () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(Answers.malformed, ({ at, chunks, what }) => {
        seen.add(what)
        expect(Assembler.fold(chunks.slice(0, at)).fault).toBeUndefined()
        expect(Assembler.fold(chunks.slice(0, at + 1)).fault).toBeTypeOf("string")
      }),
      { numRuns: 300 },
    )
    expect([...seen].sort()).toMatchInlineSnapshot(`
      [
        "a block after the usage",
        "a chunk after the finish",
        "a delta after the end of its block",
        "a delta of a block that never started",
        "a delta of another kind than its block",
        "a finish while a block is open",
        "a second end of a block",
        "a second start of a block",
        "a second usage",
      ]
    `)
  })
})
