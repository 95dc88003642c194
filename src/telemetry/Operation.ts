/**
 * What our operations are called in spans and counters: the OpenTelemetry conventions for generative AI.
 *
 * In:  names, numbers and stable codes.      Out: `Operation` before it runs, `Ending` after it.
 * Fails with: nothing.
 * Not here: arguments, results, prompts, messages of errors: there is no parameter that could bring them in.
 * Source: OpenTelemetry semantic conventions 1.41, gen-ai-spans and gen-ai-agent-spans; what is ours begins with
 * `effect_harness.`.
 */

export type Attribute = string | number | ReadonlyArray<string>

export interface Operation {
  readonly span: string
  readonly kind: "internal" | "client"
  readonly attributes: Readonly<Record<string, Attribute>>
}

/** One step of one counter. */
export interface Count {
  readonly counter: "turns" | "requests" | "tokens" | "calls"
  readonly by: number
  readonly attributes: Readonly<Record<string, string>>
}

export interface Ending {
  /** The stable code of what went wrong; absent when nothing did. */
  readonly errorType?: string
  readonly attributes: Readonly<Record<string, Attribute>>
  readonly counts: ReadonlyArray<Count>
}

/** Disjoint counts, as the log has them. Units: tokens. */
export interface Tokens {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
}

/** `model` is `provider:name`, as the log has it. */
export const invokeAgent = (turn: {
  readonly conversation: string
  readonly turn: number
  readonly model: string
}): Operation => ({
  span: "invoke_agent",
  kind: "internal",
  attributes: {
    "gen_ai.operation.name": "invoke_agent",
    ...modelOf(turn.model),
    "gen_ai.conversation.id": turn.conversation,
    "effect_harness.turn": turn.turn,
  },
})

export const turnEnded = (result: {
  readonly reason: { readonly kind: string; readonly code?: string }
  readonly usage?: Tokens
  readonly steps: number
}): Ending => {
  const { kind: reason, code } = result.reason
  const errorType = reason === "failed" || reason === "limit" ? toErrorType(code) : undefined
  return {
    ...(errorType !== undefined && { errorType }),
    attributes: {
      ...(result.usage !== undefined && usage(result.usage)),
      "effect_harness.turn.reason": reason,
      "effect_harness.turn.steps": result.steps,
    },
    counts: [
      {
        counter: "turns",
        by: 1,
        attributes: { "effect_harness.turn.reason": reason, ...ofError(errorType) },
      },
    ],
  }
}

export const chat = (request: {
  readonly conversation: string
  readonly turn: number
  readonly step: number
  readonly model: string
  readonly maxTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly seed?: number
}): Operation => ({
  span: `chat ${modelOf(request.model)["gen_ai.request.model"]}`,
  kind: "client",
  attributes: {
    "gen_ai.operation.name": "chat",
    ...modelOf(request.model),
    "gen_ai.conversation.id": request.conversation,
    "effect_harness.turn": request.turn,
    "effect_harness.step": request.step,
    ...optional("gen_ai.request.max_tokens", request.maxTokens),
    ...optional("gen_ai.request.temperature", request.temperature),
    ...optional("gen_ai.request.top_p", request.topP),
    ...optional("gen_ai.request.seed", request.seed),
  },
})

/** `finish` is the kind that the log has; `code` says why there is none. */
export const chatEnded = (
  model: string,
  end: { readonly finish?: string; readonly code?: string; readonly tokens: Tokens | undefined },
): Ending => {
  const errorType = end.code === undefined ? undefined : toErrorType(end.code)
  const labels = { "gen_ai.operation.name": "chat", ...modelOf(model) }
  const tokens = end.tokens === undefined ? undefined : usage(end.tokens)
  const countTokens = (type: "input" | "output"): ReadonlyArray<Count> => {
    const by = tokens?.[`gen_ai.usage.${type}_tokens`] ?? 0
    return by === 0 ? [] : [{ counter: "tokens", by, attributes: { ...labels, "gen_ai.token.type": type } }]
  }
  return {
    ...(errorType !== undefined && { errorType }),
    attributes: {
      ...tokens,
      ...(end.finish !== undefined && {
        "gen_ai.response.finish_reasons": [finishReasons[end.finish] ?? end.finish],
      }),
    },
    counts: [
      { counter: "requests", by: 1, attributes: { ...labels, ...ofError(errorType) } },
      ...countTokens("input"),
      ...countTokens("output"),
    ],
  }
}

