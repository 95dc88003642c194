import type { Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Digest from "../../src/message/Digest.ts"
import { runs } from "../runs.ts"

/** As RFC 8785 says it, with the sort of the engine and no memory of names. */
const plainly = (value: Schema.Json): string => {
  if (Array.isArray(value)) return `[${value.map(plainly).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${plainly(member)}`).join(",")}}`
}

const key = fc.oneof(
  fc.constantFrom("type", "text", "role", "content", "", "10", "9", "é", "\ud800", '"', "__proto__"),
  fc.string({ unit: "binary", maxLength: 40 }),
)
const { json } = fc.letrec<{ json: Schema.Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.jsonValue({ maxDepth: 0 }),
    fc.string({ unit: "binary" }),
    fc.array(tie("json"), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(key, tie("json")), { selector: ([name]) => name, maxLength: 40 })
      .map(Object.fromEntries),
  ),
}))

describe("canonical text", () => {
  it("has the keys of every object sorted by code units, and nothing else of its own", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(Digest.canonical(value)).toBe(plainly(value))
      }),
      { numRuns: runs(300) },
    )
  })
})
