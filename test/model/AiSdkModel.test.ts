import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV4,
  LanguageModelV4CallOptions,
} from "@ai-sdk/provider"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import * as Assembler from "../../src/message/Assembler.ts"
import type { AssistantContent } from "../../src/message/Content.ts"
import * as AiSdkModel from "../../src/model/AiSdkModel.ts"
import { Model, type ModelRequest } from "../../src/model/Model.ts"
import * as Projection from "../../src/projection/Projection.ts"
import { ask, connect, type Dialect, dialects, request } from "./answers.ts"
import {
  blockEvents,
  chat,
  hasCorpus,
  messages,
  messagesEnd,
  piece,
  type Reply,
  recorded,
  serve,
} from "./replay.ts"

const pieces = (text: string) => text.match(/.{1,3}/gs) ?? []

const toolUse = (index: number, id: string, text: string) =>
  blockEvents(
    index,
    { type: "tool_use", id, name: "search", input: {} },
    ...pieces(text).map((partial_json) => ({ type: "input_json_delta", partial_json })),
  )

const answerOf = (dialect: Dialect, reply: Reply) =>
  Effect.gen(function* () {
    const { url } = yield* serve(reply)
    const { chunks, error } = yield* ask(yield* connect(dialect, url))
    const { fault, content, finish, usage } = Assembler.fold(chunks)
    expect(fault).toBeUndefined()
    return { error, content, finish, usage }
  }).pipe(Effect.scoped)

const callsOf = (content: AssistantContent) =>
  content.flatMap((block) =>
    block.type === "tool-call" ? [`${block.callId} ${block.name} ${block.arguments}`] : [],
  )

const start = (id: string, name: string) => ({ id, type: "function", function: { name } })

const apart = ['a s {"q":"x"}', 'b s {"q":"y"}']

/**
 * `@ai-sdk/deepseek` 3.0 takes the second start for more of the first call. What it makes of the two is no JSON, so
 * that `tool/decode` refuses it: nothing wrong runs, and the model hears of it.
 */
const sameIndexEmptyStart: Readonly<Record<string, ReadonlyArray<string>>> = {
  openai: apart,
  "openai-compatible": apart,
  deepseek: ['a s {"q":"x"}{"q":"y"}'],
}

