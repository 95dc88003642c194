/**
 * The port behind which models answer.
 *
 * In:  a `ModelRequest`: system text, derived history, tools, sampling.
 * Out: a stream of chunks: blocks (tool arguments as raw text), then one usage, then one finish, then nothing.
 * Fails with: `ModelError`; an adapter never retries, the loop decides that.
 * Not here: what the chunks become (`message/Assembler`), providers (`ScriptedModel.ts`, `AiSdkModel.ts`).
 */
import { Context, Layer, type Stream } from "effect"
import type { Message } from "../message/Message.ts"
import type { ModelChunk } from "../message/ModelChunk.ts"
import type { ModelError } from "./ModelError.ts"

/** A tool as a model sees it. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, an object schema at the root. */
  readonly parameters: { readonly [key: string]: unknown }
}

export type ToolChoice = "auto" | "none" | "required" | { readonly tool: string }

/** Sampling; what is absent is left to the provider. Units: tokens for `maxTokens`. */
export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly maxTokens?: number
  readonly seed?: number
  readonly stop?: ReadonlyArray<string>
}

export interface ModelRequest {
  readonly system?: string
  readonly messages: ReadonlyArray<Message>
  readonly tools: ReadonlyArray<ToolDescription>
  readonly toolChoice: ToolChoice
  readonly sampling: Sampling
}

export class Model extends Context.Service<
  Model,
  {
    /** `provider:name`, as it stands in the log. */
    readonly name: string
    readonly stream: (request: ModelRequest) => Stream.Stream<ModelChunk, ModelError>
  }
>()("effect-harness/model/Model") {}

/** Let this one answer. */
export const layer = (model: Model["Service"]): Layer.Layer<Model> => Layer.succeed(Model, model)
