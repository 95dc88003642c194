import { it } from "@effect/vitest"
import { describe, expect } from "vitest"
import * as Assembler from "../../src/message/Assembler.ts"
import { sequential } from "../../src/message/Ids.ts"
import type { ModelChunk } from "../../src/message/ModelChunk.ts"
import { type Fault, make, type Part } from "../../src/model/toChunks.ts"

const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
const counts = {
  inputTokens: none,
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

type Finish = Extract<Part, { readonly type: "finish" }>

const finish = (unified: Finish["finishReason"]["unified"], raw: string | undefined = unified): Part => ({
  type: "finish",
  usage: counts,
  finishReason: { unified, raw },
})

const call = (id: string, input: string, toolName = "search", providerMetadata = {}): Part => ({
  type: "tool-call",
  toolCallId: id,
  toolName,
  input,
  providerMetadata,
})

const started: Part = { type: "tool-input-start", id: "a", toolName: "search" }

const run = (...parts: ReadonlyArray<Part>) => {
  const translator = make("acme.chat", sequential())
  const chunks: Array<ModelChunk> = []
  let fault: Fault | undefined
  for (const part of parts) {
    fault = translator.push(part, chunks)
    if (fault || translator.isFinished()) break
  }
  return {
    chunks,
    fault,
    ...Assembler.fold(chunks),
    broken: fault?.type === "protocol" ? fault.message : undefined,
  }
}

describe("a translation of provider parts", () => {
  it("gives blocks ids of its own, so that a provider may use one again", () => {
    const { chunks, content } = run(
      { type: "text-start", id: "txt-0" },
      { type: "text-delta", id: "txt-0", delta: "a" },
      { type: "text-end", id: "txt-0" },
      { type: "text-start", id: "txt-0" },
      { type: "text-delta", id: "txt-0", delta: "b" },
      { type: "text-end", id: "txt-0" },
      finish("stop"),
    )
    expect(chunks.flatMap((chunk) => (chunk.type === "block-start" ? [chunk.block] : []))).toEqual(["0", "1"])
    expect(content).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ])
  })

  it("gathers the metadata of a block from all its parts under the provider's name", () => {
    const { content } = run(
      { type: "reasoning-start", id: "r", providerMetadata: { acme: { kind: "full" } } },
      { type: "reasoning-delta", id: "r", delta: "hm" },
      {
        type: "reasoning-delta",
        id: "r",
        delta: "",
        providerMetadata: { acme: { signature: "sig", gone: undefined } },
      },
      { type: "reasoning-end", id: "r" },
      call("c", "{}", "search", { acme: { thought: "t" } }),
      finish("tool-calls"),
    )
    expect(content).toStrictEqual([
      { type: "reasoning", text: "hm", meta: { "acme.chat": { acme: { kind: "full", signature: "sig" } } } },
      {
        type: "tool-call",
        callId: "c",
        name: "search",
        arguments: "{}",
        meta: { "acme.chat": { acme: { thought: "t" } } },
      },
    ])
  })

  it("takes a call that comes whole, and the rest of one that was streamed in part", () => {
    const { content } = run(
      call("a", '{"q":1}'),
      { type: "tool-input-start", id: "b", toolName: "search" },
      { type: "tool-input-delta", id: "b", delta: '{"q"' },
      { type: "tool-input-end", id: "b" },
      call("b", '{"q":2}'),
      finish("tool-calls"),
    )
    expect(content.map((block) => block.type === "tool-call" && block.arguments)).toEqual([
      '{"q":1}',
      '{"q":2}',
    ])
  })

  it("waits for the whole of a call whose pieces are encoded differently", () => {
    const { content } = run(
      { type: "tool-input-start", id: "b", toolName: "search", inputEncoding: "text" },
      { type: "tool-input-delta", id: "b", delta: "plain" },
      call("b", '"plain"'),
      finish("tool-calls"),
    )
    expect(content).toMatchObject([{ arguments: '"plain"' }])
  })

  it("makes ids for calls that have none, or one that came before", () => {
    const { content } = run(call("", "{}"), call("a", "{}"), call("a", "{}"), finish("tool-calls"))
    expect(content.map((block) => block.type === "tool-call" && block.callId)).toEqual([
      "call-1",
      "a",
      "call-2",
    ])
  })

  it("ends a call only with the answer, so that a broken answer leaves none that looks whole", () => {
    const { content, open, fault } = run(call("a", "{}"), { type: "error", error: "overloaded" })
    expect(fault).toEqual({ type: "provider", error: "overloaded" })
    expect(content).toEqual([])
    expect(open).toEqual(["0"])
  })

  it("leaves out tools that the provider runs by itself", () => {
    const { chunks, finish: end } = run(
      { type: "tool-input-start", id: "s", toolName: "web_search", providerExecuted: true },
      { type: "tool-input-delta", id: "s", delta: "{}" },
      { type: "tool-input-end", id: "s" },
      { type: "tool-call", toolCallId: "s", toolName: "web_search", input: "{}", providerExecuted: true },
      finish("stop"),
    )
    expect(chunks).toHaveLength(1)
    expect(end).toEqual({ kind: "stop" })
  })

  it.each([
    ["stop", "stop", "tool-calls"],
    ["length", "length", "max-tokens"],
    ["content-filter", "content_filter", "refused"],
  ] as const)("reads a finish of %s (%s) after a call as %s", (unified, raw, kind) => {
    expect(run(call("a", "{}"), finish(unified, raw)).finish).toEqual({ kind })
  })

  it("leaves open what the limit cut off", () => {
    const { content, open, finish: end } = run(call("a", "{}"), started, finish("length"))
    expect(content).toMatchObject([{ type: "tool-call", arguments: "{}" }])
    expect(open).toEqual(["1"])
    expect(end).toEqual({ kind: "max-tokens" })
  })

  it("keeps the word of a finish that it does not know", () => {
    expect(run(finish("other", "pause")).finish).toEqual({ kind: "stop", code: "pause" })
  })

  it("makes the counts disjoint", () => {
    const { usage } = run({
      type: "finish",
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: { total: 100, noCache: undefined, cacheRead: 30, cacheWrite: 20 },
        outputTokens: { total: 50, text: undefined, reasoning: 15 },
      },
    })
    expect(usage).toEqual({
      inputTokens: 50,
      outputTokens: 35,
      cacheReadTokens: 30,
      cacheWriteTokens: 20,
      reasoningTokens: 15,
    })
  })

  it("tells no usage when nothing was counted", () => {
    expect(run(finish("stop")).usage).toBeUndefined()
  })
})

