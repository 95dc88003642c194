import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { make } from "../../src/toolkit/captureOutput.ts"
import { halfCharacter } from "./temporary.ts"

const pieces = fc.array(fc.string({ unit: "binary", maxLength: 8 }), { maxLength: 20 })
const limit = fc.integer({ min: 4, max: 40 })

const capture = (limit: number, pieces: ReadonlyArray<string>): string => {
  const kept = make(limit)
  for (const piece of pieces) kept.add(piece)
  return kept.text()
}

const notice = /\n\[(\d+) characters cut\]\n/

describe("capturing an output", () => {
  it("keeps an output within the limit as it is", () => {
    fc.assert(
      fc.property(pieces, (pieces) => {
        const whole = pieces.join("")
        expect(capture(2 * whole.length, pieces)).toBe(whole)
      }),
    )
  })

  it("keeps a beginning and an end, and counts what it cut between them", () => {
    fc.assert(
      fc.property(limit, pieces, (limit, pieces) => {
        const whole = pieces.map((piece) => piece.replaceAll("[", "(")).join("")
        const text = capture(limit, [whole])
        const cut = notice.exec(text)
        const head = cut === null ? text : text.slice(0, cut.index)
        const tail = cut === null ? "" : text.slice(cut.index + cut[0].length)
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true)
        expect(head.length + tail.length + Number(cut?.[1] ?? 0)).toBe(whole.length)
        expect(head.length + tail.length).toBeLessThanOrEqual(limit)
      }),
    )
  })

  it("does not depend on where the pieces end", () => {
    fc.assert(
      fc.property(limit, pieces, (limit, pieces) => {
        expect(capture(limit, pieces)).toBe(capture(limit, [pieces.join("")]))
      }),
    )
  })

  it("cuts no character in two", () => {
    fc.assert(
      fc.property(
        limit,
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 1, max: 60 }),
        (limit, before, count) => {
          expect(capture(limit, ["x".repeat(before), "😀".repeat(count)])).not.toMatch(halfCharacter)
        },
      ),
    )
  })
})
