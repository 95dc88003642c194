/**
 * The blocks that messages are made of, as values and as schemas.
 *
 * In:  nothing.      Out: `Block` and its five kinds; the same shapes stand in the log and in requests.
 * Not here: whole messages (`Message.ts`), the pieces of a stream (`ModelChunk.ts`).
 * Source: PROTOCOL "Blocks".
 */
import { Schema } from "effect"

/** Opaque JSON by provider name; goes back only to the provider that made it (reasoning signatures). */
export const Meta = Schema.Record(Schema.String, Schema.Json)
export type Meta = typeof Meta.Type

const meta = Schema.optionalKey(Meta)

export const TextBlock = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String, meta })
export interface TextBlock extends Schema.Schema.Type<typeof TextBlock> {}

export const ReasoningBlock = Schema.Struct({ type: Schema.Literal("reasoning"), text: Schema.String, meta })
export interface ReasoningBlock extends Schema.Schema.Type<typeof ReasoningBlock> {}

/** `arguments` is the model's text, unchanged; nothing has parsed it yet. */
export const ToolCallBlock = Schema.Struct({
  type: Schema.Literal("tool-call"),
  callId: Schema.NonEmptyString,
  name: Schema.String,
  arguments: Schema.String,
  meta,
})
export interface ToolCallBlock extends Schema.Schema.Type<typeof ToolCallBlock> {}

/** Base64 `data` or an absolute `url`, never neither: no provider takes that, in no later request either. */
export const ImageBlock = Schema.Struct({
  type: Schema.Literal("image"),
  mediaType: Schema.String,
  data: Schema.optionalKey(Schema.String),
  url: Schema.optionalKey(Schema.String),
  meta,
}).check(
  Schema.makeFilter(({ data = "", url = "" }) => data !== "" || URL.canParse(url), {
    expected: "an image with data or a url",
  }),
)
export interface ImageBlock extends Schema.Schema.Type<typeof ImageBlock> {}

/** What a person, the context or a tool may say. */
export const Content = Schema.Array(Schema.Union([TextBlock, ImageBlock]))
export type Content = typeof Content.Type

export const ToolResultBlock = Schema.Struct({
  type: Schema.Literal("tool-result"),
  callId: Schema.NonEmptyString,
  name: Schema.String,
  isError: Schema.Boolean,
  content: Content,
  meta,
})
export interface ToolResultBlock extends Schema.Schema.Type<typeof ToolResultBlock> {}

/** What a model may say. */
export const AssistantContent = Schema.Array(Schema.Union([TextBlock, ReasoningBlock, ToolCallBlock]))
export type AssistantContent = typeof AssistantContent.Type

export type Block = TextBlock | ReasoningBlock | ToolCallBlock | ToolResultBlock | ImageBlock

/** Make content of plain text; content passes through. */
export const fromInput = (input: string | Content): Content =>
  typeof input === "string" ? [{ type: "text", text: input }] : input

/** Join the text blocks; other blocks are left out. */
export const toText = (content: ReadonlyArray<Block>): string =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("")
