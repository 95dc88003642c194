import { describe, expect, it } from "vitest"
import * as Meter from "../../src/terminal/Meter.ts"

describe("a meter", () => {
  it("says how much of the whole has been read, and how fast", () => {
    expect(Meter.line({ doneBytes: 25e6, totalBytes: 100e6, millis: 2_000 })).toBe(
      "█████░░░░░░░░░░░░░░░ 25% · 25.0 of 100.0 MB · 12.5 MB/s",
    )
  })

  it("says no share of what has no known end, and never more than all", () => {
    expect(Meter.line({ doneBytes: 1e6, totalBytes: undefined, millis: 0 })).toBe("1.0 MB · 1000.0 MB/s")
    expect(Meter.line({ doneBytes: 2e6, totalBytes: 1e6, millis: 1_000 })).toContain(" 100% ")
  })
})
