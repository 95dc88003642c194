/**
 * Ask a model once, and keep all that came of it.
 *
 * In:  a model.      Out: its chunks, and what ended them; or the defect in a broken duty's words.
 */
import { Cause, Effect, Exit, Option, type Scope, Stream } from "effect"
import * as Assembler from "../message/Assembler.ts"
import type { AssistantContent } from "../message/Content.ts"
import type { ModelChunk } from "../message/ModelChunk.ts"
import type { Model, ModelRequest } from "../model/Model.ts"
import { byCode, type ModelError } from "../model/ModelError.ts"
import { expectSame, expectThat } from "./expectSame.ts"

/** One thing that an adapter owes. */
export interface ModelDuty {
  readonly name: string
  readonly check: Effect.Effect<void, unknown, Scope.Scope>
}

export const request: ModelRequest = {
  system: "You are terse.",
  messages: [{ role: "user", content: [{ type: "text", text: "go" }] }],
  tools: [
    {
      name: "search",
      description: "Search.",
      parameters: { type: "object", properties: { q: { type: "string" } } },
    },
  ],
  toolChoice: "auto",
  sampling: {},
}

export interface Answer {
  readonly chunks: ReadonlyArray<ModelChunk>
  /** Absent when the stream ended by itself. */
  readonly error?: ModelError
}

/** By its code: an adapter may bring a copy of this package of its own. */
const isModelError = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && Object.hasOwn(byCode, String(error.code))

/** Errors: a stream that dies, or fails with what is no ModelError, breaks the port. */
export const ask = Effect.fnUntraced(function* (model: Model["Service"]) {
  const chunks: Array<ModelChunk> = []
  const collect = Stream.runForEach(model.stream(request), (chunk) =>
    Effect.sync(() => void chunks.push(chunk)),
  )
  const exit = yield* Effect.exit(Effect.suspend(() => collect))
  if (Exit.isSuccess(exit)) return { chunks } satisfies Answer
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  expectThat(
    "what a stream fails with is a ModelError",
    isModelError(error),
    String(Cause.squash(exit.cause)),
  )
  return { chunks, ...(error !== undefined && { error }) } satisfies Answer
})

/** The answer of a model that has no reason to fail. */
export const askWell = Effect.fnUntraced(function* (model: Model["Service"]) {
  const { chunks, error }: Answer = yield* ask(model)
  expectSame("the failure of the stream", error?.message, undefined)
  return chunks
})

type Call = Extract<AssistantContent[number], { readonly type: "tool-call" }>

/** The finished calls of an answer. */
export const callsOf = (chunks: ReadonlyArray<ModelChunk>): ReadonlyArray<Call> =>
  Assembler.fold(chunks).content.filter((block) => block.type === "tool-call")
