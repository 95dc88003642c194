/**
 * Find a model by its name, `provider:model`, with the usual environment variables.
 *
 * In:  a name; key and base URL come from Effect's `ConfigProvider`, which reads the environment by default.
 * Out: the `Model` service.
 * Fails with: `ProviderUnknown`, `ProviderNotConfigured`, `ProviderNotInstalled`; each says what is allowed or missing.
 * Not here: what a model does (`AiSdkModel.ts`), scripts (`ScriptedModel.ts`).
 *
 * The provider packages are optional peers: one is loaded when its first model is asked for.
 *
 * | provider | package | variables |
 * |---|---|---|
 * | `openai` | @ai-sdk/openai-compatible | OPENAI_API_KEY, OPENAI_BASE_URL? |
 * | `openai-compatible` | @ai-sdk/openai-compatible | OPENAI_API_KEY?, OPENAI_BASE_URL |
 * | `deepseek` | @ai-sdk/deepseek | DEEPSEEK_API_KEY, DEEPSEEK_BASE_URL? |
 * | `anthropic` | @ai-sdk/anthropic | ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL? |
 */
import { Config, Effect, Layer, Option, Predicate, Redacted } from "effect"
import * as AiSdkModel from "./AiSdkModel.ts"
import { Model } from "./Model.ts"
import {
  type ProviderError,
  ProviderNotConfigured,
  ProviderNotInstalled,
  ProviderUnknown,
} from "./ModelError.ts"

interface Settings {
  readonly apiKey: string | undefined
  readonly baseURL: string
}

interface Provider {
  /** With the major version that this package is tested with. */
  readonly package: string
  readonly prefix: string
  readonly needsKey: boolean
  readonly baseUrl?: string
  readonly options?: Pick<AiSdkModel.Options, "providerOptions">
  readonly load: (model: string, settings: Settings) => Promise<AiSdkModel.LanguageModel>
}

const providers: Readonly<Record<string, Provider>> = {
  openai: {
    package: "@ai-sdk/openai-compatible@3",
    prefix: "OPENAI",
    needsKey: true,
    baseUrl: "https://api.openai.com/v1",
    load: (model, settings) => loadOpenAi("openai", model, settings),
  },
  "openai-compatible": {
    package: "@ai-sdk/openai-compatible@3",
    prefix: "OPENAI",
    needsKey: false,
    load: (model, settings) => loadOpenAi("openai-compatible", model, settings),
  },
  deepseek: {
    package: "@ai-sdk/deepseek@3",
    prefix: "DEEPSEEK",
    needsKey: true,
    baseUrl: "https://api.deepseek.com",
    load: async (model, { apiKey = "", baseURL }) => {
      const { createDeepSeek } = await import("@ai-sdk/deepseek")
      return createDeepSeek({ apiKey, baseURL })(model)
    },
  },
  anthropic: {
    package: "@ai-sdk/anthropic@4",
    prefix: "ANTHROPIC",
    needsKey: true,
    baseUrl: "https://api.anthropic.com/v1",
    // Its pings tell a long thought from a dead connection.
    options: { providerOptions: { anthropic: { includePings: true } } },
    load: async (model, { apiKey = "", baseURL }) => {
      const { createAnthropic } = await import("@ai-sdk/anthropic")
      // The variable is also read by clients that write `/v1` themselves, so it often has no path.
      const isBare = new URL(baseURL).pathname === "/"
      return createAnthropic({ apiKey, baseURL: isBare ? new URL("/v1", baseURL).href : baseURL })(model)
    },
  },
}

/** The providers that `fromName` knows. */
export const names: ReadonlyArray<string> = Object.keys(providers)

