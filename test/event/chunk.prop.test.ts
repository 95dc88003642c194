import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { copyChunk } from "../../src/event/chunk.ts"
import * as JsonCopy from "../../src/event/JsonCopy.ts"
import { payloads } from "../../src/event/SessionEvent.ts"
import { runs } from "../runs.ts"

const strictly = Schema.decodeUnknownResult(payloads["assistant/chunk"], { onExcessProperty: "error" })

const ordinal = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1 }) },
  fc.constantFrom(0, -1, 1.5, "1", null),
)
const anyText = fc.oneof({ weight: 6, arbitrary: fc.string() }, fc.constantFrom("", null, 1))
const anyKind = fc.constantFrom("text", "reasoning", "tool-call", "other", null)
const members = {
  block: anyText,
  text: anyText,
  kind: anyKind,
  callId: anyText,
  name: anyText,
  meta: fc.constant({}),
}
/** The members that a type has, and now and then another or one too few. */
const near = (
  types: ReadonlyArray<string>,
  requiredKeys: ReadonlyArray<"block" | "text" | "kind" | "callId" | "name">,
) =>
  fc
    .tuple(
      fc.constantFrom(...types),
      fc.record(members, { requiredKeys: [...requiredKeys], noNullPrototype: true }),
      fc.integer({ min: 0, max: 5 }),
    )
    .map(([type, all, odd]) => {
      const kept = Object.entries(all).filter(([name], at) =>
        requiredKeys.some((key) => key === name) ? odd !== 5 || at > 0 : odd === 0,
      )
      return { type, ...Object.fromEntries(kept) }
    })
const nearChunk = fc.oneof(
  near(["text-delta", "reasoning-delta", "arguments-delta", "other"], ["block", "text"]),
  near(["block-start"], ["block", "kind"]),
  near(["block-start"], ["block", "kind", "callId", "name"]),
  near(["block-end"], ["block"]),
)
const nearPayload = fc.record(
  { turn: ordinal, step: ordinal, chunk: nearChunk, extra: fc.constant(1) },
  { requiredKeys: ["turn", "step", "chunk"], noNullPrototype: true },
)

describe("the short way of a chunk", () => {
  it("accepts exactly the chunks without meta that the schema accepts, with the same copy", () => {
    fc.assert(
      fc.property(nearPayload, (payload) => {
        const short = copyChunk(payload)
        const long = strictly(Result.getOrThrow(JsonCopy.make(payload)))
        if (short !== undefined) expect(Result.getOrThrow(long)).toEqual(short)
        else if (Result.isSuccess(long)) expect(long.success.chunk).toHaveProperty("meta")
      }),
      { numRuns: runs(1000) },
    )
  })
})
