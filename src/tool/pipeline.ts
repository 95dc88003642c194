/**
 * The four stages of one call in their order: decode, authorize, run, encode.
 *
 * In:  the steps of a tool and the model's text.      Out: the typed door (`typed`) and the total one (`settle`).
 * Fails with: `typed`: `PipelineError` and the body's own errors. `settle`: nothing; what a hook dies of, it dies of.
 * Not here: what a stage does (the file of its name), which tool a name means (`ToolRunner.ts`).
 */
import { Cause, Effect, Exit } from "effect"
import * as Contained from "../error/Contained.ts"
import * as Foreign from "../error/Foreign.ts"
import { isHarnessError } from "../error/HarnessError.ts"
import { Ids } from "../message/Ids.ts"
import type { ToolCall } from "../message/ToolCall.ts"
import type { Rendered } from "../output/Output.ts"
import * as Spill from "../output/Spill.ts"
import { allowAll, Guard } from "../policy/Guard.ts"
import * as Resources from "../policy/Resources.ts"
import type * as Leniency from "../spec/Leniency.ts"
import { authorize } from "./authorize.ts"
import * as CallInfo from "./CallInfo.ts"
import { say } from "./checked.ts"
import { type End, encode, type Remarked, remark, type Settled } from "./encode.ts"
import type { Recovered } from "./Recovered.ts"
import { type Ended, type Ran, run } from "./run.ts"
import type {
  PipelineError,
  ToolArgsInvalid,
  ToolArgsMalformed,
  ToolDenied,
  ToolOutputInvalid,
} from "./ToolError.ts"

/** A call whose arguments are good; what they are typed as stays between `prepare` and `body`. */
export interface Prepared<out O, out E, out R> extends Remarked {
  readonly args: unknown
  readonly body: (call: CallInfo.CallInfo) => Effect.Effect<O, E, R>
  /** What the body will read and write; absent when the tool names nothing. */
  readonly resources: (() => Resources.Resources) | undefined
  /** Find out what became of a call whose process died; absent when the author gives no way. */
  readonly recover?: (call: CallInfo.CallInfo) => Effect.Effect<Recovered<O>, unknown, R>
}

/** The parts of a tool that the stages need; a tool is closed over its arguments, so these mix without a cast. */
export interface Steps<out O, out E, out R> {
  readonly name: string
  /** Whether running it twice under one key is the same as running it once. */
  readonly idempotent: boolean
  /** `lenient` are policies that whoever stands around the tool has put on. */
  readonly prepare: (
    argumentText: string,
    lenient?: ReadonlySet<Leniency.Policy>,
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
    if (typeof argumentText !== "string") return Effect.die(noText(tool.name, argumentText))
    const { callId = ids.next("call"), progress, again, onRepair } = options
    const info = CallInfo.make(tool.name, argumentText, callId, progress, again)
    return Effect.flatMap(check(tool, argumentText, callId), ({ body, repairs }) => {
      const ran = Effect.flatMap(Contained.run(body(info)), (output) =>
        Effect.as(tool.output(output), output),
      )
      return onRepair === undefined || repairs.length === 0
        ? ran
        : Effect.andThen(Effect.forEach(repairs, onRepair, { discard: true }), ran)
    })
  })

const noText = (tool: string, given: unknown): TypeError => {
  const instead = "write Tool.run(tool)(JSON.stringify(args)), or tool.body(args, call) for the body alone"
  return new TypeError(
    `Tool.run of ${tool} takes the text that a model wrote, got ${say(given)}: ${instead}.`,
  )
}

/**
 * Run a call to its one result, and the error behind it. What a stage knows at once it gives as an Exit, which the next
 * one takes without a step of the fiber.
 */
export const settle = <R>(
  tool: Steps<unknown, unknown, R>,
  call: ToolCall,
  hooks: CallInfo.CallHooks = {},
): Effect.Effect<Settled, never, R> => {
  const checks = check(tool, call.arguments, call.callId, hooks)
  return Effect.uninterruptible(
    Effect.matchCauseEffect(Effect.interruptible(checks), {
      onFailure: (cause) => end(call, { _tag: "refused", cause }),
      onSuccess: (prepared) => runPrepared(tool, call, hooks, prepared),
    }),
  )
}

