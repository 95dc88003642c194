/**
 * Ask a model over a real connection and fold what it says.
 *
 * In:  a dialect and the URL of a replay.      Out: the model; the chunks and the failure of one answer.
 */
import { ConfigProvider, Effect, Stream } from "effect"
import type { ModelChunk } from "../../src/message/ModelChunk.ts"
import type { Model, ModelRequest } from "../../src/model/Model.ts"
import type { ModelError } from "../../src/model/ModelError.ts"
import * as Providers from "../../src/model/Providers.ts"

export const key = "key-that-nobody-may-read"

export const request: ModelRequest = {
  system: "You are terse.",
  messages: [{ role: "user", content: [{ type: "text", text: "go" }] }],
  tools: [{ name: "search", description: "Search.", parameters: { type: "object", properties: {} } }],
  toolChoice: "auto",
  sampling: {},
}

export const dialects = ["openai", "openai-compatible", "deepseek", "anthropic"] as const
export type Dialect = (typeof dialects)[number]

export const connect = (dialect: Dialect, url: string): Effect.Effect<Model["Service"]> => {
  const env = Object.fromEntries(
    ["OPENAI", "DEEPSEEK", "ANTHROPIC"].flatMap((prefix) => [
      [`${prefix}_API_KEY`, key],
      [`${prefix}_BASE_URL`, url],
    ]),
  )
  return Providers.fromName(`${dialect}:m`).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(env)),
    Effect.orDie,
  )
}

export interface Answer {
  readonly chunks: ReadonlyArray<ModelChunk>
  readonly error: ModelError | undefined
}

/** All chunks of an answer, and the error it ended in. */
export const ask = (model: Model["Service"], of: ModelRequest = request): Effect.Effect<Answer> => {
  const chunks: Array<ModelChunk> = []
  return Stream.runForEach(model.stream(of), (chunk) => Effect.sync(() => void chunks.push(chunk))).pipe(
    Effect.as<Answer>({ chunks, error: undefined }),
    Effect.catch((error) => Effect.succeed<Answer>({ chunks, error })),
  )
}
