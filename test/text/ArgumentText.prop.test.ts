import { it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { describe } from "vitest"
import * as ArgumentText from "../../src/text/ArgumentText.ts"
import { findUnsound } from "../../src/text/findUnsound.ts"
import { scan } from "../../src/text/scan.ts"
import { runs } from "../runs.ts"

const engineAccepts = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const isUnsound = (text: string): boolean => findUnsound(text) !== undefined

const spaced = fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, "\t"))
const json = spaced.map(([value, indent]) => JSON.stringify(value, null, indent))

/** JSON with one piece taken out, put in, or put in place of another. */
const nearJson = fc
  .tuple(
    json,
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom("", ",", '"', "\\", "{", "}", "[", "]", ":", "0", "-", ".", "e", "\n", "u", "t"),
  )
  .map(([text, at, gone, piece]) => {
    const start = at % (text.length + 1)
    return text.slice(0, start) + piece + text.slice(start + gone)
  })

const soup = fc.string({
  unit: fc.constantFrom(...'{}[]",:\\ 0123456789-+.eEtruefalsn/u\n\t'),
  maxLength: 20,
})

describe("scan", () => {
  it("finds a fault exactly where the engine refuses", () => {
    fc.assert(
      fc.property(fc.oneof(json, nearJson, soup), (text) => {
        const found = scan(text, 1_000)
        const whole = found._tag === "Whole" && /^[ \t\n\r]*$/.test(text.slice(found.end))
        return whole === engineAccepts(text)
      }),
      { numRuns: runs(3_000) },
    )
  })

  it("blames nothing before the fault: the text up to there could still become JSON", () => {
    fc.assert(
      fc.property(nearJson, (text) => {
        const found = scan(text, 1_000)
        if (found._tag !== "Broken") return true
        const before = scan(text.slice(0, found.position), 1_000)
        return before._tag === "Broken" ? before.position === found.position : before._tag === "Whole"
      }),
      { numRuns: runs(1_000) },
    )
  })
})

describe("parse", () => {
  it("gives what the engine gives", () => {
    fc.assert(
      fc.property(json, (text) => {
        const parsed = ArgumentText.parse(text)
        return (
          isUnsound(text) ||
          (Result.isSuccess(parsed) && JSON.stringify(parsed.success) === JSON.stringify(JSON.parse(text)))
        )
      }),
    )
  })

  it("refuses a key that stands twice, and only that", () => {
    const key = fc.string({ unit: fc.constantFrom(...'ab:"\\\\ ,{'), maxLength: 3 })
    const space = fc.constantFrom("", " ", "\n")
    const member = fc.tuple(key, space, space, fc.oneof(fc.integer(), key, fc.constant({ a: 1 })))
    fc.assert(
      fc.property(fc.array(member, { maxLength: 4 }), (members) => {
        const written = members.map(
          ([name, before, after, member]) =>
            `${JSON.stringify(name)}${before}:${after}${JSON.stringify(member)}`,
        )
        const isOnce = new Set(members.map(([name]) => name)).size === members.length
        return Result.isSuccess(ArgumentText.parse(`{${written.join(",")}}`)) === isOnce
      }),
      { numRuns: runs(3_000) },
    )
  })

  it("refuses what the engine refuses, in less than a thousand characters", () => {
    fc.assert(
      fc.property(fc.oneof(nearJson, soup), (text) => {
        const parsed = ArgumentText.parse(text)
        if (Result.isSuccess(parsed)) return text.trim() === "" || engineAccepts(text)
        return (!engineAccepts(text) || isUnsound(text)) && parsed.failure.message.length < 1_000
      }),
    )
  })
})