/** Make the model of that name. No request is sent. */
export const fromName = (
  name: string,
  options: Pick<AiSdkModel.Options, "idleTimeout" | "isStrict"> = {},
): Effect.Effect<Model["Service"], ProviderError> =>
  Effect.gen(function* () {
    const { id, provider, model } = yield* split(name)
    const apiKey = yield* keyOf(id, provider)
    const baseURL = yield* baseUrlOf(id, provider)
    const languageModel = yield* Effect.tryPromise({
      try: () => provider.load(model, { apiKey, baseURL }),
      catch: (error) => notInstalled(provider.package, error),
    })
    return AiSdkModel.fromLanguageModel(languageModel, {
      ...provider.options,
      ...options,
      name,
      secrets: apiKey === undefined ? [] : [Redacted.make(apiKey)],
    })
  })

/** Let the model of that name answer. */
export const layer = (
  name: string,
  options?: Pick<AiSdkModel.Options, "idleTimeout" | "isStrict">,
): Layer.Layer<Model, ProviderError> => Layer.effect(Model, fromName(name, options))

const split = (name: string) => {
  const colon = name.indexOf(":")
  const id = name.slice(0, colon)
  const model = name.slice(colon + 1)
  const provider = Object.hasOwn(providers, id) ? providers[id] : undefined
  if (colon > 0 && provider && model !== "") return Effect.succeed({ id, provider, model })
  const what = provider
    ? `model name ${JSON.stringify(name)} names no model`
    : `model name ${JSON.stringify(name)} has no known provider`
  const message = `${what}; write PROVIDER:NAME with one of: ${names.join(", ")}`
  return Effect.fail(new ProviderUnknown({ message }))
}

/** A key as it goes over the wire, which is also how a provider may repeat it: without white space around it. */
const keyOf = (id: string, provider: Provider) =>
  Effect.gen(function* () {
    const variable = `${provider.prefix}_API_KEY`
    const given = yield* read(Config.Redacted(variable), variable)
    const key = given === undefined ? "" : Redacted.value(given).trim()
    if (key === "") {
      if (!provider.needsKey) return undefined
      return yield* notConfigured(variable, `${id} needs a key: set ${variable}`)
    }
    if (/^[!-~]+$/.test(key)) return key
    return yield* notConfigured(
      variable,
      `${variable} is no key: it holds white space or a special character`,
    )
  })

const baseUrlOf = (id: string, provider: Provider) =>
  Effect.gen(function* () {
    const variable = `${provider.prefix}_BASE_URL`
    const baseUrl = (yield* read(Config.String(variable), variable)) ?? provider.baseUrl
    if (baseUrl === undefined)
      return yield* notConfigured(variable, `${id} needs a base URL: set ${variable}`)
    const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      return yield* notConfigured(variable, `${variable} is no http or https URL`)
    }
    // Fetch refuses such a URL, and repeats it in its error.
    if (url.username !== "" || url.password !== "") {
      return yield* notConfigured(variable, `${variable} holds a user or a password, which cannot be sent`)
    }
    return baseUrl
  })

const read = <A>(config: Config.Config<A>, variable: string) =>
  Config.option(config).pipe(
    Effect.map(Option.getOrUndefined),
    Effect.catch(() => notConfigured(variable, `${variable} cannot be read`)),
  )

const notConfigured = (variable: string, message: string) =>
  Effect.fail(new ProviderNotConfigured({ variable, message }))

const loadOpenAi = async (
  name: "openai" | "openai-compatible",
  model: string,
  { apiKey, baseURL }: Settings,
): Promise<AiSdkModel.LanguageModel> => {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
  const key = apiKey === undefined ? {} : { apiKey }
  const renamed = name === "openai" ? { transformRequestBody: renameMaxTokens } : {}
  return createOpenAICompatible({ name, baseURL, ...key, ...renamed, includeUsage: true })(model)
}

/** OpenAI's reasoning models refuse the old name; its other models take both. */
const renameMaxTokens = ({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> =>
  max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens }

const notInstalled = (name: string, error: unknown): ProviderNotInstalled => {
  const isMissing = Predicate.hasProperty(error, "code") && /MODULE_NOT_FOUND/.test(String(error.code))
  const why = isMissing ? "is not installed" : "cannot be loaded"
  return new ProviderNotInstalled({ package: name, message: `${name} ${why}; run: npm install ${name}` })
}
