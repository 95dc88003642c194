import { it } from "@effect/vitest"
import fc from "fast-check"
import { describe, expect } from "vitest"
import * as Assembler from "../../src/message/Assembler.ts"
import type { AssistantContent } from "../../src/message/Content.ts"
import type { ModelChunk } from "../../src/message/ModelChunk.ts"

type Block = AssistantContent[number]

const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: fc.string({ unit: "binary" }) }),
  fc.record({
    type: fc.constant("reasoning" as const),
    text: fc.string(),
    meta: fc.record({ provider: fc.record({ signature: fc.string() }) }),
  }),
  fc.record({
    type: fc.constant("tool-call" as const),
    callId: fc.string({ minLength: 1 }),
    name: fc.string(),
    arguments: fc.string(),
  }),
)

/** The chunks of one block, its text cut at `cuts`. */
const toChunks = (id: string, value: Block, cuts: ReadonlyArray<number>): ReadonlyArray<ModelChunk> => {
  const text = value.type === "tool-call" ? value.arguments : value.text
  const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
  const type = { text: "text-delta", reasoning: "reasoning-delta", "tool-call": "arguments-delta" } as const
  return [
    value.type === "tool-call"
      ? { type: "block-start", block: id, kind: "tool-call", callId: value.callId, name: value.name }
      : { type: "block-start", block: id, kind: value.type },
    ...at
      .slice(1)
      .map(
        (to, index): ModelChunk => ({ type: type[value.type], block: id, text: text.slice(at[index], to) }),
      ),
    { type: "block-end", block: id, ...(value.meta && { meta: value.meta }) },
  ]
}

/** Merge the blocks' chunks as `choices` say; each block's own order stays, and so does the order of the starts. */
const interleave = (
  parts: ReadonlyArray<ReadonlyArray<ModelChunk>>,
  choices: ReadonlyArray<number>,
): ReadonlyArray<ModelChunk> => {
  const merged: Array<ModelChunk> = []
  const rests = parts.map((part) => [...part])
  for (let step = 0; rests.some((rest) => rest.length > 0); step++) {
    const started = rests.filter(
      (rest, index) => rest.length > 0 && rest.length < (parts[index]?.length ?? 0),
    )
    const fresh = rests.find((rest, index) => rest.length === parts[index]?.length)
    const ready = fresh ? [...started, fresh] : started
    const next = ready[(choices[step % choices.length] ?? 0) % ready.length]?.shift()
    if (next) merged.push(next)
  }
  return merged
}

const answer = fc
  .record({
    blocks: fc.array(fc.tuple(block, fc.array(fc.nat(40), { maxLength: 4 })), { maxLength: 5 }),
    choices: fc.array(fc.nat(10), { minLength: 1, maxLength: 40 }),
  })
  .map(({ blocks, choices }) => ({
    content: blocks.map(([value]) => value),
    chunks: interleave(
      blocks.map(([value, cuts], index) => toChunks(`${index}`, value, cuts)),
      choices,
    ),
  }))

describe("an assembler", () => {
  it("gives back the blocks, however their texts were cut and their chunks interleaved", () => {
    fc.assert(
      fc.property(answer, ({ content, chunks }) => {
        const assembled = Assembler.fold(chunks)
        expect(assembled.fault).toBeUndefined()
        expect(assembled.content).toEqual(content)
      }),
    )
  })

  it("shows of every prefix only the blocks whose end has come", () => {
    fc.assert(
      fc.property(answer, fc.nat(), ({ content, chunks }, cut) => {
        const prefix = chunks.slice(0, cut % (chunks.length + 1))
        const ended = prefix.flatMap((chunk) => (chunk.type === "block-end" ? [Number(chunk.block)] : []))
        const started = prefix.filter((chunk) => chunk.type === "block-start").length
        const assembled = Assembler.fold(prefix)
        expect(assembled.content).toEqual(content.filter((_, index) => ended.includes(index)))
        expect(assembled.open.length).toBe(started - ended.length)
      }),
    )
  })
})