const runPrepared = <R>(
  tool: Steps<unknown, unknown, R>,
  call: ToolCall,
  hooks: CallInfo.CallHooks,
  prepared: Prepared<unknown, unknown, R>,
): Effect.Effect<Settled, never, R> => {
  const { onProgress, onRetry, scope, key } = hooks
  let isOver = false
  // What a body leaves running may go on talking.
  const progress =
    onProgress && ((text: string) => Effect.suspend(() => (isOver ? Effect.void : onProgress(text))))
  const info = CallInfo.make(tool.name, call.arguments, call.callId, progress, onRetry, scope, key)
  const start = () => (tool.idempotent ? { key: info.key } : {})
  return Effect.flatMap(
    run(() => prepared.body(info), hooks, start, info),
    (ended) => {
      isOver = true
      if (info.lingers) hooks.onLinger?.(Promise.all(info.lingering))
      return Effect.flatMapEager(render(tool, ended, info), (rendered) =>
        Effect.mapEager(end(call, rendered, info.attempts), (settled) => remark(settled, prepared)),
      )
    },
  )
}

/** A success needs no normalisers, and is what happens most. */
const end = (call: ToolCall, ended: End, attempts = 1): Effect.Effect<Settled> =>
  ended._tag === "ran" && Exit.isSuccess(ended.exit)
    ? Effect.succeed(encode(call, ended, attempts, []))
    : Effect.map(Foreign.Normalisers, (normalisers) => encode(call, ended, attempts, normalisers))

const check = <O, E, R>(
  tool: Steps<O, E, R>,
  argumentText: string,
  callId: string,
  { onPlanned, approver }: CallInfo.CallHooks = {},
): Effect.Effect<Prepared<O, E, R>, ToolArgsMalformed | ToolArgsInvalid | ToolDenied, R> =>
  Effect.withFiber((fiber) =>
    Effect.flatMapEager(tool.prepare(argumentText), (prepared) => {
      onPlanned?.(plan(prepared.resources))
      const guard = fiber.getRef(Guard)
      if (guard === allowAll) return Effect.succeed(prepared)
      const asked = authorize(guard, { callId, tool: tool.name, args: prepared.args }, approver)
      return Effect.as(asked, prepared)
    }),
  )

/** A tool that cannot say what it touches is taken to touch everything. */
const plan = (resources: Prepared<unknown, unknown, unknown>["resources"]): Resources.Resources => {
  if (resources === undefined) return Resources.none
  try {
    return Resources.copy(resources())
  } catch {
    return Resources.everything
  }
}

/** A broken invariant is for the developer, not for the model: nothing may turn it into a result. */
const isInvariantBroken = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) =>
      Cause.isDieReason(reason) &&
      isHarnessError(reason.defect) &&
      Foreign.tagOf(reason.defect) === "InvariantViolated",
  )

/** Past the body nothing is interrupted any more: what it gave is not lost to a late abort. */
const render = <R>(
  tool: Steps<unknown, unknown, R>,
  end: Ended<unknown, unknown>,
  { callId }: CallInfo.CallInfo,
): Effect.Effect<Ended<Rendered, unknown>, never, R> => {
  if (end._tag === "never-started") return Effect.succeed(end)
  if (Exit.isFailure(end.exit)) {
    const { cause } = end.exit
    if (isInvariantBroken(cause)) return Effect.die(Cause.squash(cause))
    return Effect.succeed({ ...end, exit: Exit.failCause(cause) })
  }
  const { value } = end.exit
  const { aborted, lingers, durationMillis } = end
  const ran = (exit: Exit.Exit<Rendered, ToolOutputInvalid>): Ran<Rendered, ToolOutputInvalid> => ({
    _tag: "ran",
    exit,
    aborted,
    lingers,
    durationMillis,
  })
  const keep = (exit: Exit.Exit<Rendered, ToolOutputInvalid>) =>
    Exit.isSuccess(exit) && exit.value.whole !== undefined
      ? Effect.map(Spill.keep(exit.value, callId, tool.name), (kept) => ran(Exit.succeed(kept)))
      : Effect.succeed(ran(exit))
  const output = Contained.from(() => tool.output(value))
  return Contained.isOver(output) ? keep(output) : Effect.flatMap(Effect.exit(output), keep)
}
