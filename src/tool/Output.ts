/**
 * What a body gave, in the form that a result carries.
 *
 * In:  any value, or blocks made with `content`.      Out: `Rendered`: what the model reads, and the JSON itself.
 * Fails with: `ToolOutputInvalid`, with the path of every value that JSON cannot hold.
 * Not here: whole results (`encode.ts`), how a value becomes JSON (`jsonify.ts`), declared output schemas (`Tool.ts`).
 */
import type { Schema } from "effect"
import type { Content } from "../message/Content.ts"

const brand: unique symbol = Symbol.for("effect-harness/tool/Output")

/** Text and images for the model, instead of JSON. */
export interface ContentOutput {
  readonly [brand]: true
  readonly content: Content
}

/** Give the model these blocks as they are. */
export const content = (blocks: Content): ContentOutput => ({ [brand]: true, content: blocks })

export const isContent = (value: unknown): value is ContentOutput =>
  typeof value === "object" && value !== null && brand in value

export interface Rendered {
  readonly content: Content
  /** The output itself, when it is a JSON object or array and was not cut. */
  readonly structured?: Schema.Json
}
