import { describe, expect, it } from "vitest"
import * as Mutants from "../../src/mutant/Mutants.ts"

describe("the mutants of a rule", () => {
  it("break it, and come first when they break nothing else", () => {
    const mutants = Mutants.of("result.allAtStepEnd")
    expect(mutants.map(({ rules }) => rules.length)).toEqual([1, 2, 2])
    expect(mutants[0]?.what).toBe("a last step that ends without a result")
  })

  it("are none for a rule that nobody knows", () => {
    expect(Mutants.of("no.such")).toEqual([])
  })

  it("are told apart by their words", () => {
    const words = Mutants.all.map(({ what }) => what)
    expect(new Set(words).size).toBe(words.length)
  })
})
