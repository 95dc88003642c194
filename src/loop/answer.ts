/**
 * Get a typed answer out of a model: through a tool whose accepted call ends the turn.
 *
 * In:  a spec or a schema of the answer.      Out: the tool `final_answer`, and the answer once it was accepted.
 * Not here: ending the turn, reminding a model that forgot (`turn/decide.ts`).
 */
import { Effect, type Schema } from "effect"
import type { SchemaSpec } from "../spec/SchemaSpec.ts"
import * as CallInfo from "../tool/CallInfo.ts"
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
  /** Read an answer out of the arguments that the log has of it. */
  readonly read: (argumentText: string) => Effect.Effect<A | undefined, never, R>
}

export const answerTool = "final_answer"

export const makeAnswer = <const S extends AnswerSpec>(
  spec: S,
): FinalAnswer<AnswerOf<S>, AnswerServices<S>> => {
  let latest: AnswerOf<S> | undefined
  const take = (answer: AnswerOf<S>) => {
    latest = answer
  }
  return {
    tools: Toolbox.make(makeTool(spec, take)),
    latest: () => latest,
    read: (argumentText) =>
      Effect.suspend(() => {
        let read: AnswerOf<S> | undefined
        const tool = makeTool(spec, (answer: AnswerOf<S>) => {
          read = answer
        })
        const run = Effect.flatMap(tool.prepare(argumentText), ({ body }) =>
          body(CallInfo.make(answerTool, argumentText, answerTool)),
        )
        return Effect.map(Effect.ignore(run), () => read)
      }),
  }
}

const makeTool = <const S extends AnswerSpec>(spec: S, take: (answer: AnswerOf<S>) => void) =>
  defineTool({
    name: answerTool,
    description: "Give the final answer. Call it once, when the work is done; it ends the turn.",
    parameters: spec,
    idempotent: true,
    run: (answer: AnswerOf<S>) =>
      Effect.sync(() => {
        take(answer)
        return "accepted"
      }),
  })
