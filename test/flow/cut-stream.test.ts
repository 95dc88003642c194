/** A stream that stops half-way, or breaks the grammar, is a failed attempt; nothing of it runs. */
import { it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { describe, expect } from "vitest"
import type { ModelChunk } from "../../src/message/ModelChunk.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callBlock, chunks, echo, finish, handmade, tell, textBlock } from "./world.ts"

const tools = Toolbox.make(echo)

const failsWith = (stream: () => Stream.Stream<ModelChunk>) =>
  tell(handmade(stream), { tools, modelRetries: 0 }, ({ agent, session }) =>
    Effect.gen(function* () {
      const { error, reason } = yield* agent.prompt("go")
      expect(reason).toMatchObject({ kind: "failed", code: error?.code })
      expect(all(session, "tool/call")).toEqual([])
      return { error, messages: all(session, "assistant/message") }
    }),
  )

describe("an answer", () => {
  it.effect("without a finish is a broken one, and its call does not run", () =>
    Effect.gen(function* () {
      const { error, messages } = yield* failsWith(() =>
        chunks(textBlock("0", "hm"), callBlock("c1", "echo", '{"word":"a"}')),
      )
      expect(error).toMatchObject({
        _tag: "ModelProtocolViolated",
        message: expect.stringContaining("finish"),
      })
      expect(messages).toMatchObject([{ content: [{ text: "hm" }], finish: { kind: "error" } }])
    }),
  )

  it.effect("that breaks the grammar of blocks is cut there, and the broken chunk is not logged", () =>
    Effect.gen(function* () {
      const { error } = yield* failsWith(() =>
        chunks([{ type: "text-delta", block: "9", text: "from nowhere" }], finish("stop")),
      )
      expect(error).toMatchObject({
        _tag: "ModelProtocolViolated",
        message: expect.stringContaining("never started"),
      })
    }),
  )

  it.effect("that reports an error of its own is a failed one", () =>
    Effect.gen(function* () {
      expect((yield* failsWith(() => chunks(finish("error")))).error?._tag).toBe("ModelProtocolViolated")
      expect((yield* failsWith(() => chunks(finish("aborted")))).error?._tag).toBe("ModelInterrupted")
    }),
  )

  it.effect("whose stream interrupts itself is a failed one, not an abort", () =>
    Effect.gen(function* () {
      const { error } = yield* failsWith(() =>
        Stream.concat(chunks(textBlock("0", "a")), Stream.fromEffect(Effect.interrupt)),
      )
      expect(error?._tag).toBe("ModelInterrupted")
    }),
  )

  it.effect("that the model refuses to give ends the turn", () =>
    Effect.gen(function* () {
      expect((yield* failsWith(() => chunks(finish("refused")))).error?._tag).toBe("ModelRefused")
    }),
  )

  it.effect("is over with its finish, whatever the stream does after it", () =>
    tell(
      handmade(() => Stream.concat(chunks(textBlock("0", "done"), finish("stop")), Stream.never)),
      {},
      ({ agent }) => Effect.map(agent.prompt("go"), ({ text }) => expect(text).toBe("done")),
    ),
  )

  it.effect("whose metadata no log can hold fails the turn and leaves it closed", () =>
    tell(
      handmade(() =>
        chunks(
          [
            { type: "block-start", block: "0", kind: "text" },
            { type: "block-end", block: "0", meta: { test: { score: Number.NaN } } },
          ],
          finish("stop"),
        ),
      ),
      { modelRetries: 0 },
      ({ agent, session }) =>
        Effect.gen(function* () {
          const { reason } = yield* agent.prompt("go")
          expect(reason).toMatchObject({ kind: "failed", code: "EVENT_REJECTED" })
          expect(agent.status()).toBe("idle")
          expect(all(session, "turn/end")).toHaveLength(1)
          expect((yield* agent.prompt("again")).reason.kind).toBe("completed")
        }),
    ),
  )

  it.effect("that the log cannot hold is counted all the same, with what it used", () => {
    const used = { inputTokens: 7, outputTokens: 3 }
    return tell(
      handmade(() =>
        chunks(
          [...textBlock("0", "so far"), { type: "usage", usage: used }],
          // What an adapter without types may give.
          [{ type: "finish", finish: { kind: "bored" as "stop" } }],
        ),
      ),
      { modelRetries: 0 },
      ({ agent, session }) =>
        Effect.gen(function* () {
          const { reason, steps, usage } = yield* agent.prompt("go")
          expect(reason).toMatchObject({ kind: "failed", code: "EVENT_REJECTED" })
          expect({ steps, usage }).toEqual({ steps: 1, usage: used })
          expect(all(session, "usage")).toMatchObject([{ usage: used }])
        }),
    )
  })
})
