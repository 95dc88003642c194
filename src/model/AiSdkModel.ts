/**
 * Any language model of the AI SDK's provider interface (versions 3 and 4) behind our port.
 *
 * In:  a provider's language model, as its package makes it.      Out: the `Model` service.
 * Order: interrupting the stream aborts the request; after the finish nothing more is read.
 * Fails with: `ModelError`; nothing is retried here, nor in `doStream` (retries are a matter of the AI SDK's core).
 * Not here: prompts (`toPrompt.ts`), parts (`toChunks.ts`), errors (`toModelError.ts`), names and keys (`Providers.ts`).
 */
import type {
  JSONSchema7,
  LanguageModelV3,
  LanguageModelV3FilePart,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
} from "@ai-sdk/provider"
import { Array as Arr, Cause, Clock, Duration, Effect, Layer, Redacted, Stream } from "effect"
import * as Beginning from "../error/Beginning.ts"
import type { ImageBlock } from "../message/Content.ts"
import { Ids } from "../message/Ids.ts"
import type { ModelChunk } from "../message/ModelChunk.ts"
import { Model, type ModelRequest, type ToolDescription } from "./Model.ts"
import { type ModelError, ModelOverloaded, ModelProtocolViolated, ModelTimedOut } from "./ModelError.ts"
import { type Pump, type PumpFailure, pumpParts, type Reader } from "./pumpParts.ts"
import { type Fault, make as makeTranslator, type Part, type Translator } from "./toChunks.ts"
import { type Circumstances, toModelError } from "./toModelError.ts"
import { type Images, toPrompt } from "./toPrompt.ts"

export type LanguageModel = LanguageModelV4 | LanguageModelV3

export interface Options {
  /** `provider:name`, as it stands in the log; by default what the language model calls itself. */
  readonly name?: string
  /** How long the provider may be silent: before its first part and between two. Default: 2 minutes. */
  readonly idleTimeout?: Duration.Input
  /** Passed on with every request, under the provider's own name for itself: thinking budgets and the like. */
  readonly providerOptions?: NonNullable<LanguageModelV4CallOptions["providerOptions"]>
  /**
   * Which tools are sent with `strict: true`, by their JSON Schema; none unless given. `Projection.openAi.reads` and
   * `Projection.anthropic.reads` know which schemas their providers take so.
   */
  readonly isStrict?: (parameters: ToolDescription["parameters"]) => boolean
  /** Keys that no error message may hold, even when the provider repeats them. */
  readonly secrets?: ReadonlyArray<Redacted.Redacted<string>>
}

/** Make our model of a provider's. */
export const fromLanguageModel = (languageModel: LanguageModel, options: Options = {}): Model["Service"] => {
  const idle = Duration.fromInputUnsafe(options.idleTimeout ?? "2 minutes")
  const secrets = (options.secrets ?? []).map((secret) => Redacted.value(secret))
  return {
    name: options.name ?? `${languageModel.provider}:${languageModel.modelId}`,
    stream: (request) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const ids = yield* Ids
          const clock = yield* Clock.Clock
          const heard: Heard = {}
          const translator = makeTranslator(languageModel.provider, ids)
          const pump = yield* pumpParts<Part>(
            (signal) => openStream(languageModel, request, { signal, heard, options }),
            Duration.toMillis(idle),
          )
          const explain = (error: unknown, answered: boolean): ModelError =>
            toModelError(error, { answered, secrets, now: clock.currentTimeMillisUnsafe() })
          return Stream.fromPull(Effect.succeed(pull(pump, translator, { explain, idle, heard })))
        }),
      ),
  }
}

export const layer = (languageModel: LanguageModel, options?: Options): Layer.Layer<Model> =>
  Layer.sync(Model, () => fromLanguageModel(languageModel, options))

/** What the head of the answer said, once it came. */
interface Heard {
  contentType?: string
}

interface Words {
  readonly explain: (error: unknown, answered: Circumstances["answered"]) => ModelError
  readonly idle: Duration.Duration
  readonly heard: Heard
}

type Chunks = Arr.NonEmptyReadonlyArray<ModelChunk>

const pull = (
  pump: Pump<Part>,
  translator: Translator,
  words: Words,
): Effect.Effect<Chunks, ModelError | Cause.Done> => {
  let failure: ModelError | undefined
  const next: Effect.Effect<Chunks, ModelError | Cause.Done> = Effect.suspend(() => {
    if (failure) return Effect.fail(failure)
    if (translator.isFinished()) return Cause.done()
    return Effect.matchEffect(pump.take, {
      onFailure: (broken) => Effect.fail(ofPump(broken, words)),
      onSuccess: (parts) => {
        const chunks: Array<ModelChunk> = []
        const fault = translate(parts, translator, chunks)
        if (fault) failure = ofFault(fault, words)
        return Arr.isReadonlyArrayNonEmpty(chunks) ? Effect.succeed(chunks) : next
      },
    })
  })
  return next
}

