/**
 * A tool as a value: a name, what the model may send, and a body that is an Effect or an async function.
 *
 * In:  a spec, an Effect Schema or a JSON Schema, and a body.      Out: a `Tool`, closed over its arguments.
 * Fails with: a `TypeError` when made of what no tool can be. `run` fails with `PipelineError` and the body's own errors, nothing else.
 * Not here: the stages (`pipeline.ts`), the total door (`ToolRunner.ts`), many tools together (`Toolbox.ts`).
 */
import { type Context, Duration, Effect, Option, Pipeable, Schema } from "effect"
import * as RawParameters from "../jsonschema/RawParameters.ts"
import * as Digest from "../message/Digest.ts"
import * as Output from "../output/Output.ts"
import * as Grace from "../policy/Grace.ts"
import * as RateLimit from "../policy/RateLimit.ts"
import type { Resources } from "../policy/Resources.ts"
import * as Retry from "../policy/Retry.ts"
import * as Leniency from "../spec/Leniency.ts"
import * as Parameters from "../spec/Parameters.ts"
import * as Remarks from "../spec/Remarks.ts"
import type { InferArgs, SchemaSpec } from "../spec/SchemaSpec.ts"
import type { CallInfo, CallOptions } from "./CallInfo.ts"
import { checked } from "./checked.ts"
import { decode } from "./decode.ts"
import * as pipeline from "./pipeline.ts"
import * as Recovered from "./Recovered.ts"
import { type FailureOf, invoke, type OutputOf, type Returned, type ServicesOf } from "./run.ts"
import { type PipelineError, ToolOutputInvalid, ToolTimedOut } from "./ToolError.ts"

/** `A` is what the body reads, `O` what it gives, `E` how it fails, `R` what it needs. */
export interface Tool<out Name extends string, in A, out O, out E, out R>
  extends pipeline.Steps<O, E, R>,
    Pipeable.Pipeable {
  readonly name: Name
  readonly description: string
  /** Shape: JSON Schema draft 2020-12, an object at the root. */
  readonly parameters: Schema.JsonObject
  /** The digest of `parameters`: equal when the model reads the same schema, in whatever order it is written. */
  readonly fingerprint: string
  /** The schema that marks what is sensitive, where `parameters` no longer does. */
  readonly sensitive?: Schema.JsonObject
  /** The body alone, without the pipeline around it. */
  readonly body: (args: A, call: CallInfo) => Effect.Effect<O, E, R>
}

/** Any tool; arguments are its only contravariant place. */
export type Any = Tool<string, never, unknown, unknown, unknown>
export type Args<T> = T extends Tool<string, infer A, unknown, unknown, unknown> ? A : never
export type Success<T> = T extends Tool<string, never, infer O, unknown, unknown> ? O : never
export type Failure<T> = T extends Tool<string, never, unknown, infer E, unknown> ? E : never
export type Services<T> = T extends Tool<string, never, unknown, unknown, infer R> ? R : never

type AnySchema = Schema.Codec<unknown, unknown, unknown, unknown>

/** What the body of a tool with these parameters reads. */
export type ArgsOf<P> = P extends AnySchema ? P["Type"] : P extends SchemaSpec ? InferArgs<P> : never
type DecodingServices<P> = P extends AnySchema ? P["DecodingServices"] : never

interface Options<Name extends string, A, S extends AnySchema> {
  /** 1 to 64 letters, digits, `_` or `-`: what all providers take. */
  readonly name: Name
  readonly description: string
  /** What the output must be; the model gets its encoded form. */
  readonly output?: S
  /** Say so only when running the body twice under the same `call.key` is the same as running it once. */
  readonly idempotent?: boolean
  /** What a call reads and writes, by names that all tools of the box share; calls that conflict keep their order. */
  readonly resources?: (args: A) => Resources
}

/**
 * Find out, after a crash, what became of a call that was running: by the key that its body was given (`call.key`).
 *
 * Errors: whatever it fails with counts as unknown. It is asked once a resume, and must not do the work itself.
 */
