/**
 * Call the function that a tool's author wrote, and make one Effect of what it gives.
 *
 * In:  the function, be it of Effects or async.      Out: an Effect; its signal aborts when this run of it is interrupted.
 * Fails with: the body's own errors; `ToolFailed` when a promise rejects. A throw before either is a defect.
 * Not here: when it is called (`run.ts`), how often (`Tool.retry`).
 */
import { Effect } from "effect"
import * as Foreign from "../error/Foreign.ts"
import * as CallInfo from "./CallInfo.ts"
import { ToolFailed } from "./ToolError.ts"

/** What a body may give back. */
export type Returned<O> = Effect.Effect<O, unknown, unknown> | Promise<O>
export type OutputOf<B> =
  B extends Effect.Effect<infer O, unknown, unknown> ? O : B extends Promise<infer O> ? O : never
export type FailureOf<B> = B extends Effect.Effect<unknown, infer E, unknown> ? E : ToolFailed
export type ServicesOf<B> = B extends Effect.Effect<unknown, unknown, infer R> ? R : never

/** Make the body of a tool from its author's function. */
export const invoke =
  <A, B extends Returned<unknown>>(tool: string, run: (args: A, call: CallInfo.CallInfo) => B) =>
  (args: A, call: CallInfo.CallInfo): Effect.Effect<OutputOf<B>, FailureOf<B>, ServicesOf<B>> => {
    const body = Effect.suspend(() => {
      const attempt = CallInfo.attempt(call)
      const returned: Returned<unknown> = run(args, attempt)
      const effect = Effect.isEffect(returned) ? returned : settle(tool, returned)
      return Effect.onInterrupt(effect, () => Effect.sync(() => attempt.abort()))
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
