/**
 * The pieces in which a model answers.
 *
 * In:  nothing.      Out: `ModelChunk` = block chunks (logged as they are), one usage, one finish.
 * Order: chunks of different blocks may interleave; usage comes before finish; nothing comes after finish.
 * Not here: folding chunks to blocks (`Assembler.ts`).
 * Source: PROTOCOL "Chunks".
 */
import { Schema } from "effect"
import { Meta } from "./Content.ts"

const block = Schema.NonEmptyString

/** One piece of one block; `block` is the block's id, unique within its step. */
export const BlockChunk = Schema.Union([
  Schema.Struct({ type: Schema.Literal("block-start"), block, kind: Schema.Literals(["text", "reasoning"]) }),
  Schema.Struct({
    type: Schema.Literal("block-start"),
    block,
    kind: Schema.Literal("tool-call"),
    callId: Schema.NonEmptyString,
    name: Schema.String,
  }),
  Schema.Struct({ type: Schema.Literal("text-delta"), block, text: Schema.String }),
  Schema.Struct({ type: Schema.Literal("reasoning-delta"), block, text: Schema.String }),
  Schema.Struct({ type: Schema.Literal("arguments-delta"), block, text: Schema.String }),
  Schema.Struct({ type: Schema.Literal("block-end"), block, meta: Schema.optionalKey(Meta) }),
])
export type BlockChunk = typeof BlockChunk.Type

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** Units: tokens. The counts are disjoint: cached input is not in `inputTokens`, reasoning not in `outputTokens`. */
export const Usage = Schema.Struct({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: Schema.optionalKey(count),
  cacheWriteTokens: Schema.optionalKey(count),
  reasoningTokens: Schema.optionalKey(count),
})
export interface Usage extends Schema.Schema.Type<typeof Usage> {}

/** Why a model stopped. The harness itself writes `aborted` and `error`; a model reports the others. */
export const Finish = Schema.Struct({
  kind: Schema.Literals(["stop", "tool-calls", "max-tokens", "refused", "aborted", "error"]),
  code: Schema.optionalKey(Schema.String),
})
export interface Finish extends Schema.Schema.Type<typeof Finish> {}

export type ModelChunk =
  | BlockChunk
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly finish: Finish }