for (const dialect of dialects.filter((each) => each !== "anthropic")) {
  describe(`${dialect} over chat-completions`, () => {
    it.effect("runs no call of a stream that closes after its name", () =>
      Effect.gen(function* () {
        const body = chat(piece(0, "", start("c1", "delete_files"))).slice(0, -1)
        const { error, content, finish } = yield* answerOf(dialect, { body })
        expect(error).toMatchObject({ code: "MODEL_PROTOCOL_VIOLATED" })
        expect(error?.message).toMatch(/without a finish/)
        expect([content, finish]).toEqual([[], undefined])
      }),
    )

    it.effect("runs no call of a connection that breaks", () =>
      Effect.gen(function* () {
        const body = chat(piece(0, "{}", start("c1", "delete_files"))).slice(0, -1)
        const { error, content } = yield* answerOf(dialect, { body, end: "break" })
        expect(error).toMatchObject({ code: "MODEL_UNREACHABLE", retry: "later" })
        expect(content).toEqual([])
      }),
    )

    it.effect("opens a new call for a new id at an old index", () =>
      Effect.gen(function* () {
        const body = chat(piece(0, '{"q":"x"}', start("a", "s")), piece(0, '{"q":"y"}', start("b", "s")), {
          finish_reason: "tool_calls",
        })
        const { content } = yield* answerOf(dialect, { body })
        expect(callsOf(content)).toEqual(['a s {"q":"x"}', 'b s {"q":"y"}'])
      }),
    )

    it.effect("keeps calls at one index apart also when each begins with an empty piece", () =>
      Effect.gen(function* () {
        const body = chat(
          piece(0, "", start("a", "s")),
          piece(0, '{"q":"x"}'),
          piece(0, "", start("b", "s")),
          piece(0, '{"q":"y"}'),
          { finish_reason: "tool_calls" },
        )
        const { content } = yield* answerOf(dialect, { body })
        expect(callsOf(content)).toEqual(sameIndexEmptyStart[dialect])
      }),
    )

    it.effect("keeps the pieces of alternating calls apart", () =>
      Effect.gen(function* () {
        const body = chat(
          piece(0, '{"q"', start("a", "s")),
          piece(1, '{"r"', start("b", "t")),
          piece(0, ":1}"),
          piece(1, ":2}"),
          { finish_reason: "tool_calls" },
        )
        const { content } = yield* answerOf(dialect, { body })
        expect(callsOf(content)).toEqual(['a s {"q":1}', 'b t {"r":2}'])
      }),
    )

    it.effect("takes empty ids and names after the first piece for absent ones", () =>
      Effect.gen(function* () {
        const body = chat(
          piece(0, '{"x":', start("a", "calc")),
          piece(0, "1}", { id: "", function: { name: "" } }),
          { finish_reason: "tool_calls" },
        )
        const { content } = yield* answerOf(dialect, { body })
        expect(callsOf(content)).toEqual(['a calc {"x":1}'])
      }),
    )

    it.effect("makes an id for a call that has none", () =>
      Effect.gen(function* () {
        const body = chat(piece(0, "{}", start("", "calc")), { finish_reason: "tool_calls" })
        const { content } = yield* answerOf(dialect, { body })
        expect(callsOf(content)).toEqual([expect.stringMatching(/^\S+ calc \{\}$/)])
      }),
    )

    it.effect("leaves arguments as they were cut off, and says max-tokens when the provider does", () =>
      Effect.gen(function* () {
        const cut = piece(0, '{"path":"a","content":"abc', start("a", "write"))
        const said = yield* answerOf(dialect, { body: chat(cut, { finish_reason: "tool_calls" }) })
        expect(callsOf(said.content)).toEqual(['a write {"path":"a","content":"abc'])
        const told = yield* answerOf(dialect, { body: chat(cut, { finish_reason: "length" }) })
        expect(told.finish).toEqual({ kind: "max-tokens" })
      }),
    )

    it.effect("keeps the calls when a second finish reason contradicts the first", () =>
      Effect.gen(function* () {
        const body = chat(
          { content: "Let me look." },
          piece(0, "{}", start("a", "s")),
          { finish_reason: "tool_calls" },
          { finish_reason: "stop" },
        )
        const { content, finish } = yield* answerOf(dialect, { body })
        expect(content.map((block) => block.type)).toEqual(["text", "tool-call"])
        expect(finish).toEqual({ kind: "tool-calls" })
      }),
    )

    it.effect("refuses an answer whose only call has no name", () =>
      Effect.gen(function* () {
        for (const nameless of [{ id: "a", function: { name: "" } }, { id: "a" }]) {
          const body = chat(piece(0, "{}", nameless), { finish_reason: "tool_calls" })
          const { error, content } = yield* answerOf(dialect, { body })
          expect(error).toMatchObject({ code: "MODEL_PROTOCOL_VIOLATED" })
          expect(content).toEqual([])
        }
      }),
    )

    it.effect("fails on an error in the middle, and keeps what was finished before", () =>
      Effect.gen(function* () {
        const overloaded = { error: { message: "try later", type: "server_error", code: "overloaded" } }
        const body = [...chat({ content: "Hm" }).slice(0, 1), `data: ${JSON.stringify(overloaded)}\n\n`]
        const { error, finish } = yield* answerOf(dialect, { body })
        expect(error).toMatchObject({ code: "MODEL_OVERLOADED", message: expect.stringMatching(/try later/) })
        expect(finish).toBeUndefined()
      }),
    )

    it.effect("fails on an event that is no JSON", () =>
      Effect.gen(function* () {
        const { error } = yield* answerOf(dialect, { body: ["data: {oops\n\n"] })
        expect(error).toMatchObject({ code: "MODEL_PROTOCOL_VIOLATED" })
        expect(error?.message).not.toContain("\n")
      }),
    )
  })
}

const thinking = blockEvents(
  0,
  { type: "thinking", thinking: "", signature: "" },
  { type: "thinking_delta", thinking: "hm" },
  { type: "signature_delta", signature: "sig" },
)

