/**
 * Call the function that a tool's author wrote, and make one Effect of what it gives.
 *
 * In:  the function, be it of Effects or async.      Out: an Effect; its signal aborts when this run of it is interrupted.
 * Fails with: the body's own errors; `ToolFailed` when a promise rejects. A throw before either is a defect.
 * Not here: when it is called (`run.ts`), how often (`Tool.retry`).
 */
import { Effect } from "effect"
import * as Foreign from "../error/Foreign.ts"
import type { CallInfo } from "./CallInfo.ts"
import { ToolFailed } from "./ToolError.ts"

/** What a body may give back. */
export type Returned<O> = Effect.Effect<O, unknown, unknown> | Promise<O>
export type OutputOf<B> =
  B extends Effect.Effect<infer O, unknown, unknown> ? O : B extends Promise<infer O> ? O : never
export type FailureOf<B> = B extends Effect.Effect<unknown, infer E, unknown> ? E : ToolFailed
export type ServicesOf<B> = B extends Effect.Effect<unknown, unknown, infer R> ? R : never

/** Make the body of a tool from its author's function. */
export const invoke =
  <A, B extends Returned<unknown>>(tool: string, run: (args: A, call: CallInfo) => B) =>
  (args: A, call: CallInfo): Effect.Effect<OutputOf<B>, FailureOf<B>, ServicesOf<B>> => {
    const body = Effect.suspend(() => {
      const attempt = withOwnSignal(call)
      const returned: Returned<unknown> = run(args, attempt.call)
      const effect = Effect.isEffect(returned) ? returned : settle(tool, returned)
      return Effect.onInterrupt(effect, () => attempt.abort)
    })
    // The three types are read off `B`, which TypeScript cannot follow through the branch above;
    // test/tool/Tool.types.ts and test/tool/Tool.test.ts stand behind it.
    return body as Effect.Effect<OutputOf<B>, FailureOf<B>, ServicesOf<B>>
  }

const settle = (tool: string, promise: PromiseLike<unknown>): Effect.Effect<unknown, ToolFailed> =>
  Effect.callback((resume) => {
    Promise.resolve(promise).then(
      (value) => resume(Effect.succeed(value)),
      (reason) => resume(Effect.fail(failed(tool, reason))),
    )
  })

const failed = (tool: string, reason: unknown): ToolFailed => {
  const { code, message } = Foreign.normalise(reason)
  return new ToolFailed({ message, tool, code: code === "UNKNOWN" ? "TOOL_FAILED" : code, cause: reason })
}

/** A signal of its own for every run: a second one after a time-out starts fresh. */
const withOwnSignal = (call: CallInfo): { readonly call: CallInfo; readonly abort: Effect.Effect<void> } => {
  let controller: AbortController | undefined
  let signal: AbortSignal | undefined
  return {
    abort: Effect.sync(() => controller?.abort()),
    call: {
      callId: call.callId,
      progress: call.progress,
      get key() {
        return call.key
      },
      get signal() {
        if (signal !== undefined) return signal
        controller = new AbortController()
        signal = AbortSignal.any([call.signal, controller.signal])
        return signal
      },
    },
  }
}
