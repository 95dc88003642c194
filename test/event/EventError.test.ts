import { describe, expect, it } from "vitest"
import { CorruptLog, corruptLog, EventRejected, UnsupportedLogVersion } from "../../src/event/EventError.ts"

describe("a corrupt log", () => {
  const advice = '"effect-harness check" names all that is wrong, "salvage" keeps what can be read'

  it("says what a rule refuses, where when that is known, and what can be done", () => {
    expect(corruptLog("log.seq", "seq 2 is missing").message).toBe(`seq 2 is missing; ${advice}`)
    const placed = corruptLog("log.seq", "seq 2 is missing", { line: 3, byteOffset: 120 })
    expect(placed.message).toBe(`line 3 (byte 120): seq 2 is missing; ${advice}`)
    expect(placed).toMatchObject({ rule: "log.seq", line: 3, byteOffset: 120, code: "CORRUPT_LOG" })
  })
})

describe("the classes", () => {
  it("are known by the name that their tag says", () => {
    const classes = [EventRejected, CorruptLog, UnsupportedLogVersion]
    expect(classes.map(({ identifier }) => identifier)).toEqual([
      "EventRejected",
      "CorruptLog",
      "UnsupportedLogVersion",
    ])
  })
})