describe("anthropic", () => {
  it.effect("keeps the signature of finished reasoning and sends it back", () =>
    Effect.gen(function* () {
      const reply = { body: messages([...thinking, ...toolUse(1, "toolu_a", "{}")]) }
      const { url, requests } = yield* serve(reply, { body: messages([], messagesEnd("end_turn")) })
      const model = yield* connect("anthropic", url)
      const { content } = Assembler.fold((yield* ask(model)).chunks)
      expect(content[0]).toEqual({
        type: "reasoning",
        text: "hm",
        meta: { "anthropic.messages": { anthropic: { signature: "sig" } } },
      })
      const output = [{ type: "text", text: "none" }] as const
      const results = {
        type: "tool-result",
        callId: "toolu_a",
        name: "search",
        isError: true,
        content: output,
      } as const
      yield* ask(model, {
        ...request,
        messages: [...request.messages, { role: "assistant", content }, { role: "tool", content: [results] }],
      })
      expect(requests[1]?.body["messages"]).toMatchObject([
        { role: "user" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm", signature: "sig" },
            { type: "tool_use", id: "toolu_a", name: "search", input: {} },
          ],
        },
        { role: "user", content: [{ type: "tool_result", is_error: true, content: "Error: none" }] },
      ])
    }),
  )

  it.effect("never shows reasoning whose signature was cut off", () =>
    Effect.gen(function* () {
      const body = messages(thinking.slice(0, -1), [])
      const { error, content } = yield* answerOf("anthropic", { body })
      expect(error).toMatchObject({ code: "MODEL_PROTOCOL_VIOLATED" })
      expect(content).toEqual([])
    }),
  )

  it.effect("keeps finished text of a stream that stops, but no call", () =>
    Effect.gen(function* () {
      const text = blockEvents(0, { type: "text", text: "" }, { type: "text_delta", text: "Now." })
      const { error, content } = yield* answerOf("anthropic", {
        body: messages([...text, ...toolUse(1, "t", "{}")], []),
      })
      expect(error).toMatchObject({ code: "MODEL_PROTOCOL_VIOLATED" })
      expect(content).toEqual([{ type: "text", text: "Now." }])
    }),
  )

  it.effect("fails with the provider's word when the stream begins with an error", () =>
    Effect.gen(function* () {
      const body = [`data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n`]
      const { error } = yield* answerOf("anthropic", { body })
      expect(error).toMatchObject({ code: "MODEL_OVERLOADED", status: 529 })
    }),
  )

  it.effect("says max-tokens when the answer was cut at its limit", () =>
    Effect.gen(function* () {
      const cut = toolUse(0, "t", '{"path":"a')
      const { finish } = yield* answerOf("anthropic", { body: messages(cut, messagesEnd("max_tokens")) })
      expect(finish).toEqual({ kind: "max-tokens" })
    }),
  )
})

describe("a request over HTTP", () => {
  it.effect("carries tools, choice, sampling and the key, and is sent once", () =>
    Effect.gen(function* () {
      const { url, requests } = yield* serve({ body: chat({ content: "ok" }, { finish_reason: "stop" }) })
      const sampling = { temperature: 0, topP: 0.5, maxTokens: 9, seed: 7, stop: ["END"] }
      yield* ask(yield* connect("openai", url), { ...request, toolChoice: { tool: "search" }, sampling })
      expect(requests).toHaveLength(1)
      expect(requests[0]?.headers.authorization).toBe("Bearer key-that-nobody-may-read")
      expect(requests[0]?.body).toMatchObject({
        model: "m",
        messages: [
          { role: "system", content: "You are terse." },
          { role: "user", content: "go" },
        ],
        tools: [{ type: "function", function: { name: "search", parameters: { type: "object" } } }],
        tool_choice: { type: "function", function: { name: "search" } },
        temperature: 0,
        top_p: 0.5,
        max_completion_tokens: 9,
        seed: 7,
        stop: ["END"],
        stream: true,
      })
    }),
  )

  it.effect("never encodes broken arguments twice", () =>
    Effect.gen(function* () {
      const broken = { type: "tool-call", callId: "c", name: "search", arguments: '{"path":' } as const
      const answered = {
        type: "tool-result",
        callId: "c",
        name: "search",
        isError: true,
        content: [],
      } as const
      const { url, requests } = yield* serve({ body: chat({ content: "ok" }, { finish_reason: "stop" }) })
      yield* ask(yield* connect("openai", url), {
        ...request,
        messages: [
          { role: "assistant", content: [broken] },
          { role: "tool", content: [answered] },
        ],
      })
      expect(requests[0]?.body["messages"]).toMatchObject([
        { role: "system" },
        { tool_calls: [{ function: { arguments: JSON.stringify({ _raw: '{"path":' }) } }] },
        { role: "tool", content: expect.stringMatching(/^Error/) },
      ])
    }),
  )
})

