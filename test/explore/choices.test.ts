import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Choices from "../../src/explore/choices.ts"
import * as Random from "../../src/explore/random.ts"

const schedule = fc.array(fc.nat(5), { maxLength: 30 }).map(Choices.trim)

describe("a schedule as text", () => {
  it("is read as it was written, with the stimuli that are left out", () =>
    fc.assert(
      fc.property(schedule, fc.uniqueArray(fc.integer({ min: 1, max: 9 })), (choices, without) => {
        const text = Choices.toText(choices, without)
        expect(Choices.fromText(text)).toEqual({ schedule: choices, without })
      }),
    ))

  it("says only what is not 0", () => {
    expect(Choices.toText([0, 0, 3, 0, 1, 0], [2])).toBe("-2 2:3 4:1")
    expect(Choices.toText([0, 0])).toBe("")
  })

  it.each(["x", "1", "1:", "1:2:3", "-", "1:-2", "12345678:1"])("is refused when it is none: %s", (text) => {
    expect(() => Choices.fromText(text)).toThrow(TypeError)
  })
})

describe("choices", () => {
  it("are those of the list while it lasts, never wider than there are ways, and 0 after it", () => {
    const choices = Choices.make(Choices.follow([1, 9, 0, 2]))
    const chosen = [3, 3, 3, 3, 3].map((width) => choices.choose("next", width))
    expect(chosen).toEqual([1, 2, 0, 2, 0])
    expect(Choices.scheduleOf(choices.taken)).toEqual([1, 2, 0, 2])
  })

  it("take no place where there is one way only", () => {
    const choices = Choices.make(Choices.follow([2]))
    expect([choices.choose("append", 1), choices.choose("next", 4)]).toEqual([0, 2])
    expect(choices.taken).toEqual([{ kind: "next", width: 4, choice: 2, worth: [] }])
  })

  it.each(Object.entries({ drawn: Choices.drawn, plain: Choices.plain }))(
    "are drawn within their width, and alike from one seed: %s",
    (_how, sourceOf) =>
      fc.assert(
        fc.property(fc.integer(), fc.array(fc.integer({ min: 2, max: 9 })), (seed, widths) => {
          const draw = () => {
            const choices = Choices.make(sourceOf(Random.make(seed)))
            return widths.map((width) => choices.choose("next", width))
          }
          const chosen = draw()
          expect(chosen).toEqual(draw())
          expect(chosen.every((choice, at) => choice >= 0 && choice < (widths[at] ?? 0))).toBe(true)
        }),
      ),
  )
})