const faults: ReadonlyArray<readonly [string, ReadonlyArray<Part>, string]> = [
  ["a call without a name", [call("a", "{}", " ")], "a tool call has no name"],
  ["a call that starts twice", [started, started], "tool-call a started twice"],
  [
    "a delta of nothing",
    [{ type: "text-delta", id: "t", delta: "x" }],
    "text-delta t belongs to nothing open",
  ],
  ["an end of nothing", [{ type: "reasoning-end", id: "r" }], "reasoning-end r belongs to nothing open"],
  [
    "arguments that change at the end",
    [started, { type: "tool-input-delta", id: "a", delta: '{"q":1' }, call("a", '{"q":2}')],
    "the arguments of call a changed at its end",
  ],
  [
    "a name that changes at the end",
    [started, call("a", "{}", "delete")],
    "call a changed its name to delete",
  ],
  [
    "a finish over an open call",
    [call("b", "{}"), started, finish("tool-calls")],
    "the finish came while a tool-call was unfinished",
  ],
  [
    "a finish for calls without one",
    [finish("tool-calls")],
    "the provider says that it calls tools, but no whole call came",
  ],
  [
    "calls with a finish that it does not know",
    [call("a", "{}"), finish("other", "weird")],
    "calls came with the unknown finish reason weird",
  ],
  [
    "a finish that is none",
    [{ type: "finish", usage: counts, finishReason: { unified: "other", raw: undefined } }],
    "the stream ended without a finish",
  ],
  ["an interrupted stream", [finish("interrupted")], "the stream ended without a finish"],
]

describe("a translation of provider parts refuses", () => {
  it.each(faults)("%s", (_, parts, message) => {
    expect(run(...parts).broken).toBe(message)
    expect(run(...parts).content).toEqual([])
  })

  it("an answer that the provider stopped", () => {
    expect(run(finish("error", "insufficient_system_resource")).fault).toEqual({
      type: "stopped",
      message: "the provider stopped with an error (insufficient_system_resource)",
    })
  })
})