/** A language model that notes what it is asked and answers with one text. */
const noting = () => {
  const asked: Array<LanguageModelV4CallOptions | LanguageModelV3CallOptions> = []
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const finish = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage } as const
  const doStream = async (options: LanguageModelV4CallOptions | LanguageModelV3CallOptions) => {
    asked.push(options)
    // What comes after a finish is not for us.
    const parts = [{ type: "text-start", id: "t" }, { type: "text-end", id: "t" }, finish, finish] as const
    return { stream: ReadableStream.from(parts) as ReadableStream<(typeof parts)[number]> }
  }
  const rest = { provider: "acme.chat", modelId: "m", supportedUrls: {}, doGenerate: () => Promise.reject() }
  const v4: LanguageModelV4 = { specificationVersion: "v4", ...rest, doStream }
  const v3: LanguageModelV3 = { specificationVersion: "v3", ...rest, doStream }
  return { asked, v4, v3 }
}

const picture = { type: "image", mediaType: "image/png", data: "AAAA" } as const
const linked = { type: "image", mediaType: "image/png", url: "https://example.com/a.png" } as const
const pictures: ModelRequest = {
  ...request,
  messages: [
    { role: "user", content: [picture, linked] },
    {
      role: "tool",
      content: [{ type: "tool-result", callId: "c", name: "t", isError: false, content: [picture, linked] }],
    },
  ],
}

describe("a language model of any maker", () => {
  it.effect("of interface version 4 gets its images in that version's words", () =>
    Effect.gen(function* () {
      const { asked, v4 } = noting()
      yield* ask(AiSdkModel.fromLanguageModel(v4), pictures)
      const files = [
        { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } },
        { type: "file", mediaType: "image/png", data: { type: "url", url: new URL(linked.url) } },
      ]
      expect(asked[0]?.prompt.slice(1)).toMatchObject([
        { role: "user", content: files },
        { role: "tool", content: [{ output: { type: "content", value: files } }] },
      ])
    }),
  )

  it.effect("of interface version 3 gets its images in that version's words", () =>
    Effect.gen(function* () {
      const { asked, v3 } = noting()
      yield* ask(AiSdkModel.fromLanguageModel(v3), pictures)
      expect(asked[0]?.prompt.slice(1)).toMatchObject([
        {
          role: "user",
          content: [
            { type: "file", mediaType: "image/png", data: "AAAA" },
            { type: "file", mediaType: "image/png", data: new URL(linked.url) },
          ],
        },
        {
          role: "tool",
          content: [
            {
              output: {
                type: "content",
                value: [
                  { type: "image-data", data: "AAAA", mediaType: "image/png" },
                  { type: "image-url", url: linked.url },
                ],
              },
            },
          ],
        },
      ])
    }),
  )

  it.effect("is told which tools are strict, by their schemas, and of no other that they are not", () =>
    Effect.gen(function* () {
      const { asked, v4 } = noting()
      const open = { type: "object", properties: { q: { type: "string" } } } as const
      const { schema } = Projection.openAi.project(open)
      const tools = [
        { name: "fits", description: "", parameters: schema },
        { name: "open", description: "", parameters: open },
      ]
      const model = AiSdkModel.fromLanguageModel(v4, { isStrict: Projection.openAi.reads })
      yield* ask(model, { ...request, tools })
      yield* ask(AiSdkModel.fromLanguageModel(v4), { ...request, tools })
      const strictOf = (tool: object) => ("strict" in tool ? tool.strict : undefined)
      expect(asked.map((options) => options.tools?.map(strictOf))).toEqual([
        [true, undefined],
        [undefined, undefined],
      ])
    }),
  )

  it.effect("gets the options that are meant for it, and no tools when there are none", () =>
    Effect.gen(function* () {
      const { asked, v4 } = noting()
      const model = AiSdkModel.fromLanguageModel(v4, { providerOptions: { acme: { effort: "high" } } })
      yield* ask(model, { ...request, tools: [] })
      expect(model.name).toBe("acme.chat:m")
      expect(asked[0]).toMatchObject({ providerOptions: { acme: { effort: "high" } } })
      expect(asked[0]).not.toHaveProperty("tools")
      expect(asked[0]).not.toHaveProperty("toolChoice")
    }),
  )

  it.effect("says nothing after its first finish", () =>
    Effect.gen(function* () {
      const { chunks } = yield* ask(AiSdkModel.fromLanguageModel(noting().v4))
      expect(chunks.map((chunk) => chunk.type)).toEqual(["block-start", "block-end", "usage", "finish"])
    }),
  )

  it.effect("is told of an image that is nowhere, and is asked all the same", () =>
    Effect.gen(function* () {
      const { asked, v4 } = noting()
      const nowhere = { type: "image", mediaType: "image/png" } as const
      const messages = [{ role: "user", content: [nowhere] }] as const
      const { error } = yield* ask(AiSdkModel.fromLanguageModel(v4), { ...request, messages })
      expect(error).toBeUndefined()
      expect(JSON.stringify(asked)).toContain("an image was here")
    }),
  )

  it.effect("is a layer", () =>
    Effect.gen(function* () {
      expect((yield* ask(yield* Model)).error).toBeUndefined()
    }).pipe(Effect.provide(AiSdkModel.layer(noting().v4))),
  )
})

