/**
 * Stage three: wait for a slot, start the body, and know how it ended.
 *
 * In:  how to begin the body, and the caller's hooks.      Out: `Ended`: never started, or ran to an Exit.
 * Fails with: nothing. What a hook dies of, the caller dies of.
 * Not here: time limits and retries (`Tool.ts`: they are part of the body), what an Exit means (`encode.ts`).
 */
import { Cause, Clock, Context, Effect, Exit, Predicate } from "effect"
import * as Contained from "../error/Contained.ts"
import * as Foreign from "../error/Foreign.ts"
import { isHarnessError } from "../error/HarnessError.ts"
import * as Grace from "../policy/Grace.ts"
import * as CallInfo from "./CallInfo.ts"
import { ToolFailed } from "./ToolError.ts"

export interface Ran<out A, out E> {
  readonly _tag: "ran"
  readonly exit: Exit.Exit<A, E>
  /** Whether the caller was interrupted; a body may also interrupt itself. */
  readonly aborted: boolean
  /** Whether an async body did not stop when it was told to. */
  readonly lingers: boolean
  /** Units: milliseconds from the start of the body. */
  readonly durationMillis: number
}

export type Ended<A, E> = { readonly _tag: "never-started" } | Ran<A, E>

const neverStarted: Ended<never, never> = { _tag: "never-started" }

