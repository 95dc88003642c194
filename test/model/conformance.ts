/**
 * What every adapter of the model port must keep, as tests over any of them.
 *
 * In:  a subject: a model that answers with text and two calls, one that falls silent, both in their scope.
 * Out: a `describe` block.
 */
import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Schema, type Scope, Stream } from "effect"
import { describe, expect } from "vitest"
import * as Assembler from "../../src/message/Assembler.ts"
import { BlockChunk } from "../../src/message/ModelChunk.ts"
import type { Model } from "../../src/model/Model.ts"
import { ask, request } from "./answers.ts"

export interface Subject {
  readonly name: string
  /** Answers every request with a text block and two calls with arguments, and tells its usage. */
  readonly speaking: Effect.Effect<Model["Service"], never, Scope.Scope>
  /** Begins to answer or not, and never ends; `aborted` waits until the far side has noticed the abort. */
  readonly silent: Effect.Effect<
    {
      readonly model: Model["Service"]
      readonly asked: Effect.Effect<void>
      readonly aborted: Effect.Effect<void>
    },
    never,
    Scope.Scope
  >
}

export const conformance = (subject: Subject) =>
  describe(`${subject.name} keeps the model port`, () => {
    it.effect("folds without a fault, with every block ended", () =>
      Effect.gen(function* () {
        const { chunks, error } = yield* ask(yield* subject.speaking)
        const assembled = Assembler.fold(chunks)
        expect(error).toBeUndefined()
        expect(assembled.fault).toBeUndefined()
        expect(assembled.open).toEqual([])
        expect(assembled.content.map((block) => block.type)).toEqual(["text", "tool-call", "tool-call"])
      }),
    )

    it.effect("speaks block chunks that the log can hold", () =>
      Effect.gen(function* () {
        const { chunks } = yield* ask(yield* subject.speaking)
        const blocks = chunks.filter((chunk) => chunk.type !== "usage" && chunk.type !== "finish")
        const decode = Schema.decodeUnknownSync(BlockChunk, { onExcessProperty: "error" })
        expect(blocks.length).toBeGreaterThan(6)
        for (const chunk of blocks) expect(decode(JSON.parse(JSON.stringify(chunk)))).toEqual(chunk)
      }),
    )

    it.effect("tells usage once, then one finish, then nothing", () =>
      Effect.gen(function* () {
        const { chunks } = yield* ask(yield* subject.speaking)
        expect(chunks.slice(-2).map((chunk) => chunk.type)).toEqual(["usage", "finish"])
        expect(chunks.filter((chunk) => chunk.type === "usage" || chunk.type === "finish")).toHaveLength(2)
        expect(chunks.at(-1)).toEqual({ type: "finish", finish: { kind: "tool-calls" } })
      }),
    )

    it.effect("gives calls different, non-empty ids and leaves their text as it came", () =>
      Effect.gen(function* () {
        const { content } = Assembler.fold((yield* ask(yield* subject.speaking)).chunks)
        const calls = content.flatMap((block) => (block.type === "tool-call" ? [block] : []))
        expect(new Set(calls.map(({ callId }) => callId).filter((id) => id !== "")).size).toBe(2)
        expect(calls.map((call) => call.arguments)).toEqual(['{"q": "a b"}', '{"q": "c"}'])
      }),
    )

    it.effect("answers again when its stream runs again", () =>
      Effect.gen(function* () {
        const stream = (yield* subject.speaking).stream(request)
        const first = yield* Stream.runCollect(stream)
        const second = yield* Stream.runCollect(stream)
        expect(first.at(-1)?.type).toBe("finish")
        expect(second.at(-1)?.type).toBe("finish")
      }),
    )

    it.effect("stops at once when it is interrupted, and the far side hears of it", () =>
      Effect.gen(function* () {
        const { model, asked, aborted } = yield* subject.silent
        const started = yield* Deferred.make<void>()
        const fiber = yield* Effect.forkChild(
          Effect.andThen(Deferred.succeed(started, undefined), Stream.runDrain(model.stream(request))),
        )
        yield* Deferred.await(started)
        yield* asked
        yield* Fiber.interrupt(fiber)
        yield* aborted
      }),
    )
  })
