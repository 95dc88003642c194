import { describe, expect, it } from "vitest"
import type { Violation } from "../../src/error/Violation.ts"
import type { Repair } from "../../src/spec/Leniency.ts"
import * as Remarks from "../../src/spec/Remarks.ts"

const repair = (why: string): Repair => ({
  policy: "number-from-text",
  path: ["n"],
  before: "1",
  after: 1,
  why,
})
const note = (key: string, hint?: string): Violation => ({
  path: ["a", key],
  expected: "one of the keys",
  got: "unknown key",
  message: "never said",
  ...(hint !== undefined && { hint }),
})

describe("what a model hears of a call that ran", () => {
  it("is nothing when nothing was changed and every key was read", () => {
    expect(Remarks.toText([], [])).toBeUndefined()
  })

  it("names changes with their policies, and unread keys with what was meant", () => {
    expect(Remarks.toText([repair("n: want number")], [])).toBe(
      "Note: The arguments were changed before the call: n: want number (number-from-text).",
    )
    expect(Remarks.toText([], [note("x", "did you mean y?")])).toBe(
      "Note: Nothing read the unknown key a.x: did you mean y?",
    )
    expect(Remarks.toText([repair("one")], [note("x")])).toBe(
      "Note: The arguments were changed before the call: one (number-from-text). Nothing read the unknown key a.x: ",
    )
  })

  it("names three of each, and counts the others", () => {
    const reasons = (...all: ReadonlyArray<string>) => Remarks.toText(all.map(repair), [])
    const told = (what: string) => `Note: The arguments were changed before the call: ${what}.`
    const by = "(number-from-text)"
    expect(reasons("1", "2", "3")).toBe(told(`1 ${by}; 2 ${by}; 3 ${by}`))
    expect(reasons("1", "2", "3", "4", "5")).toBe(told(`1 ${by}; 2 ${by}; 3 ${by}; and 2 more`))
  })

  it("cuts a long reason", () => {
    const text = Remarks.toText([repair("x".repeat(500))], []) ?? ""
    expect(text).toMatch(/: x{150,160}… \(number-from-text\)\.$/)
  })
})