/** Only the wait for a slot and the body can be interrupted; once the body has an Exit, that Exit counts. */
export const run = <A, E, R>(
  body: () => Effect.Effect<A, E, R>,
  hooks: CallInfo.CallHooks,
  start: () => { readonly key?: string },
  info: CallInfo.Counted,
): Effect.Effect<Ended<A, E>, never, R> => {
  const { onStart, slot } = hooks
  if (onStart === undefined && slot === undefined) return runAtOnce(body, info)
  let ran: Ran<A, E> | undefined
  const started = runWith(body, info, (end) => {
    ran = end
    return Effect.void
  })
  const announced = onStart === undefined ? started : Effect.andThen(onStart(start()), started)
  const guarded = Effect.uninterruptible(announced)
  const slotted = slot === undefined ? guarded : slot(guarded)
  return Effect.matchCauseEffect(Effect.interruptible(slotted), {
    onSuccess: () => Effect.succeed(ran ?? neverStarted),
    onFailure: (cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.succeed(ran ?? neverStarted) : Effect.failCause(cause),
  })
}

/** Nothing lies between the abort that is looked for and the body. */
const runAtOnce = <A, E, R>(
  body: () => Effect.Effect<A, E, R>,
  info: CallInfo.Counted,
): Effect.Effect<Ended<A, E>, never, R> => {
  let hasBegun = false
  const begin = () => {
    hasBegun = true
    return body()
  }
  return runWith(begin, info, (ran) => Effect.succeed(hasBegun ? ran : neverStarted))
}

/** Run the body now, and go on with how it ended. */
const runWith = <A, E, R, B>(
  body: () => Effect.Effect<A, E, R>,
  info: CallInfo.Counted,
  go: (ran: Ran<A, E>) => Effect.Effect<B>,
): Effect.Effect<B, never, R> =>
  Effect.contextWith((services: Context.Context<R>) => {
    const clock = Context.get(services, Clock.Clock)
    const startedAt = clock.currentTimeMillisUnsafe()
    return Contained.exitWith(services, body, (exit) => {
      const durationMillis = Math.max(0, Math.round(clock.currentTimeMillisUnsafe() - startedAt))
      const { lingers } = info
      const end = (aborted: boolean) => go({ _tag: "ran", exit, aborted, lingers, durationMillis })
      return Exit.isSuccess(exit) ? end(false) : Effect.flatMap(isAborted(exit.cause), end)
    })
  })

/** An interruption that is still pending stops the next interruptible step; one that the body made itself is over. */
const isAborted = (cause: Cause.Cause<unknown>): Effect.Effect<boolean> =>
  Cause.hasInterrupts(cause)
    ? Effect.map(Effect.exit(Effect.interruptible(Effect.void)), Exit.isFailure)
    : Effect.succeed(false)

/** What a body may give back. */
export type Returned<O> = Effect.Effect<O, unknown, unknown> | Promise<O>
export type OutputOf<B> =
  B extends Effect.Effect<infer O, unknown, unknown> ? O : B extends Promise<infer O> ? O : never
export type FailureOf<B> = B extends Effect.Effect<unknown, infer E, unknown> ? E : ToolFailed
export type ServicesOf<B> = B extends Effect.Effect<unknown, unknown, infer R> ? R : never

/** Make the body of a tool from its author's function. */
export const invoke =
  <A, B extends Returned<unknown>>(tool: string, author: (args: A, call: CallInfo.CallInfo) => B) =>
  (args: A, call: CallInfo.CallInfo): Effect.Effect<OutputOf<B>, FailureOf<B>, ServicesOf<B>> => {
    const body: Effect.Effect<unknown, unknown, unknown> = new Body(tool, author, args, call)
    // The three types are read off `B`, which TypeScript cannot follow through the branch in `Body`;
    // test/tool/Tool.types.ts and test/tool/Tool.test.ts stand behind it.
    return body as Effect.Effect<OutputOf<B>, FailureOf<B>, ServicesOf<B>>
  }

class Body<A> extends Contained.Called<unknown, unknown, unknown> {
  private readonly tool: string
  private readonly author: (args: A, call: CallInfo.CallInfo) => Returned<unknown>
  private readonly args: A
  private readonly call: CallInfo.CallInfo

  constructor(
    tool: string,
    author: (args: A, call: CallInfo.CallInfo) => Returned<unknown>,
    args: A,
    call: CallInfo.CallInfo,
  ) {
    super()
    this.tool = tool
    this.author = author
    this.args = args
    this.call = call
  }

  begin(): Effect.Effect<unknown, unknown, unknown> {
    const attempt = CallInfo.attempt(this.call)
    const returned = this.ask(attempt)
    return Contained.isOver(returned) ? returned : Effect.onInterrupt(returned, () => stop(attempt))
  }

  /** Called under the handler, so that an abort which comes while it is called reaches the signal too. */
  asEffect(): Effect.Effect<unknown, unknown, unknown> {
    const attempt = CallInfo.attempt(this.call)
    return Effect.onInterrupt(
      Effect.suspend(() => this.ask(attempt)),
      () => stop(attempt),
    )
  }

  private ask(attempt: CallInfo.Attempt): Effect.Effect<unknown, unknown, unknown> {
    const { author } = this
    const returned = author(this.args, attempt)
    if (!Effect.isEffect(returned)) return settle(this.tool, returned, attempt)
    attempt.hearNothing()
    return returned
  }
}

/** Tell a body to stop, and wait for an async one as long as it is given. The finalisers of an Effect have run by now. */
const stop = (attempt: CallInfo.Attempt): Effect.Effect<void> =>
  Effect.flatMap(Grace.reason, (reason) => {
    attempt.abort(reason)
    const { running } = attempt
    if (running === undefined) return Effect.void
    return Effect.map(Grace.settles(running), (isOver) => {
      if (!isOver) attempt.linger(running)
    })
  })

/** Both handlers are on the promise before an abort can come between, so that no rejection is left unhandled. */
const settle = (
  tool: string,
  promise: PromiseLike<unknown>,
  attempt: CallInfo.Attempt,
): Effect.Effect<unknown, ToolFailed> => {
  const end = Promise.resolve(promise).then(
    (value) => Effect.succeed(value),
    (reason) => Effect.flatMap(Foreign.Normalisers, (normalisers) => failed(tool, reason, normalisers)),
  )
  attempt.running = end
  return Effect.contextWith((services) => {
    attempt.hearBy(Effect.runForkWith(services))
    return Effect.callback((resume) => void end.then(resume))
  })
}

/** A `ToolFailed` that the author threw says already what it is. */
const failed = (
  tool: string,
  reason: unknown,
  normalisers: ReadonlyArray<Foreign.Normaliser>,
): Effect.Effect<never, ToolFailed> => {
  if (isHarnessError(reason) && reason instanceof ToolFailed) return reason
  const { code, message } = Foreign.normalise(reason, { normalisers })
  if (bugs.has(code) && isBug(reason)) return Effect.die(reason)
  return new ToolFailed({ message, tool, code: code === "UNKNOWN" ? "TOOL_FAILED" : code, cause: reason })
}

/** The codes of errors that the language throws at a mistake in the code. A `SyntaxError` is one in data: `JSON.parse`. */
const bugs: ReadonlySet<string> = new Set(["TYPE_ERROR", "REFERENCE_ERROR", "RANGE_ERROR"])

/** What a platform throws under the same name has a code or a cause: `fetch failed`, an invalid URL. */
const isBug = (reason: unknown): boolean =>
  Object.prototype.toString.call(reason) === "[object Error]" && !Predicate.hasProperty(reason, "cause")