export type Recover<A, B> = (
  args: A,
  key: string,
) => Effect.Effect<Recovered.Recovered<OutputOf<B>>, unknown, ServicesOf<B>>

/**
 * Define a tool; the body's arguments are typed by its parameters.
 *
 * Errors: the body's own; `ToolFailed` when an async body rejects. A `TypeError`, here, for a name that no provider takes.
 */
export const defineTool = <
  const Name extends string,
  const P extends SchemaSpec | AnySchema,
  B extends Returned<S["Type"]>,
  S extends AnySchema = Schema.Codec<unknown>,
>(
  options: Options<Name, ArgsOf<P>, S> & {
    readonly parameters: P
    readonly run: (args: ArgsOf<P>, call: CallInfo) => B
    readonly recover?: Recover<ArgsOf<P>, B>
  },
): Tool<
  Name,
  ArgsOf<P>,
  OutputOf<B>,
  FailureOf<B>,
  ServicesOf<B> | DecodingServices<P> | S["EncodingServices"]
> => make(checked(options), parametersOf(options.parameters), options.run, options.recover)

/**
 * Define a tool by a JSON Schema that only the model reads: the body gets any JSON object and checks it itself.
 *
 * With `validate: true` the arguments are held against the schema before the body runs. This needs the package `ajv`.
 * Errors: a `TypeError`, here, when the schema to validate by is none, or `ajv` is not installed.
 */
export const raw = <
  const Name extends string,
  B extends Returned<S["Type"]>,
  S extends AnySchema = Schema.Codec<unknown>,
>(
  options: Options<Name, Schema.JsonObject, S> & {
    readonly parameters: Schema.JsonObject
    /** Check the arguments here; by default the schema is only shown. */
    readonly validate?: boolean
    readonly run: (args: Schema.JsonObject, call: CallInfo) => B
    readonly recover?: Recover<Schema.JsonObject, B>
  },
): Tool<Name, Schema.JsonObject, OutputOf<B>, FailureOf<B>, ServicesOf<B> | S["EncodingServices"]> => {
  const { parameters, run, recover, validate = false } = checked(options)
  return make(options, validate ? RawParameters.make(parameters) : Parameters.raw(parameters), run, recover)
}

/**
 * Run one call through the whole pipeline, and keep its errors typed.
 *
 * Errors: `ToolArgsMalformed`, `ToolArgsInvalid` and `ToolDenied` before the body; `ToolOutputInvalid` after it.
 */
export const run =
  <O, E, R>(tool: pipeline.Steps<O, E, R>) =>
  (argumentText: string, call?: CallOptions): Effect.Effect<O, PipelineError | E, R> =>
    pipeline.typed(tool, argumentText, call)

/**
 * Interrupt the body when it takes longer, and wait for its finalisers; an async body is told by its signal, and waited
 * for as long as `Grace` gives it. The wait for an approval does not count.
 */
export const timeout =
  (duration: Duration.Input) =>
  <Name extends string, A, O, E, R>(tool: Tool<Name, A, O, E, R>): Tool<Name, A, O, E | ToolTimedOut, R> => {
    const timeoutMillis = Duration.toMillis(duration)
    const message = `${tool.name} took longer than ${timeoutMillis} ms.`
    const limit = Grace.within(duration)
    return around(tool, tool.output, (body, call) =>
      Effect.flatMap(limit(body), (output) => {
        if (Option.isSome(output)) return Effect.succeed(output.value)
        const mayStillRun = lingers(call) ? { mayStillRun: true } : {}
        return new ToolTimedOut({ message, tool: tool.name, timeoutMillis, ...mayStillRun })
      }),
    )
  }

/**
 * Run the body again when it fails; defects and interruption are not failures. Without `times` or a `schedule`, once.
 *
 * Order: each run but the first is told to the caller before it begins; the result says how many there were. Inside a
 * `timeout` all runs have its time together, outside of it each has its own. A body that was told to stop and has not is
 * not run again beside itself.
 */
