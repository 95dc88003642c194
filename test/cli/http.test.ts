/**
 * A whole turn over HTTP: the provider's stream, tools on real files, the results on the wire, the answer.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { type Dialect, key } from "../model/answers.ts"
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
} from "../model/replay.ts"
import { bin, folderWith, launch } from "./program.ts"
import { all, begin, check, lawfulEvents, toolsModule, variables } from "./turn.ts"

const files = { "a.txt": "alpha\nGrüße 🌍\n", "b.txt": "beta\n" }

const first = { name: "read_file", arguments: '{"path": "a.txt"}' }
const second = { name: "search_text", arguments: '{"query": "beta"}' }

const pieces = (text: string): ReadonlyArray<string> => text.match(/.{1,3}/gs) ?? []

/** The same bytes in packets of seven, so that lines, events and characters are cut anywhere. */
const inPackets = (body: ReadonlyArray<string>): ReadonlyArray<Uint8Array> => {
  const bytes = new TextEncoder().encode(body.join(""))
  return Array.from({ length: Math.ceil(bytes.length / 7) }, (_, n) => bytes.slice(n * 7, n * 7 + 7))
}

/** Two lists as one, by turns. */
const alternate = <A>(left: ReadonlyArray<A>, right: ReadonlyArray<A>): ReadonlyArray<A> =>
  Array.from({ length: Math.max(left.length, right.length) }).flatMap((_, n) => [
    ...left.slice(n, n + 1),
    ...right.slice(n, n + 1),
  ])

const named = (id: string, { name }: { readonly name: string }) => ({
  id,
  type: "function",
  function: { name },
})

/** How OpenAI and how DeepSeek say which part of a prompt was cached. */
const cached = (hit: number, miss: number) => ({
  prompt_tokens_details: { cached_tokens: hit },
  prompt_cache_hit_tokens: hit,
  prompt_cache_miss_tokens: miss,
})

const chatCalls: Reply = {
  body: inPackets(
    chat(
      { role: "assistant", content: "Grüße 🌍, " },
      { content: "I look." },
      piece(0, "", named("call_a", first)),
      piece(1, "", named("call_b", second)),
      ...alternate(
        pieces(first.arguments).map((text) => piece(0, text)),
        pieces(second.arguments).map((text) => piece(1, text)),
      ),
      { finish_reason: "tool_calls" },
      {
        usage: {
          prompt_tokens: 20,
          completion_tokens: 9,
          ...cached(5, 15),
          completion_tokens_details: { reasoning_tokens: 4 },
        },
      },
    ),
  ),
}

const chatAnswer: Reply = {
  body: chat(
    { role: "assistant", content: "Both " },
    { content: "are there." },
    { finish_reason: "stop" },
    { usage: { prompt_tokens: 40, completion_tokens: 6, ...cached(30, 10) } },
  ),
}

/** What either dialect's turn leaves: the report, and a log of two steps whose results stand in call order. */
const tellWholeTurn = (dialect: Dialect, replies: ReadonlyArray<Reply>) =>
  Effect.gen(function* () {
    const { url, requests } = yield* serve(...replies)
    const { running, cwd } = yield* begin(dialect, url, { flags: ["--json"], files })
    const ended = yield* Effect.promise(() => running.ended)
    expect(ended).toMatchObject({ code: 0, stderr: "" })
    const events = lawfulEvents(cwd)
    expect(yield* check(cwd)).toEqual({ code: 0, verdict: "✓ lawful" })
    expect(all(events, "tool/call").map(({ name, arguments: text }) => ({ name, arguments: text }))).toEqual([
      first,
      second,
    ])
    expect(all(events, "tool/result").map(({ outcome }) => outcome)).toEqual(["success", "success"])
    expect(all(events, "request/config")).toMatchObject([{ model: `${dialect}:m` }])
    expect(JSON.stringify([ended, events])).not.toContain(key)
    expect(requests).toHaveLength(2)
    return { report: JSON.parse(ended.stdout), requests, events }
  })

