/**
 * The total door into the pipeline: every call ends in exactly one result.
 *
 * In:  a `ToolCall` of the model.      Out: a `ToolExecutionResult`, whatever happened.
 * Fails with: nothing. Unknown names, bad arguments, failures, defects and interruption are outcomes.
 * Not here: the typed door (`Tool.run`), what is logged (`loop/`).
 */
import type { Effect } from "effect"
import type { ToolCall } from "../message/ToolCall.ts"
import type { ToolExecutionResult } from "../message/ToolResult.ts"

/** What the caller may put between the checks and the body. */
export interface CallHooks {
  /** Wrap the wait for a slot and the body; an interruption inside it before `onStart` never started the call. */
  readonly slot?: <A, E, R>(run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Run after decode, authorize and the slot, before the body, uninterruptibly. When it dies the body does not
   * start and the defect is not turned into an outcome.
   */
  readonly onStart?: (info: { readonly key?: string }) => Effect.Effect<void>
}

export interface ToolRunner {
  /**
   * Run one call to its one outcome. Interrupting the caller interrupts the body and still gives a result, when
   * the caller runs this in an uninterruptible region; only the wait for a slot and the body are interruptible.
   */
  readonly execute: (call: ToolCall, hooks?: CallHooks) => Effect.Effect<ToolExecutionResult>
}
