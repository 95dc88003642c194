/** What a message repeats of a model's text can be seen by whoever reads it. */
import { describe, expect, it } from "vitest"
import { quote } from "../../src/text/Excerpt.ts"

describe("a quotation", () => {
  it.each([
    ["a byte order mark", "\ufeff{", String.raw`"\ufeff{"`],
    ["a space that does not break", "a\u00a0b", String.raw`"a\u00a0b"`],
    ["an end of line of Unicode", "a\u2028", String.raw`"a\u2028"`],
    ["a turn of direction", "\u202eabc", String.raw`"\u202eabc"`],
    ["a tag", "\u{E0041}", String.raw`"\udb40\udc41"`],
    ["a control of the second set", "\u0085", String.raw`"\u0085"`],
  ])("shows %s by its code", (_, text, shown) => {
    expect(quote(text)).toBe(shown)
    expect(JSON.parse(quote(text))).toBe(text)
  })

  it("leaves what can be seen, and what joins it", () => {
    for (const text of ["a b", "é日本", "👩‍👧", "می‌خواهم"]) expect(quote(text)).toBe(`"${text}"`)
  })
})
