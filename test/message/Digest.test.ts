import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Digest from "../../src/message/Digest.ts"

describe("a growing digest", () => {
  it("is that of the whole text, whatever its pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.nat(2), (pieces, long) => {
        const all = [...pieces, "x".repeat(long * 70_000), ...pieces]
        const grown = all.reduce((digest, piece) => digest.add(piece), Digest.growing())
        expect(grown.end()).toBe(Digest.sha256(all.join("")))
      }),
    )
  })

  it("is not changed by what is added to it, nor by its end", () => {
    const long = "x".repeat(70_000)
    const one = Digest.growing().add(long)
    const [left, right] = [one.add("left"), one.add("right")]
    expect([left.end(), right.end(), one.end(), one.end()]).toEqual(
      [`${long}left`, `${long}right`, long, long].map(Digest.sha256),
    )
  })
})
