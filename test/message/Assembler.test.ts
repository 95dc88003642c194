import { it } from "@effect/vitest"
import { describe, expect } from "vitest"
import * as Assembler from "../../src/message/Assembler.ts"
import type { ModelChunk } from "../../src/message/ModelChunk.ts"

const start = (block: string, kind: "text" | "reasoning" = "text"): ModelChunk => ({
  type: "block-start",
  block,
  kind,
})
const call = (block: string, callId = block, name = "search"): ModelChunk => ({
  type: "block-start",
  block,
  kind: "tool-call",
  callId,
  name,
})
const text = (block: string, piece: string): ModelChunk => ({ type: "text-delta", block, text: piece })
const args = (block: string, piece: string): ModelChunk => ({ type: "arguments-delta", block, text: piece })
const end = (block: string): ModelChunk => ({ type: "block-end", block })
const usage: ModelChunk = { type: "usage", usage: { inputTokens: 1, outputTokens: 2 } }
const finish: ModelChunk = { type: "finish", finish: { kind: "stop" } }

describe("an assembler", () => {
  it("folds interleaved blocks to their texts, in the order in which they started", () => {
    const assembled = Assembler.fold([
      call("a"),
      call("b"),
      args("a", '{"q"'),
      start("t"),
      args("b", '{"r"'),
      text("t", "both"),
      args("a", ":1}"),
      args("b", ":2}"),
      end("b"),
      end("t"),
      end("a"),
      usage,
      finish,
    ])
    expect(assembled).toEqual({
      content: [
        { type: "tool-call", callId: "a", name: "search", arguments: '{"q":1}' },
        { type: "tool-call", callId: "b", name: "search", arguments: '{"r":2}' },
        { type: "text", text: "both" },
      ],
      open: [],
      usage: { inputTokens: 1, outputTokens: 2 },
      finish: { kind: "stop" },
    })
  })

  it("keeps the meta of a block and leaves out the key where there is none", () => {
    const meta = { anthropic: { signature: "sig" } }
    const { content } = Assembler.fold([
      start("r", "reasoning"),
      { type: "reasoning-delta", block: "r", text: "hm" },
      { type: "block-end", block: "r", meta },
      start("t"),
      end("t"),
    ])
    expect(content).toStrictEqual([
      { type: "reasoning", text: "hm", meta },
      { type: "text", text: "" },
    ])
  })

  it("never shows an unfinished block as finished", () => {
    const assembled = Assembler.fold([start("t"), text("t", "done"), end("t"), call("c"), args("c", '{"pa')])
    expect(assembled.content).toEqual([{ type: "text", text: "done" }])
    expect(assembled.open).toEqual(["c"])
  })

  it.each(["max-tokens", "refused", "aborted", "error"] as const)(
    "lets %s come in the middle of a block",
    (kind) => {
      const assembled = Assembler.fold([start("t"), text("t", "ha"), { type: "finish", finish: { kind } }])
      expect(assembled).toEqual({ content: [], open: ["t"], finish: { kind } })
    },
  )

  it("leaves a chunk that breaks the grammar out and goes on from what it had", () => {
    const assembler = Assembler.make()
    assembler.push(start("t"))
    expect(assembler.push(text("other", "x"))).toBeDefined()
    assembler.push(text("t", "a"))
    assembler.push(end("t"))
    expect(assembler.content()).toEqual([{ type: "text", text: "a" }])
  })

  it("tells usage and finish as they come", () => {
    const assembler = Assembler.make()
    expect([assembler.usage, assembler.finish]).toEqual([undefined, undefined])
    assembler.push(usage)
    assembler.push(finish)
    expect([assembler.usage, assembler.finish]).toEqual([
      { inputTokens: 1, outputTokens: 2 },
      { kind: "stop" },
    ])
  })
})

const faults: ReadonlyArray<readonly [string, ReadonlyArray<ModelChunk>, string]> = [
  [
    "a block that starts twice",
    [start("t"), start("t")],
    'block "t" starts a second time; block ids are unique in an answer',
  ],
  [
    "a block that starts again after its end",
    [start("t"), end("t"), call("t")],
    'block "t" starts a second time; block ids are unique in an answer',
  ],
  ["a delta for nothing", [text("t", "x")], 'text-delta of block "t" names a block that never started'],
  ["an end of nothing", [end("t")], 'block-end of block "t" names a block that never started'],
  [
    "a delta after the end",
    [start("t"), end("t"), text("t", "x")],
    'text-delta of block "t" names a block that has ended',
  ],
  ["a second end", [start("t"), end("t"), end("t")], 'block-end of block "t" names a block that has ended'],
  [
    "a delta of another kind",
    [call("c"), text("c", "x")],
    'text-delta of block "c" does not fit: the block is of kind tool-call',
  ],
  [
    "arguments in a text",
    [start("t"), args("t", "x")],
    'arguments-delta of block "t" does not fit: the block is of kind text',
  ],
  [
    "a block after the usage",
    [usage, start("t")],
    'block-start of block "t" came after the usage; only the finish may',
  ],
  ["a second usage", [usage, usage], "a second usage came; one answer has one"],
  ["usage after the finish", [finish, usage], "a usage came after the finish; nothing may"],
  ["a second finish", [finish, finish], "a finish came after the finish; nothing may"],
  [
    "a block after the finish",
    [finish, start("t")],
    'block-start of block "t" came after the finish; nothing may',
  ],
  ["a finish over an open block", [start("t"), finish], 'the finish came while block "t" was open'],
]

describe("the grammar of chunks refuses", () => {
  for (const [what, chunks, sentence] of faults) {
    it(what, () => {
      const lawful = Assembler.fold(chunks.slice(0, -1))
      expect(lawful.fault).toBeUndefined()
      expect(Assembler.fold(chunks)).toEqual({ ...lawful, fault: sentence })
    })
  }
})