export const retry = <E, R2 = never>(options: Retry.Options<NoInfer<E>, R2>) => {
  const again = Retry.retry<E, R2>(options)
  return <Name extends string, A, O, R>(tool: Tool<Name, A, O, E, R>): Tool<Name, A, O, E, R | R2> =>
    around(tool, tool.output, (body: Effect.Effect<O, E, R>, call) =>
      again(
        body,
        (one) => call.again?.(one) ?? Effect.void,
        () => !lingers(call),
      ),
    )
}

const lingers = ({ lingering }: CallInfo): boolean => lingering !== undefined && lingering.size > 0

/** Let the body wait until it may start. All tools that are given the same limit share it. */
export const rateLimit = (limit: RateLimit.Options | RateLimit.RateLimit) => {
  const { wait } = "wait" in limit ? limit : RateLimit.make(limit)
  return <Name extends string, A, O, E, R>(tool: Tool<Name, A, O, E, R>): Tool<Name, A, O, E, R> =>
    around(tool, tool.output, (body) => Effect.andThen(wait, body))
}

/** Go on with what the body gave; a declared output schema no longer applies. */
export const mapEffect =
  <O, O2, E2, R2>(f: (output: O, call: CallInfo) => Effect.Effect<O2, E2, R2>) =>
  <Name extends string, A, E, R>(tool: Tool<Name, A, O, E, R>): Tool<Name, A, O2, E | E2, R | R2> =>
    around(tool, rendering(tool.name, Output.render), (body, call) =>
      Effect.flatMap(body, (output) => f(output, call)),
    )

/**
 * Take arguments that are not quite what the tool asks for, by name of what may be changed. All policies are off unless
 * named here; `Toolbox.map(box, Tool.lenient([…]))` names them for all tools. Every change is told to the model, stands
 * in the result's `repairs` (`Tool.run` has no result: there `onRepair` of its second argument hears of it), and is
 * checked: the body receives what passed.
 *
 * Errors: a `TypeError`, here, for a policy that there is not, and for "json-repair" without the package `jsonrepair`.
 * @example docs/examples/23-lenient.ts
 */
export const lenient = (policies: ReadonlyArray<Leniency.Policy>) => {
  const own = Leniency.toPolicies(policies)
  return <Name extends string, A, O, E, R>(tool: Tool<Name, A, O, E, R>): Tool<Name, A, O, E, R> =>
    withPipe({
      ...tool,
      prepare: (argumentText, others) => tool.prepare(argumentText, new Set([...own, ...(others ?? strict)])),
    })
}

const strict: ReadonlySet<Leniency.Policy> = new Set()

/** Give the tool services that it needs, in all its parts. A layer goes to `Toolbox.provide`, which builds it once. */
export const provide =
  <S>(context: Context.Context<S>) =>
  <Name extends string, A, O, E, R>(tool: Tool<Name, A, O, E, R>): Tool<Name, A, O, E, Exclude<R, S>> => {
    const give = Effect.provideContext(context)
    return withPipe({
      ...tool,
      body: (args, call) => give(tool.body(args, call)),
      output: (value) => give(tool.output(value)),
      prepare: (argumentText, lenient) =>
        Effect.map(give(tool.prepare(argumentText, lenient)), ({ body, recover, ...prepared }) => ({
          ...prepared,
          body: (call) => give(body(call)),
          ...(recover !== undefined && { recover: (call: CallInfo) => give(recover(call)) }),
        })),
    })
  }

