/**
 * The four stages of one call in their order: decode, authorize, run, encode.
 *
 * In:  the steps of a tool and the model's text.      Out: the typed door (`typed`) and the total one (`total`).
 * Fails with: `typed`: `PipelineError` and the body's own errors. `total`: nothing; what a hook dies of, it dies of.
 * Not here: what a stage does (the file of its name), which tool a name means (`ToolRunner.ts`).
 */
import type { Effect } from "effect"
import type { CallInfo } from "./CallInfo.ts"
import type { Rendered } from "./Output.ts"
import type { ToolArgsInvalid, ToolArgsMalformed, ToolOutputInvalid } from "./ToolError.ts"

/** A call whose arguments are good; what they are typed as stays between `prepare` and `body`. */
export interface Prepared<out O, out E, out R> {
  readonly args: unknown
  readonly body: (call: CallInfo) => Effect.Effect<O, E, R>
}

/** The parts of a tool that the stages need; a tool is closed over its arguments, so these mix without a cast. */
export interface Steps<out O, out E, out R> {
  readonly name: string
  /** Whether running it twice under one key is the same as running it once. */
  readonly idempotent: boolean
  readonly prepare: (
    argumentText: string,
  ) => Effect.Effect<Prepared<O, E, R>, ToolArgsMalformed | ToolArgsInvalid, R>
  readonly output: (value: unknown) => Effect.Effect<Rendered, ToolOutputInvalid, R>
}