/** What the recorded streams say, by dialect; the odd ones are described in the README beside them. */
const recordings: ReadonlyArray<readonly [Dialect, string, ReadonlyArray<string>, string]> = [
  [
    "openai-compatible",
    "vercel-ai/alibaba-tool-call.chunks.txt",
    ["tool-call"],
    '{"location": "San Francisco"}',
  ],
  [
    "openai-compatible",
    "vercel-ai/mistral-tool-call.chunks.txt",
    ["tool-call"],
    '{"location": "San Francisco"}',
  ],
  ["openai-compatible", "vercel-ai/mistral-reasoning.chunks.txt", ["reasoning", "text"], ""],
  ["openai-compatible", "vercel-ai/groq-tool-call.chunks.txt", ["tool-call"], "{}"],
  ["openai-compatible", "vercel-ai/azure-model-router.1.chunks.txt", ["text"], ""],
  [
    "deepseek",
    "vercel-ai/deepseek-tool-call.chunks.txt",
    ["reasoning", "tool-call"],
    '{"location": "San Francisco"}',
  ],
  ["openai", "pydantic-ai/openai-chat-run-stream.0.sse", ["tool-call"], '{"country":"UK"}'],
  ["openai", "pydantic-ai/openai-chat-run-stream.1.sse", ["text"], ""],
  ["anthropic", "vercel-ai/anthropic-tool-no-args.chunks.txt", ["text", "tool-call"], "{}"],
  ["anthropic", "vercel-ai/anthropic-message-delta-input-tokens.chunks.txt", ["text"], ""],
  ["anthropic", "vercel-ai/duplicate-message-start.chunks.txt", ["text"], ""],
]

if (!hasCorpus) process.stdout.write("skipped: recorded streams (no ../shared/corpus/wire)\n")

describe.runIf(hasCorpus)("a recorded stream", () => {
  for (const [dialect, file, kinds, text] of recordings) {
    it.effect(`of ${file} is read as ${dialect}`, () =>
      Effect.gen(function* () {
        const { error, content, finish, usage } = yield* answerOf(dialect, { body: recorded(file) })
        expect(error).toBeUndefined()
        expect(content.map((block) => block.type)).toEqual(kinds)
        expect(content.map((block) => (block.type === "tool-call" ? block.arguments : "")).join("")).toBe(
          text,
        )
        expect(finish).toEqual({ kind: text === "" ? "stop" : "tool-calls" })
        expect(usage?.outputTokens).toBeGreaterThan(0)
      }),
    )
  }

  it.effect("without a finish reason is an error, however politely it ends", () =>
    Effect.gen(function* () {
      const body = recorded("pydantic-ai/snowflake-streaming.0.sse")
      const { error, content, finish } = yield* answerOf("openai-compatible", { body })
      expect(error).toMatchObject({ code: "MODEL_PROTOCOL_VIOLATED" })
      expect([content, finish]).toEqual([[{ type: "text", text: "4" }], undefined])
    }),
  )
})