describe("a turn over the chat-completions stream", () => {
  for (const dialect of ["openai-compatible", "openai", "deepseek"] as const) {
    it.effect(`runs two calls whose pieces alternate, as ${dialect}`, () =>
      Effect.gen(function* () {
        const { report, requests, events } = yield* tellWholeTurn(dialect, [chatCalls, chatAnswer])
        expect(report).toMatchObject({
          turn: 1,
          steps: 2,
          text: "Both are there.",
          reason: { kind: "completed" },
          refused: [],
        })
        expect(report.usage).toEqual({
          inputTokens: 15 + 10,
          outputTokens: 5 + 6,
          cacheReadTokens: 5 + 30,
          reasoningTokens: 4,
        })
        expect(all(events, "usage").map(({ usage }) => usage)).toEqual([
          { inputTokens: 15, outputTokens: 5, cacheReadTokens: 5, reasoningTokens: 4 },
          { inputTokens: 10, outputTokens: 6, cacheReadTokens: 30 },
        ])
        expect(requests.map(({ path }) => path)).toEqual(["/chat/completions", "/chat/completions"])
        expect(requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
        expect(requests[1]?.body["messages"]).toMatchObject([
          { role: "user", content: "go" },
          {
            role: "assistant",
            content: "Grüße 🌍, I look.",
            tool_calls: [
              {
                id: "call_a",
                type: "function",
                function: { name: "read_file", arguments: '{"path":"a.txt"}' },
              },
              {
                id: "call_b",
                type: "function",
                function: { name: "search_text", arguments: '{"query":"beta"}' },
              },
            ],
          },
          { role: "tool", tool_call_id: "call_a", content: expect.stringContaining("Grüße 🌍") },
          { role: "tool", tool_call_id: "call_b", content: expect.stringContaining("b.txt:1:beta") },
        ])
      }),
    )
  }
})

describe("two calls of one message", () => {
  it.effect(
    "that may disturb each other run one after the other, and their results go back in call order",
    () =>
      Effect.gen(function* () {
        const calls = chat(
          piece(0, '{"command": "cat pipe"}', named("call_a", { name: "run_command" })),
          piece(1, '{"command": "echo quick"}', named("call_b", { name: "run_command" })),
          { finish_reason: "tool_calls" },
        )
        const { url, requests } = yield* serve({ body: calls }, chatAnswer)
        const { running, cwd } = yield* begin("openai-compatible", url, {
          flags: ["--allow", "run_command"],
          prepare: (cwd) => execFileSync("mkfifo", [join(cwd, "pipe")]),
        })
        // Opens when the first command reads, and so cannot come too early.
        yield* Effect.promise(() => writeFile(join(cwd, "pipe"), "slow"))
        expect(yield* Effect.promise(() => running.ended)).toMatchObject({ code: 0 })
        const events = lawfulEvents(cwd)
        expect(all(events, "tool/result").map(({ callId }) => callId)).toEqual(["call_a", "call_b"])
        expect(requests[1]?.body["messages"]).toMatchObject([
          { role: "user" },
          { role: "assistant", tool_calls: [{ id: "call_a" }, { id: "call_b" }] },
          { role: "tool", tool_call_id: "call_a", content: expect.stringContaining("slow") },
          { role: "tool", tool_call_id: "call_b", content: expect.stringContaining("quick") },
        ])
      }),
  )
})

describe("a turn that nobody watches", () => {
  it.effect("goes on to its end when the reader of stderr goes away", () =>
    Effect.gen(function* () {
      const { url, requests } = yield* serve(chatCalls, chatAnswer)
      const cwd = folderWith(files)
      const command = `'${process.execPath}' '${bin}' run go --model openai-compatible:m`
      const line = `(${command} > answer; echo $? > code) 2>&1 | head -c 1`
      const env = variables("openai-compatible", url)
      yield* Effect.promise(() => launch("sh", ["-c", line], { cwd, env, input: "" }).ended)
      expect(readFileSync(join(cwd, "code"), "utf8")).toBe("0\n")
      expect(readFileSync(join(cwd, "answer"), "utf8")).toBe("Both are there.\n")
      expect(requests).toHaveLength(2)
      expect(all(lawfulEvents(cwd), "turn/end")).toMatchObject([{ reason: { kind: "completed" } }])
    }),
  )
})

const thinking = blockEvents(
  0,
  { type: "thinking", thinking: "", signature: "" },
  { type: "thinking_delta", thinking: "Two files; " },
  { type: "thinking_delta", thinking: "both at once." },
  { type: "signature_delta", signature: "signed-by-the-provider" },
)

const toolUse = (index: number, id: string, call: typeof first) =>
  blockEvents(
    index,
    { type: "tool_use", id, name: call.name, input: {} },
    ...pieces(call.arguments).map((partial_json) => ({ type: "input_json_delta", partial_json })),
  )

const messagesCalls: Reply = {
  body: inPackets(
    messages([
      ...thinking,
      { type: "ping" },
      ...blockEvents(1, { type: "text", text: "" }, { type: "text_delta", text: "Grüße 🌍, I look." }),
      ...alternate(toolUse(2, "toolu_a", first), toolUse(3, "toolu_b", second)),
    ]),
  ),
}

const messagesAnswer: Reply = {
  body: messages(
    blockEvents(0, { type: "text", text: "" }, { type: "text_delta", text: "Both are there." }),
    messagesEnd("end_turn"),
  ),
}

describe("a turn over the Anthropic stream", () => {
  it.effect("runs two calls and sends the signed thought back", () =>
    Effect.gen(function* () {
      const { report, requests, events } = yield* tellWholeTurn("anthropic", [messagesCalls, messagesAnswer])
      expect(report).toMatchObject({ steps: 2, text: "Both are there.", reason: { kind: "completed" } })
      expect(report.usage).toEqual({ inputTokens: 24, outputTokens: 60, cacheReadTokens: 10 })
      expect(all(events, "assistant/message")[0]?.content[0]).toMatchObject({
        type: "reasoning",
        text: "Two files; both at once.",
      })
      expect(requests.map(({ path }) => path)).toEqual(["/v1/messages", "/v1/messages"])
      expect(requests[0]?.headers["x-api-key"]).toBe(key)
      expect(requests[1]?.body["messages"]).toMatchObject([
        { role: "user", content: [{ type: "text", text: "go" }] },
        {
          role: "assistant",
          content: [
            {
              type: "thinking",
              thinking: "Two files; both at once.",
              signature: "signed-by-the-provider",
            },
            { type: "text", text: "Grüße 🌍, I look." },
            { type: "tool_use", id: "toolu_a", name: "read_file", input: { path: "a.txt" } },
            { type: "tool_use", id: "toolu_b", name: "search_text", input: { query: "beta" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "toolu_a", content: expect.stringContaining("Grüße 🌍") },
            { type: "tool_result", tool_use_id: "toolu_b", content: expect.stringContaining("b.txt:1:beta") },
          ],
        },
      ])
    }),
  )
})

const [sanFrancisco, none] = ['{"location": "San Francisco"}', "{}"]

/** Recordings that call a tool: the dialect, the file, the call, and the tokens of its step. */
const recordings: ReadonlyArray<readonly [Dialect, string, string, string, object]> = [
  [
    "openai",
    "pydantic-ai/openai-chat-run-stream.0.sse",
    "get_capital",
    '{"country":"UK"}',
    { inputTokens: 53, outputTokens: 15 },
  ],
  [
    "openai-compatible",
    "vercel-ai/alibaba-tool-call.chunks.txt",
    "weather",
    sanFrancisco,
    { inputTokens: 295, outputTokens: 22 },
  ],
  [
    "openai-compatible",
    "vercel-ai/mistral-tool-call.chunks.txt",
    "weather",
    sanFrancisco,
    { inputTokens: 124, outputTokens: 22 },
  ],
  [
    "openai-compatible",
    "vercel-ai/groq-tool-call.chunks.txt",
    "weather",
    none,
    { inputTokens: 210, outputTokens: 15 },
  ],
  [
    "deepseek",
    "vercel-ai/deepseek-tool-call.chunks.txt",
    "weather",
    sanFrancisco,
    { inputTokens: 19, outputTokens: 44, cacheReadTokens: 320, reasoningTokens: 39 },
  ],
  [
    "anthropic",
    "vercel-ai/anthropic-tool-no-args.chunks.txt",
    "updateIssueList",
    none,
    { inputTokens: 565, outputTokens: 48 },
  ],
]

if (!hasCorpus) process.stdout.write("skipped: turns of recorded streams (no ../shared/corpus/wire)\n")

describe.runIf(hasCorpus)("a turn of a recorded stream", () => {
  for (const [dialect, file, name, text, usage] of recordings) {
    it.effect(`runs the call of ${file}`, () =>
      Effect.gen(function* () {
        const { url, requests } = yield* serve(
          { body: recorded(file) },
          dialect === "anthropic"
            ? messagesAnswer
            : { body: recorded("pydantic-ai/openai-chat-run-stream.1.sse") },
        )
        const flags = ["--json", "--tools", "tools.mjs"]
        const { running, cwd } = yield* begin(dialect, url, {
          flags,
          files: { "tools.mjs": toolsModule(name, 'Effect.succeed("given " + JSON.stringify(args))') },
        })
        const ended = yield* Effect.promise(() => running.ended)
        expect(ended).toMatchObject({ code: 0, stderr: "" })
        const events = lawfulEvents(cwd)
        expect(all(events, "tool/call")).toMatchObject([{ name, arguments: text }])
        expect(all(events, "usage")[0]?.usage).toEqual(usage)
        expect(JSON.stringify(requests[1]?.body["messages"])).toContain("given {")
        expect(JSON.parse(ended.stdout).text).toBe(
          dialect === "anthropic" ? "Both are there." : "The capital of the UK is London.",
        )
      }),
    )
  }
})
