import { it } from "@effect/vitest"
import fc from "fast-check"
import { describe, expect } from "vitest"
import * as Answers from "../../src/arbitrary/Answers.ts"
import * as Assembler from "../../src/message/Assembler.ts"

describe("an assembler", () => {
  it("gives back the blocks, however their texts were cut and their chunks interleaved", () => {
    fc.assert(
      fc.property(Answers.blocks, ({ content, chunks }) => {
        const assembled = Assembler.fold(chunks)
        expect(assembled.fault).toBeUndefined()
        expect(assembled.content).toEqual(content)
      }),
    )
  })

  it("shows of every prefix only the blocks whose end has come", () => {
    fc.assert(
      fc.property(Answers.blocks, fc.nat(), ({ content, chunks }, cut) => {
        const prefix = chunks.slice(0, cut % (chunks.length + 1))
        const ended = prefix.flatMap((chunk) => (chunk.type === "block-end" ? [Number(chunk.block)] : []))
        const started = prefix.filter((chunk) => chunk.type === "block-start").length
        const assembled = Assembler.fold(prefix)
        expect(assembled.content).toEqual(content.filter((_, index) => ended.includes(index)))
        expect(assembled.open.length).toBe(started - ended.length)
      }),
    )
  })
})