/** Rebuild a tool with something around every run of its body. */
const around = <Name extends string, A, O, E, R, O2, E2, R2>(
  tool: Tool<Name, A, O, E, R>,
  output: Tool<Name, A, O2, E2, R | R2>["output"],
  wrap: (body: Effect.Effect<O, E, R>, call: CallInfo) => Effect.Effect<O2, E2, R2>,
): Tool<Name, A, O2, E2, R | R2> =>
  withPipe({
    ...tool,
    output,
    body: (args, call) => wrap(tool.body(args, call), call),
    prepare: (argumentText, lenient) =>
      Effect.mapEager(tool.prepare(argumentText, lenient), ({ body, recover, ...prepared }) => ({
        ...prepared,
        body: (call) => wrap(body(call), call),
        ...(recover !== undefined && { recover: found(recover, wrap) }),
      })),
  })

/** What is put around a body is put around an output that was found as well. */
const found =
  <O, E, R, O2, E2, R2>(
    recover: NonNullable<pipeline.Prepared<O, E, R>["recover"]>,
    wrap: (body: Effect.Effect<O, E, R>, call: CallInfo) => Effect.Effect<O2, E2, R2>,
  ) =>
  (call: CallInfo): Effect.Effect<Recovered.Recovered<O2>, unknown, R | R2> =>
    Effect.flatMap(
      recover(call),
      (one): Effect.Effect<Recovered.Recovered<O2>, unknown, R2> =>
        one._tag === "done"
          ? Effect.map(wrap(Effect.succeed(one.output), call), Recovered.done)
          : Effect.succeed(one),
    )

const make = <Name extends string, A, RD, B extends Returned<unknown>, S extends AnySchema>(
  options: Options<Name, A, S>,
  parameters: Parameters.Parameters<A, RD>,
  run: (args: A, call: CallInfo) => B,
  recover?: Recover<A, B>,
): Tool<Name, A, OutputOf<B>, FailureOf<B>, ServicesOf<B> | RD | S["EncodingServices"]> => {
  const { name, description, output, idempotent = false, resources } = options
  const body = invoke(name, run)
  const read = decode(name, parameters)
  return withPipe<Name, A, OutputOf<B>, FailureOf<B>, ServicesOf<B> | RD | S["EncodingServices"]>({
    name,
    description,
    parameters: parameters.jsonSchema,
    fingerprint: Digest.ofSchema(parameters.jsonSchema),
    idempotent,
    body,
    prepare: (argumentText, lenient = strict) =>
      Effect.mapEager(read(argumentText, lenient), ({ args, notes, repairs }) => ({
        args,
        repairs,
        remark: () => Remarks.toText(repairs, notes()),
        resources: resources === undefined ? undefined : () => resources(args),
        body: (call) => body(args, call),
        ...(recover !== undefined && { recover: (call: CallInfo) => recover(args, call.key) }),
      })),
    output: rendering(name, output === undefined ? Output.render : Output.encodeBy(output)),
  })
}

/** What is wrong with an output is an error of the tool that gave it. */
const rendering =
  <R>(tool: string, render: (value: unknown) => Effect.Effect<Output.Rendered, Output.Violations, R>) =>
  (value: unknown): Effect.Effect<Output.Rendered, ToolOutputInvalid, R> =>
    Effect.mapErrorEager(render(value), (violations) => {
      const what = violations.map(({ message }) => message).join("; ")
      const message = `The output of ${tool} is not what it must be: ${what}`
      return new ToolOutputInvalid({ message, tool, violations })
    })

const withPipe = <Name extends string, A, O, E, R>(
  parts: Omit<Tool<Name, A, O, E, R>, "pipe">,
): Tool<Name, A, O, E, R> => ({ ...parts, pipe: Pipeable.Prototype.pipe })

const parametersOf = <P extends SchemaSpec | AnySchema>(
  given: P,
): Parameters.Parameters<ArgsOf<P>, DecodingServices<P>> => {
  const parameters: Parameters.Parameters<unknown, unknown> = Schema.isSchema(given)
    ? Parameters.fromSchema(given)
    : Parameters.fromSpec(given)
  // Which of the two `P` is, is known here only at run time; test/tool/Tool.types.ts and Tool.test.ts stand behind it.
  return parameters as Parameters.Parameters<ArgsOf<P>, DecodingServices<P>>
}
