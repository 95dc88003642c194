/**
 * Get a typed answer out of a model: through a tool whose accepted call ends the turn.
 *
 * In:  a spec or a schema of the answer.      Out: the tool `final_answer`, and the answer once it was accepted.
 * Not here: ending the turn, reminding a model that forgot (`decide.ts`).
 */
import { Effect, type Schema } from "effect"
import type { SchemaSpec } from "../spec/SchemaSpec.ts"
import { type ArgsOf, defineTool } from "../tool/Tool.ts"
import * as Toolbox from "../tool/Toolbox.ts"

type AnySchema = Schema.Codec<unknown, unknown, unknown, unknown>

/** What an answer may be described by; an object at the root. */
export type AnswerSpec = SchemaSpec | AnySchema

export type AnswerOf<S> = ArgsOf<S>
export type AnswerServices<S> = S extends AnySchema ? S["DecodingServices"] : never

export interface FinalAnswer<A, R> {
  readonly tools: Toolbox.Toolbox<R>
  /** The answer that was accepted last. */
  readonly latest: () => A | undefined
}

export const answerTool = "final_answer"

export const makeAnswer = <const S extends AnswerSpec>(
  spec: S,
): FinalAnswer<AnswerOf<S>, AnswerServices<S>> => {
  let latest: AnswerOf<S> | undefined
  const tool = defineTool({
    name: answerTool,
    description: "Give the final answer. Call it once, when the work is done; it ends the turn.",
    parameters: spec,
    idempotent: true,
    run: (answer: AnswerOf<S>) =>
      Effect.sync(() => {
        latest = answer
        return "accepted"
      }),
  })
  return { tools: Toolbox.make(tool), latest: () => latest }
}
