/** Every adapter of the model port that comes with the package keeps it: over real HTTP where there is a wire. */
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { describe } from "vitest"
import * as ModelConformance from "../../src/conformance/ModelConformance.ts"
import type { Usage } from "../../src/message/ModelChunk.ts"
import * as AiSdkModel from "../../src/model/AiSdkModel.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import { connect, type Dialect } from "./answers.ts"
import { blockEvents, chat, messages, piece, type Reply, serve } from "./replay.ts"

const run = (name: string, options: ModelConformance.Options<unknown>) =>
  describe(`${name}, as an adapter,`, () => {
    for (const { name: owed, effect } of ModelConformance.cases(options)) it.live(owed, () => effect)
  })

const [first, second, half] = ['{"q": "a b"}', '{"q": "c"}', '{"q": "a']
const pieces = (text: string) => text.match(/.{1,3}/gs) ?? []

const scripted = (step: ScriptedModel.Step) =>
  ScriptedModel.make({ steps: Array.from({ length: 4 }, () => step) })
const saying = (step: ScriptedModel.Step) => Effect.sync(() => scripted(step).model)
const calling = (one?: string, other?: string): ScriptedModel.Step => ({
  text: "Let me look.",
  calls: [
    { name: "search", arguments: first, ...(one !== undefined && { id: one }) },
    { name: "search", arguments: second, ...(other !== undefined && { id: other }) },
  ],
  usage: { inputTokens: 3, outputTokens: 4 },
})
const searching = { calls: [{ id: "a", name: "search", arguments: half }] }

const failing = (step: ScriptedModel.Step) =>
  Effect.sync(() => {
    const { model, requests } = scripted({
      ...step,
      error: { code: "MODEL_OVERLOADED", message: "too many at once" },
    })
    return { model, code: "MODEL_OVERLOADED" as const, requests: () => requests().length }
  })

run("a scripted model", {
  speaking: saying(calling("a", "b")),
  usage: { inputTokens: 3, outputTokens: 4 },
  silent: Effect.sync(() => ({
    model: scripted({ text: "late", delayMillis: 60_000 }).model,
    asked: Effect.void,
    aborted: Effect.void,
  })),
  sameIds: saying(calling("call_0", "call_0")),
  noIds: saying(calling("", undefined)),
  brokenArguments: saying(searching),
  cut: saying({ ...searching, cutOff: true }),
  refusing: failing({}),
  erring: failing({ text: "Let me" }),
})

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 4, text: 4, reasoning: 0 },
}
const textParts = (text: string): ReadonlyArray<LanguageModelV4StreamPart> => [
  { type: "text-start", id: "0" },
  ...pieces(text).map((delta) => ({ type: "text-delta" as const, id: "0", delta })),
  { type: "text-end", id: "0" },
]
const callParts = (id: string, input: string): ReadonlyArray<LanguageModelV4StreamPart> => [
  { type: "tool-input-start", id, toolName: "search" },
  ...pieces(input).map((delta) => ({ type: "tool-input-delta" as const, id, delta })),
  { type: "tool-input-end", id },
  { type: "tool-call", toolCallId: id, toolName: "search", input },
]
const finishPart: LanguageModelV4StreamPart = {
  type: "finish",
  finishReason: { unified: "tool-calls", raw: "tool_calls" },
  usage,
}
const twoCalls = (one: string, other: string) => [
  ...textParts("Let me look."),
  ...callParts(one, first),
  ...callParts(other, second),
  finishPart,
]

/** A provider's own model, which answers as it is told. */
const provider = (doStream: LanguageModelV4["doStream"]) =>
  AiSdkModel.fromLanguageModel({
    specificationVersion: "v4",
    provider: "acme.chat",
    modelId: "m",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("nobody asks for this")),
    doStream,
  })
const playing = (parts: ReadonlyArray<LanguageModelV4StreamPart>) =>
  Effect.sync(() => provider(async () => ({ stream: new ReadableStream({ start: enqueue(parts) }) })))

const enqueue =
  (parts: ReadonlyArray<LanguageModelV4StreamPart>) =>
  (controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>) => {
    for (const part of parts) controller.enqueue(part)
    controller.close()
  }

const tooMany = Object.assign(new Error("too many"), { statusCode: 429, isRetryable: true })

const refusal = (doStream: () => ReturnType<LanguageModelV4["doStream"]>) =>
  Effect.sync(() => {
    let asked = 0
    const model = provider(() => {
      asked++
      return doStream()
    })
    return { model, code: "MODEL_RATE_LIMITED" as const, requests: () => asked }
  })

const recordedParts: ModelConformance.Options<unknown> = {
  speaking: playing(twoCalls("a", "b")),
  usage: { inputTokens: 3, outputTokens: 4 },
  silent: Effect.sync(() => {
    const asked = Deferred.makeUnsafe<void>()
    const aborted = Deferred.makeUnsafe<void>()
    const model = provider(async ({ abortSignal }) => {
      abortSignal?.addEventListener("abort", () => Deferred.doneUnsafe(aborted, Effect.void))
      Deferred.doneUnsafe(asked, Effect.void)
      return { stream: new ReadableStream() }
    })
    return { model, asked: Deferred.await(asked), aborted: Deferred.await(aborted) }
  }),
  sameIds: playing(twoCalls("call_0", "call_0")),
  noIds: playing(twoCalls("", "")),
  brokenArguments: playing([...callParts("a", half), finishPart]),
  cut: playing(callParts("a", half).slice(0, -2)),
  refusing: refusal(() => Promise.reject(tooMany)),
  erring: refusal(async () => ({
    stream: new ReadableStream({
      start: enqueue([...textParts("Let me"), { type: "error", error: tooMany }]),
    }),
  })),
}

