/**
 * The total door into the pipeline: every call ends in exactly one result.
 *
 * In:  a `ToolCall` of the model.      Out: a `ToolExecutionResult`, whatever happened.
 * Fails with: nothing. Unknown names, bad arguments, failures, defects and interruption are outcomes.
 * Not here: the typed door (`Tool.run`), what is logged (`loop/`).
 */
import { Cause, Context, Effect } from "effect"
import * as Beginning from "../error/Beginning.ts"
import type { HarnessError } from "../error/HarnessError.ts"
import type { ToolCall } from "../message/ToolCall.ts"
import type { Outcome, ToolExecutionResult } from "../message/ToolResult.ts"
import * as Guard from "../policy/Guard.ts"
import { nearest } from "../text/Nearest.ts"
import type { CallHooks } from "./CallInfo.ts"
import { encode, encodeError, type Settled } from "./encode.ts"
import * as pipeline from "./pipeline.ts"
import type { Standing } from "./Recovered.ts"
import { type Known, recover } from "./recover.ts"
import type { Toolbox } from "./Toolbox.ts"
import { ToolNotFound } from "./ToolError.ts"

export type { Settled } from "./encode.ts"
export type { Known } from "./recover.ts"

export interface ToolRunner {
  /**
   * Run one call to its one outcome. Interrupting the caller interrupts the body and still gives a result, when
   * the caller runs this in an uninterruptible region; only the checks, the wait for a slot and the body are
   * interruptible.
   */
  readonly execute: (call: ToolCall, hooks?: CallHooks) => Effect.Effect<ToolExecutionResult>
  /** The same, and for a program that matches on errors the error itself, which a result only names. */
  readonly settle: (call: ToolCall, hooks?: CallHooks) => Effect.Effect<Settled>
  /** Say how a call stands that started in a process which is no more; its body is not run. */
  readonly recover: (call: ToolCall, known: Known) => Effect.Effect<Standing>
}

/**
 * Make a runner of a toolbox.
 *
 * What the tools need is captured here and merged under the context of each caller, whose spans and references win;
 * but a guard that was there stays: the caller's guard comes on top of it.
 */
export const make = <R>(toolbox: Toolbox<R>): Effect.Effect<ToolRunner, never, R> =>
  Effect.contextWith((captured: Context.Context<R>) => {
    const guard = Context.get(captured, Guard.Guard)
    const merge = (caller: Context.Context<never>): Context.Context<R> => {
      const merged = Context.merge(captured, caller)
      const own = Context.get(caller, Guard.Guard)
      if (guard === Guard.allowAll || own === guard) return merged
      return Context.add(merged, Guard.Guard, own === Guard.allowAll ? guard : Guard.all(guard, own))
    }
    // The calls of one agent come from one context.
    let latest: { readonly caller: Context.Context<never>; readonly merged: Context.Context<R> } | undefined
    const underCaller = (caller: Context.Context<never>): Context.Context<R> => {
      if (latest?.caller !== caller) latest = { caller, merged: merge(caller) }
      return latest.merged
    }
    const settle: ToolRunner["settle"] = (call, hooks) => {
      const tool = toolbox.tools.get(call.name)
      if (tool === undefined) return Effect.sync(() => notFound(call, toolbox))
      return Effect.updateContext(pipeline.settle(tool, call, hooks), underCaller)
    }
    return Effect.succeed({
      settle,
      recover: (call, known) => {
        const tool = toolbox.tools.get(call.name)
        return tool === undefined
          ? Effect.succeed<Standing>({ _tag: "unknown", because: "there is no such tool any more" })
          : Effect.updateContext(recover(tool, call, known), merge)
      },
      execute: (call, hooks) => Effect.map(settle(call, hooks), ({ result }) => result),
    })
  })

/** Make the result of a call that ended before it came to a runner, or after it had left it, from the error that says why. */
export const ended = (call: ToolCall, outcome: Exclude<Outcome, "success">, error: HarnessError): Settled =>
  encodeError(call, outcome, error)

const maxListed = 30

const notFound = (call: ToolCall, toolbox: Toolbox<unknown>): Settled => {
  const names = [...toolbox.tools.keys()]
  const name = JSON.stringify(Beginning.shown(call.name, 80))
  const near = nearest(call.name, names).map((candidate) => JSON.stringify(candidate))
  const hint = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`
  const rest = names.length > maxListed ? ` and ${names.length - maxListed} more` : ""
  const list =
    names.length === 0
      ? "There are no tools."
      : `The tools are: ${names.slice(0, maxListed).join(", ")}${rest}.`
  const error = new ToolNotFound({
    message: `There is no tool named ${name}.${hint} ${list}`,
    tool: call.name,
  })
  return encode(call, { _tag: "refused", cause: Cause.fail(error) }, 1, [])
}
