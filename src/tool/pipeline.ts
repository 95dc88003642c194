/**
 * The four stages of one call in their order: decode, authorize, run, encode.
 *
 * In:  the steps of a tool and the model's text.      Out: the typed door (`typed`) and the total one (`total`).
 * Fails with: `typed`: `PipelineError` and the body's own errors. `total`: nothing; what a hook dies of, it dies of.
 * Not here: what a stage does (the file of its name), which tool a name means (`ToolRunner.ts`).
 */
import { Cause, Effect, Exit } from "effect"
import * as Foreign from "../error/Foreign.ts"
import { Ids } from "../message/Ids.ts"
import type { ToolCall } from "../message/ToolCall.ts"
import type { ToolExecutionResult } from "../message/ToolResult.ts"
import { authorize } from "./authorize.ts"
import * as CallInfo from "./CallInfo.ts"
import { encode } from "./encode.ts"
import type { Rendered } from "./Output.ts"
import { type Ended, run } from "./run.ts"
import type {
  PipelineError,
  ToolArgsInvalid,
  ToolArgsMalformed,
  ToolDenied,
  ToolOutputInvalid,
} from "./ToolError.ts"

/** A call whose arguments are good; what they are typed as stays between `prepare` and `body`. */
export interface Prepared<out O, out E, out R> {
  readonly args: unknown
  readonly body: (call: CallInfo.CallInfo) => Effect.Effect<O, E, R>
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

/** Run a call and keep its errors in their channel. */
export const typed = <O, E, R>(
  tool: Steps<O, E, R>,
  argumentText: string,
  options: CallInfo.CallOptions = {},
): Effect.Effect<O, PipelineError | E, R> =>
  Effect.flatMap(Ids, (ids) => {
    const info = CallInfo.make(tool.name, argumentText, options.callId ?? ids.next("call"), options.progress)
    return Effect.flatMap(check(tool, argumentText, info.callId), ({ body }) =>
      Effect.flatMap(body(info), (output) => Effect.as(tool.output(output), output)),
    )
  })

/** Run a call to its one result. */
export const total = <R>(
  tool: Steps<unknown, unknown, R>,
  call: ToolCall,
  hooks: CallInfo.CallHooks = {},
): Effect.Effect<ToolExecutionResult, never, R> =>
  Effect.uninterruptible(
    Effect.flatMap(Effect.exit(Effect.interruptible(check(tool, call.arguments, call.callId))), (checked) => {
      if (Exit.isFailure(checked))
        return Effect.succeed(encode(call, { _tag: "refused", cause: checked.cause }))
      const info = CallInfo.make(tool.name, call.arguments, call.callId, hooks.onProgress)
      const body = Effect.suspend(() => checked.value.body(info))
      const ended = run(body, hooks, tool.idempotent ? { key: info.key } : {})
      return Effect.flatMap(ended, (end) =>
        Effect.map(render(tool, end), (rendered) => encode(call, rendered)),
      )
    }),
  )

const check = <O, E, R>(
  tool: Steps<O, E, R>,
  argumentText: string,
  callId: string,
): Effect.Effect<Prepared<O, E, R>, ToolArgsMalformed | ToolArgsInvalid | ToolDenied, R> =>
  Effect.flatMap(tool.prepare(argumentText), (prepared) =>
    Effect.as(authorize({ callId, tool: tool.name, args: prepared.args }), prepared),
  )

/** A broken invariant is for the developer, not for the model: nothing may turn it into a result. */
const isInvariantBroken = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) => Cause.isDieReason(reason) && Foreign.tagOf(reason.defect) === "InvariantViolated",
  )

/** Past the body nothing is interrupted any more: what it gave is not lost to a late abort. */
const render = <R>(
  tool: Steps<unknown, unknown, R>,
  end: Ended<unknown, unknown>,
): Effect.Effect<Ended<Rendered, unknown>, never, R> => {
  if (end._tag === "never-started") return Effect.succeed(end)
  if (Exit.isFailure(end.exit) && isInvariantBroken(end.exit.cause))
    return Effect.die(Cause.squash(end.exit.cause))
  if (Exit.isFailure(end.exit)) return Effect.succeed({ ...end, exit: Exit.failCause(end.exit.cause) })
  return Effect.map(Effect.exit(tool.output(end.exit.value)), (exit) => ({ ...end, exit }))
}
