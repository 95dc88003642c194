/**
 * Draw what a model streams: answers whose blocks interleave, and answers that break the grammar.
 *
 * In:  nothing.      Out: arbitraries of chunks, with what they must fold to, or where they break.
 * Not here: answers as a script (`model/ScriptedModel.ts`), what adapters owe (`conformance/ModelConformance.ts`).
 * Source: PROTOCOL "Chunks".
 */
import * as fc from "fast-check"
import type { AssistantContent } from "../message/Content.ts"
import type { BlockChunk, ModelChunk } from "../message/ModelChunk.ts"

type Block = AssistantContent[number]

export interface Answer {
  /** What the chunks fold to, in the order in which the blocks start. */
  readonly content: AssistantContent
  readonly chunks: ReadonlyArray<ModelChunk>
}

export interface Malformed {
  readonly chunks: ReadonlyArray<ModelChunk>
  /** The index of the first chunk that breaks the grammar. */
  readonly at: number
  /** In words that name it: "a delta after the end of its block". */
  readonly what: string
}

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

const deltas = { text: "text-delta", reasoning: "reasoning-delta", "tool-call": "arguments-delta" } as const

/** The chunks of one block, its text cut at `cuts`. */
const toChunks = (id: string, value: Block, cuts: ReadonlyArray<number>): ReadonlyArray<BlockChunk> => {
  const text = value.type === "tool-call" ? value.arguments : value.text
  const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
  const pieces = at.slice(1).map((to, index) => text.slice(at[index], to))
  return [
    value.type === "tool-call"
      ? { type: "block-start", block: id, kind: "tool-call", callId: value.callId, name: value.name }
      : { type: "block-start", block: id, kind: value.type },
    ...pieces.map((piece): BlockChunk => ({ type: deltas[value.type], block: id, text: piece })),
    { type: "block-end", block: id, ...(value.meta && { meta: value.meta }) },
  ]
}

/** Merge the blocks' chunks as `choices` say; each block's own order stays, and so does the order of the starts. */
const interleave = (
  parts: ReadonlyArray<ReadonlyArray<BlockChunk>>,
  choices: ReadonlyArray<number>,
): ReadonlyArray<BlockChunk> => {
  const merged: Array<BlockChunk> = []
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

/** The blocks of an answer alone, without its end. */
export const blocks: fc.Arbitrary<Answer> = fc
  .record({
    blocks: fc.array(fc.tuple(block, fc.array(fc.nat(40), { maxLength: 4 })), { maxLength: 5 }),
    choices: fc.array(fc.nat(10), { minLength: 1, maxLength: 40 }),
  })
  .map(({ blocks: drawn, choices }) => ({
    content: drawn.map(([value]) => value),
    chunks: interleave(
      drawn.map(([value, cuts], index) => toChunks(`${index}`, value, cuts)),
      choices,
    ),
  }))

const usage: ModelChunk = { type: "usage", usage: { inputTokens: 3, outputTokens: 4 } }

/** A whole answer: blocks, one usage, one finish. */
export const answer: fc.Arbitrary<Answer> = blocks.map(({ chunks, content }) => ({
  content,
  chunks: [...chunks, usage, finishOf(content)],
}))

const finishOf = (content: AssistantContent): ModelChunk => ({
  type: "finish",
  finish: { kind: content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop" },
})

const put = (chunks: Answer["chunks"], at: number, chunk: ModelChunk, what: string): Malformed => ({
  chunks: [...chunks.slice(0, at), chunk, ...chunks.slice(at)],
  at,
  what,
})

/** Every way to break an answer that it has room for. */
const breaks = ({ chunks }: Answer): ReadonlyArray<Malformed> => {
  const [usageAt, finishAt] = [chunks.length - 2, chunks.length - 1]
  const ofBlocks = chunks.flatMap((chunk, at): ReadonlyArray<Malformed> => {
    if (chunk.type === "block-end") {
      const late: ModelChunk = { type: "text-delta", block: chunk.block, text: "late" }
      const open = [...chunks.slice(0, at), ...chunks.slice(at + 1)]
      return [
        put(chunks, at + 1, late, "a delta after the end of its block"),
        put(chunks, at + 1, chunk, "a second end of a block"),
        { chunks: open, at: finishAt - 1, what: "a finish while a block is open" },
      ]
    }
    if (chunk.type !== "block-start") return []
    const type = chunk.kind === "text" ? "arguments-delta" : "text-delta"
    return [
      put(chunks, at + 1, chunk, "a second start of a block"),
      put(chunks, at + 1, { type, block: chunk.block, text: "x" }, "a delta of another kind than its block"),
    ]
  })
  const stray: ModelChunk = { type: "text-delta", block: "stray", text: "x" }
  return [
    ...ofBlocks,
    put(chunks, 0, stray, "a delta of a block that never started"),
    put(chunks, usageAt + 1, usage, "a second usage"),
    put(chunks, usageAt + 1, { type: "block-start", block: "late", kind: "text" }, "a block after the usage"),
    put(chunks, finishAt + 1, stray, "a chunk after the finish"),
  ]
}

/** An answer with one chunk too many or too few. What comes before `at` is sound. */
export const malformed: fc.Arbitrary<Malformed> = answer.chain((whole) => fc.constantFrom(...breaks(whole)))
