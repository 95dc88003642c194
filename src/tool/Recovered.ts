/**
 * What the author of a tool can find out about a call whose process died while it ran.
 *
 * In:  nothing.      Out: `Recovered`, the answer of `recover`; how a call stands after it: `Standing`.
 * Not here: what becomes of the call (`turn/`, `recovery/`).
 */
import type { ToolExecutionResult } from "../message/ToolResult.ts"

/** `done`: it took effect, and this is its output. `not-done`: it had no effect and will have none. */
export type Recovered<O> =
  | { readonly _tag: "done"; readonly output: O }
  | { readonly _tag: "not-done" }
  | { readonly _tag: "unknown" }

export const done = <O>(output: O): Recovered<O> => ({ _tag: "done", output })
export const notDone: Recovered<never> = { _tag: "not-done" }
export const unknown: Recovered<never> = { _tag: "unknown" }

/** What may be done about a call that started and has no result. */
export type Standing =
  /** Its tool found out that it took effect; nothing is run. */
  | { readonly _tag: "done"; readonly result: ToolExecutionResult }
  /** Its tool found out that it took no effect, and it may not be run again. */
  | { readonly _tag: "not-done" }
  /** It may be run again under its key. */
  | { readonly _tag: "again" }
  /** Nobody knows; `because` is one clause for the model. */
  | { readonly _tag: "unknown"; readonly because?: string }
