import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { copyDelta } from "../../src/event/chunk.ts"
import * as JsonCopy from "../../src/event/JsonCopy.ts"
import { payloads } from "../../src/event/SessionEvent.ts"
import { runs } from "../runs.ts"

const strictly = Schema.decodeUnknownResult(payloads["assistant/chunk"], { onExcessProperty: "error" })

const ordinal = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1 }) },
  fc.constantFrom(0, -1, 1.5, "1", null),
)
const anyText = fc.oneof({ weight: 6, arbitrary: fc.string() }, fc.constantFrom("", null, 1))
const nearChunk = fc.record(
  {
    type: fc.constantFrom(
      "text-delta",
      "reasoning-delta",
      "arguments-delta",
      "block-end",
      "block-start",
      "other",
    ),
    block: anyText,
    text: anyText,
    kind: fc.constant("text"),
  },
  { requiredKeys: ["type", "block", "text"], noNullPrototype: true },
)
const nearPayload = fc.record(
  { turn: ordinal, step: ordinal, chunk: nearChunk, extra: fc.constant(1) },
  { requiredKeys: ["turn", "step", "chunk"], noNullPrototype: true },
)

describe("the short way of a delta", () => {
  it("accepts exactly the deltas that the schema accepts, with the same copy", () => {
    fc.assert(
      fc.property(nearPayload, (payload) => {
        const short = copyDelta(payload)
        const long = strictly(Result.getOrThrow(JsonCopy.make(payload)))
        if (short !== undefined) expect(Result.getOrThrow(long)).toEqual(short)
        else if (Result.isSuccess(long)) expect(long.success.chunk.type).not.toMatch(/-delta$/)
      }),
      { numRuns: runs(1000) },
    )
  })
})