/** `tool` is absent when there is none of that name. */
export const executeTool = (call: {
  readonly conversation: string
  readonly turn: number
  readonly step: number
  readonly callId: string
  readonly tool: string | undefined
}): Operation => ({
  span: `execute_tool ${call.tool ?? other}`,
  kind: "internal",
  attributes: {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": call.tool ?? other,
    "gen_ai.tool.type": "function",
    "gen_ai.tool.call.id": call.callId,
    "gen_ai.conversation.id": call.conversation,
    "effect_harness.turn": call.turn,
    "effect_harness.step": call.step,
  },
})

/** `result` is absent when the log failed before there was one. */
export const toolEnded = (
  tool: string | undefined,
  result:
    | { readonly outcome: string; readonly error?: { readonly code: string }; readonly attempts?: number }
    | undefined,
): Ending => {
  const outcome = result?.outcome ?? "outcome-unknown"
  const errorType = outcome === "success" ? undefined : toErrorType(result?.error?.code)
  const labels = { "gen_ai.tool.name": tool ?? other, "effect_harness.tool.outcome": outcome }
  return {
    ...(errorType !== undefined && { errorType }),
    attributes: {
      "effect_harness.tool.outcome": outcome,
      ...optional("effect_harness.tool.attempts", result?.attempts),
    },
    counts: [{ counter: "calls", by: 1, attributes: { ...labels, ...ofError(errorType) } }],
  }
}

/** What the conventions call a value that has no name of its own. */
const other = "_OTHER"

/** The names that the conventions have for providers; any other stands for itself. */
const providerNames: Readonly<Record<string, string>> = {
  google: "gcp.gemini",
  "google-vertex": "gcp.vertex_ai",
  bedrock: "aws.bedrock",
  azure: "azure.ai.openai",
  mistral: "mistral_ai",
  xai: "x_ai",
}

const finishReasons: Readonly<Record<string, string>> = {
  "tool-calls": "tool_calls",
  "max-tokens": "length",
  refused: "content_filter",
}

const modelOf = (name: string) => {
  const colon = name.indexOf(":")
  const provider = colon < 0 ? other : name.slice(0, colon)
  return {
    "gen_ai.provider.name": providerNames[provider] ?? provider,
    "gen_ai.request.model": name.slice(colon + 1),
  }
}

/** The conventions count what was cached as input, and what was thought as output. */
const usage = (tokens: Tokens) => ({
  "gen_ai.usage.input_tokens":
    tokens.inputTokens + (tokens.cacheReadTokens ?? 0) + (tokens.cacheWriteTokens ?? 0),
  "gen_ai.usage.output_tokens": tokens.outputTokens + (tokens.reasoningTokens ?? 0),
  ...optional("gen_ai.usage.cache_read.input_tokens", tokens.cacheReadTokens),
  ...optional("gen_ai.usage.cache_creation.input_tokens", tokens.cacheWriteTokens),
  ...optional("gen_ai.usage.reasoning.output_tokens", tokens.reasoningTokens),
})

/** A body may put anything into its code; what does not look like one is none. */
const toErrorType = (code: string | undefined): string =>
  code !== undefined && /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(code) ? code : other

const ofError = (errorType: string | undefined): Readonly<Record<string, string>> =>
  errorType === undefined ? {} : { "error.type": errorType }

const optional = (key: string, value: number | undefined): Readonly<Record<string, number>> =>
  value === undefined ? {} : { [key]: value }