const translate = (
  parts: ReadonlyArray<Part>,
  translator: Translator,
  chunks: Array<ModelChunk>,
): Fault | undefined => {
  if (parts.length === 0) return { type: "protocol", message: "the stream ended without a finish" }
  for (const part of parts) {
    const fault = translator.push(part, chunks)
    if (fault || translator.isFinished()) return fault
  }
  return undefined
}

const ofFault = (fault: Fault, { explain, heard }: Words): ModelError => {
  if (fault.type === "provider") return withKind(explain(fault.error, true), heard)
  return fault.type === "stopped"
    ? new ModelOverloaded({ message: fault.message })
    : withKind(new ModelProtocolViolated({ message: fault.message }), heard)
}

/** An answer that is no stream usually comes from a proxy, or from a server that is no model's: say what came. */
const withKind = (error: ModelError, { contentType }: Heard): ModelError => {
  if (error._tag !== "ModelProtocolViolated") return error
  if (contentType === undefined || contentType === "text/event-stream") return error
  const kind = Beginning.of(contentType, 60)
  const message = `${error.message} (the answer is ${kind}, no event stream; is the base URL right?)`
  return new ModelProtocolViolated({ message, cause: error })
}

const ofPump = (broken: PumpFailure, { explain, idle, heard }: Words): ModelError => {
  if (broken.type === "failed") return withKind(explain(broken.error, broken.answered), heard)
  const when = broken.answered ? "in the middle of its answer" : "before its answer"
  return new ModelTimedOut({ message: `the provider was silent for ${Duration.format(idle)} ${when}` })
}

const openStream = async (
  languageModel: LanguageModel,
  request: ModelRequest,
  {
    signal,
    heard,
    options: { isStrict, providerOptions },
  }: {
    readonly signal: AbortSignal
    readonly heard: Heard
    readonly options: Options
  },
): Promise<Reader<Part>> => {
  const { provider } = languageModel
  const options = {
    ...settingsOf(request, isStrict),
    abortSignal: signal,
    ...(providerOptions && { providerOptions }),
  }
  const { stream, response }: Opened =
    languageModel.specificationVersion === "v4"
      ? await languageModel.doStream({ ...options, prompt: toPrompt(request, provider, imagesV4) })
      : await languageModel.doStream({ ...options, prompt: toPrompt(request, provider, imagesV3) })
  const contentType = response?.headers?.["content-type"]?.split(";", 1).join("").trim()
  if (contentType) heard.contentType = contentType
  return stream.getReader()
}

/** What both versions of the interface give. */
interface Opened {
  readonly stream: ReadableStream<Part>
  readonly response?: { readonly headers?: Readonly<Record<string, string>> }
}

const settingsOf = (
  { tools, toolChoice, sampling }: ModelRequest,
  isStrict: Options["isStrict"],
): Omit<LanguageModelV4CallOptions, "prompt"> => ({
  ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
  ...(sampling.topP !== undefined && { topP: sampling.topP }),
  ...(sampling.maxTokens !== undefined && { maxOutputTokens: sampling.maxTokens }),
  ...(sampling.seed !== undefined && { seed: sampling.seed }),
  ...(sampling.stop && { stopSequences: [...sampling.stop] }),
  ...(tools.length > 0 && {
    tools: tools.map(({ name, description, parameters }) => ({
      type: "function" as const,
      name,
      description,
      // Our port does not bind tools to a draft; what a provider does not know, it refuses in words.
      inputSchema: parameters as JSONSchema7,
      ...(isStrict?.(parameters) && { strict: true }),
    })),
    toolChoice:
      typeof toolChoice === "string"
        ? ({ type: toolChoice } as const)
        : ({ type: "tool", toolName: toolChoice.tool } as const),
  }),
})

const dataOf = ({ data, url }: ImageBlock): string | URL => data ?? new URL(url ?? "")

const fileOf = (image: ImageBlock): LanguageModelV4FilePart => {
  const data = dataOf(image)
  return {
    type: "file",
    mediaType: image.mediaType,
    data: typeof data === "string" ? { type: "data", data } : { type: "url", url: data },
  }
}

const imagesV4: Images<LanguageModelV4FilePart, LanguageModelV4FilePart> = {
  inMessage: fileOf,
  inResult: fileOf,
}

type ImageOfResultV3 =
  | { readonly type: "image-data"; readonly data: string; readonly mediaType: string }
  | { readonly type: "image-url"; readonly url: string }

const imagesV3: Images<LanguageModelV3FilePart, ImageOfResultV3> = {
  inMessage: (image) => ({ type: "file", mediaType: image.mediaType, data: dataOf(image) }),
  inResult: (image) => {
    const data = dataOf(image)
    return typeof data === "string"
      ? { type: "image-data", data, mediaType: image.mediaType }
      : { type: "image-url", url: data.href }
  },
}