run("a provider's model with parts of its own", recordedParts)
run("a provider's model that throws", {
  ...recordedParts,
  refusing: refusal(() => {
    throw tooMany
  }),
  erring: refusal(async () => ({
    stream: new ReadableStream({
      start: (controller) => {
        for (const part of textParts("Let me")) controller.enqueue(part)
      },
      pull: (controller) => controller.error(tooMany),
    }),
  })),
})

/** What a wire says in each situation. */
interface Wire {
  readonly usage: Usage
  readonly speaking: (one: string, other: string) => ReadonlyArray<string>
  readonly beginning: ReadonlyArray<string>
  readonly brokenArguments: ReadonlyArray<string>
  readonly cut: ReadonlyArray<string>
  readonly erring: ReadonlyArray<string>
}

const start = (id: string) => ({ id, type: "function", function: { name: "search" } })
const chatUsage = { usage: { prompt_tokens: 20, completion_tokens: 9 } }

/** Two parallel calls, cut into small pieces that alternate. */
const alternating = (one: string, other: string) => [
  piece(0, "", start(one)),
  piece(1, "", start(other)),
  ...pieces(first).flatMap((text, index) => [
    piece(0, text),
    ...pieces(second)
      .slice(index, index + 1)
      .map((text) => piece(1, text)),
  ]),
]

const overloaded = { error: { message: "try later", type: "server_error", code: "overloaded" } }

const chatWire: Wire = {
  usage: { inputTokens: 20, outputTokens: 9 },
  speaking: (one, other) =>
    chat(
      { role: "assistant", content: "Let " },
      { content: "me look." },
      ...alternating(one, other),
      { finish_reason: "tool_calls" },
      chatUsage,
    ),
  beginning: chat({ content: "Wait" }).slice(0, 1),
  brokenArguments: chat(piece(0, half, start("a")), { finish_reason: "tool_calls" }, chatUsage),
  cut: chat(piece(0, half, start("a"))).slice(0, -1),
  erring: [...chat({ content: "Let me" }).slice(0, -1), `data: ${JSON.stringify(overloaded)}\n\n`],
}

const toolUse = (index: number, id: string, text: string) =>
  blockEvents(
    index,
    { type: "tool_use", id, name: "search", input: {} },
    ...pieces(text).map((partial_json) => ({ type: "input_json_delta", partial_json })),
  )
const said = (text: string) => blockEvents(0, { type: "text", text: "" }, { type: "text_delta", text })

const messagesWire: Wire = {
  usage: { inputTokens: 12, outputTokens: 30, cacheReadTokens: 5 },
  speaking: (one, other) =>
    messages([...said("Let me look."), ...toolUse(1, one, first), ...toolUse(2, other, second)]),
  beginning: messages([], []),
  brokenArguments: messages(toolUse(0, "a", half)),
  cut: messages(toolUse(0, "a", half).slice(0, -1), []),
  erring: [
    ...messages(said("Let me").slice(0, -1), []),
    `event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n`,
  ],
}

const answering = (dialect: Dialect, reply: Reply) =>
  Effect.gen(function* () {
    const { requests, url } = yield* serve(reply, reply, reply)
    return { model: yield* connect(dialect, url), requests: () => requests.length }
  })
const saidBy = (dialect: Dialect, body: Reply["body"], end: Reply["end"] = "close") =>
  Effect.map(answering(dialect, { body, end }), ({ model }) => model)
const failingWith = (dialect: Dialect, reply: Reply) =>
  Effect.map(answering(dialect, reply), (far) => ({ ...far, code: "MODEL_OVERLOADED" as const }))

for (const [dialect, wire] of [
  ["openai", chatWire],
  ["openai-compatible", chatWire],
  ["deepseek", chatWire],
  ["anthropic", messagesWire],
] as const) {
  const overHttp: ModelConformance.Options<unknown> = {
    speaking: saidBy(dialect, wire.speaking("call_a", "call_b")),
    usage: wire.usage,
    silent: Effect.gen(function* () {
      const { aborted, answering: asked, url } = yield* serve({ body: wire.beginning, end: "hang" })
      return { model: yield* connect(dialect, url), asked, aborted }
    }),
    sameIds: saidBy(dialect, wire.speaking("call_0", "call_0")),
    noIds: saidBy(dialect, wire.speaking("", "")),
    brokenArguments: saidBy(dialect, wire.brokenArguments),
    cut: saidBy(dialect, wire.cut),
    refusing: failingWith(dialect, { status: 503, body: [JSON.stringify(overloaded)] }),
    erring: failingWith(dialect, { body: wire.erring }),
  }
  run(`${dialect} over HTTP`, overHttp)
  run(`${dialect} over HTTP that breaks`, {
    speaking: overHttp.speaking,
    silent: Effect.gen(function* () {
      const { aborted, answering: asked, url } = yield* serve({ body: [], end: "hang" })
      return { model: yield* connect(dialect, url), asked, aborted }
    }),
    cut: saidBy(dialect, wire.cut, "break"),
  })
}
