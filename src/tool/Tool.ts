/**
 * A tool as a value: a name, what the model may send, and a body that is an Effect or an async function.
 *
 * In:  a spec, an Effect Schema or a JSON Schema, and a body.      Out: a `Tool`, closed over its arguments.
 * Fails with: nothing when made. `run` fails with `PipelineError` and the body's own errors, nothing else.
 * Not here: the stages (`pipeline.ts`), the total door (`ToolRunner.ts`), many tools together (`Toolbox.ts`).
 */
import { type Context, Duration, Effect, Pipeable, type Schedule, Schema } from "effect"
import * as Digest from "../message/Digest.ts"
import * as Parameters from "../spec/Parameters.ts"
import type { InferArgs, SchemaSpec } from "../spec/SchemaSpec.ts"
import type { CallInfo, CallOptions } from "./CallInfo.ts"
import { decode } from "./decode.ts"
import * as pipeline from "./pipeline.ts"
import { type PipelineError, ToolFailed, ToolTimedOut } from "./ToolError.ts"

/** `A` is what the body reads, `O` what it gives, `E` how it fails, `R` what it needs. */
export interface Tool<out Name extends string, in A, out O, out E, out R>
  extends pipeline.Steps<O, E, R>,
    Pipeable.Pipeable {
  readonly name: Name
  readonly description: string
  /** Shape: JSON Schema draft 2020-12, an object at the root. */
  readonly parameters: Schema.JsonObject
  /** The digest of `parameters`: equal when the model reads the same schema. */
  readonly fingerprint: string
  /** The body alone, without the pipeline around it. */
  readonly body: (args: A, call: CallInfo) => Effect.Effect<O, E, R>
}

/** Any tool; arguments are its only contravariant place. */
export type Any = Tool<string, never, unknown, unknown, unknown>
export type Args<T> = T extends Tool<string, infer A, unknown, unknown, unknown> ? A : never
export type Output<T> = T extends Tool<string, never, infer O, unknown, unknown> ? O : never
export type Failure<T> = T extends Tool<string, never, unknown, infer E, unknown> ? E : never
export type Services<T> = T extends Tool<string, never, unknown, unknown, infer R> ? R : never

type AnySchema = Schema.Codec<unknown, unknown, unknown, unknown>

/** What a body may give back: an Effect, or the promise of an async function. */
type Body<O> = Effect.Effect<O, unknown, unknown> | Promise<O>
type BodyOutput<B> = B extends Effect.Effect<infer O, unknown, unknown> ? O : B extends Promise<infer O> ? O : never
type BodyFailure<B> = B extends Effect.Effect<unknown, infer E, unknown> ? E : ToolFailed
type BodyServices<B> = B extends Effect.Effect<unknown, unknown, infer R> ? R : never

type ArgsOf<P> = P extends AnySchema ? P["Type"] : P extends SchemaSpec ? InferArgs<P> : never
type DecodingServices<P> = P extends AnySchema ? P["DecodingServices"] : never

interface Options<Name extends string, S extends AnySchema> {
  readonly name: Name
  readonly description: string
  /** What the output must be; the model gets its encoded form. */
  readonly output?: S
  /** Say so only when running the body twice under the same `call.key` is the same as running it once. */
  readonly idempotent?: boolean
}

/**
 * Define a tool; the body's arguments are typed by its parameters.
 *
 * Errors: the body's own; `ToolFailed` when an async body rejects.
 */
export const defineTool = <
  const Name extends string,
  const P extends SchemaSpec | AnySchema,
  B extends Body<S["Type"]>,
  S extends AnySchema = Schema.Codec<unknown>,
>(
  options: Options<Name, S> & {
    readonly parameters: P
    readonly run: (args: ArgsOf<P>, call: CallInfo) => B
  },
): Tool<Name, ArgsOf<P>, BodyOutput<B>, BodyFailure<B>, BodyServices<B> | DecodingServices<P> | S["EncodingServices"]> => {
  throw options
}

/** Define a tool by a JSON Schema that only the model reads: the body gets any JSON object and checks it itself. */
export const raw = <const Name extends string, B extends Body<S["Type"]>, S extends AnySchema = Schema.Codec<unknown>>(
  options: Options<Name, S> & {
    readonly parameters: Schema.JsonObject
    readonly run: (args: Schema.JsonObject, call: CallInfo) => B
  },
): Tool<Name, Schema.JsonObject, BodyOutput<B>, BodyFailure<B>, BodyServices<B> | S["EncodingServices"]> => {
  throw options
}

/**
 * Run one call through the whole pipeline, and keep its errors typed.
 *
 * Errors: `ToolArgsMalformed`, `ToolArgsInvalid` and `ToolDenied` before the body; `ToolOutputInvalid` after it.
 */
export const run =
  <O, E, R>(tool: pipeline.Steps<O, E, R>) =>
  (argumentText: string, call?: CallOptions): Effect.Effect<O, PipelineError | E, R> => pipeline.typed(tool, argumentText, call)

/** Interrupt the body when it takes longer, and wait for its finalisers. The wait for an approval does not count. */
export const timeout =
  (duration: Duration.Input) =>
  <Name extends string, A, O, E, R>(tool: Tool<Name, A, O, E, R>): Tool<Name, A, O, E | ToolTimedOut, R> => {
    throw [duration, tool]
  }

export interface RetryOptions<E, R = never> {
  /** How many times to run again, at most; without it the schedule decides alone. */
  readonly times?: number
  /** When to run again; without it at once. */
  readonly schedule?: Schedule.Schedule<unknown, E, never, R>
  /** Tags and codes of the failures to retry, or a predicate; without it all but those whose `retry` is `never`. */
  readonly while?: ReadonlyArray<string> | ((error: E) => boolean)
}

/** Run the body again when it fails; defects and interruption are not failures. */
export const retry =
  <E, R2 = never>(options: RetryOptions<E, R2>) =>
  <Name extends string, A, O, R>(tool: Tool<Name, A, O, E, R>): Tool<Name, A, O, E, R | R2> => {
    throw [options, tool]
  }

/** Go on with what the body gave; a declared output schema no longer applies. */
export const mapEffect =
  <O, O2, E2, R2>(f: (output: O, call: CallInfo) => Effect.Effect<O2, E2, R2>) =>
  <Name extends string, A, E, R>(tool: Tool<Name, A, O, E, R>): Tool<Name, A, O2, E | E2, R | R2> => {
    throw [f, tool]
  }

/** Give the tool services that it needs, in all its parts. A layer goes to `Toolbox.provide`, which builds it once. */
export const provide =
  <S>(context: Context.Context<S>) =>
  <Name extends string, A, O, E, R>(tool: Tool<Name, A, O, E, R>): Tool<Name, A, O, E, Exclude<R, S>> => {
    throw [context, tool]
  }
