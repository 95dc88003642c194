import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Beginning from "../../src/error/Beginning.ts"
import * as Excerpt from "../../src/text/Excerpt.ts"

const text = fc.string({ unit: "binary", maxLength: 40 })

describe("the beginning of a text", () => {
  it("is as much of it as there is room for, or one unit less where a character would be split", () => {
    fc.assert(
      fc.property(text, fc.nat(40), (whole, room) => {
        const taken = Beginning.of(whole, room)
        expect(whole.startsWith(taken)).toBe(true)
        expect(taken.isWellFormed()).toBe(true)
        expect(Math.min(room, whole.length) - taken.length).toBeLessThanOrEqual(1)
        expect(taken.length).toBeLessThanOrEqual(room)
      }),
    )
  })

  it("is shown to be one, when it is not the whole", () => {
    const whole = `${"a".repeat(79)}😀`
    expect(Beginning.shown(whole, 80)).toBe(`${"a".repeat(79)}…`)
    expect(Excerpt.cut(whole, 80)).toBe(`${"a".repeat(79)}…`)
    expect(Beginning.shown(whole, 81)).toBe(whole)
  })
})
