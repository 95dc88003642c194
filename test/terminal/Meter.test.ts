import { it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { afterEach, describe, expect, vi } from "vitest"
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

describe("following a reader", () => {
  const isTerminal = Object.getOwnPropertyDescriptor(process.stderr, "isTTY")
  afterEach(() => {
    vi.restoreAllMocks()
    if (isTerminal === undefined) Reflect.deleteProperty(process.stderr, "isTTY")
    else Object.defineProperty(process.stderr, "isTTY", isTerminal)
  })
  const onTerminal = (value: boolean): ReadonlyArray<string> => {
    Object.defineProperty(process.stderr, "isTTY", { value, configurable: true })
    const said: Array<string> = []
    vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0)
    return said
  }
  const read = Effect.gen(function* () {
    const follow = yield* Meter.follow
    follow(10e6, 40e6)
    yield* TestClock.adjust("1 second")
    follow(20e6, 40e6)
    follow(21e6, 40e6)
    follow(40e6, 40e6)
  })

  it.effect("tells at a terminal how far it is, and takes the line away at the end", () =>
    Effect.gen(function* () {
      const said = onTerminal(true)
      yield* read
      expect(said).toEqual([expect.stringContaining(" 50% · 20.0 of 40.0 MB"), "\r\u001b[K"])
    }),
  )

  it.effect("says nothing anywhere else", () =>
    Effect.gen(function* () {
      const said = onTerminal(false)
      yield* read
      expect(said).toEqual([])
    }),
  )
})
