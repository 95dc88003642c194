import { describe, expect, it } from "vitest"
import { toUsage } from "../../src/model/toUsage.ts"

const counts = (count: number | undefined) => ({
  inputTokens: { total: count, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: count, text: undefined, reasoning: undefined },
})

describe("the usage of a provider", () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e300, -5])(
    "has no count that a log cannot hold: %s",
    (count) => {
      expect(toUsage(counts(count))).toEqual({ inputTokens: 0, outputTokens: 0 })
    },
  )

  it("is whole, and absent when nothing was counted", () => {
    expect(toUsage(counts(2.6))).toEqual({ inputTokens: 3, outputTokens: 3 })
    expect(toUsage(counts(undefined))).toBeUndefined()
  })
})
