/**
 * Stage four: how a call ended becomes its one result.
 *
 * In:  the call, and the stage and Exit that ended it.      Out: `Settled`: the result, and the error that it names.
 * Fails with: nothing, whatever a body threw.
 * Not here: outputs (`output/`), the words for the model (`describe.ts`).
 * Source: DESIGN "Errors": the outcome of every tag.
 */
import { Cause, Exit, Result } from "effect"
import * as Foreign from "../error/Foreign.ts"
import { type HarnessError, isHarnessError } from "../error/HarnessError.ts"
import type { Content } from "../message/Content.ts"
import type { ToolCall } from "../message/ToolCall.ts"
import type { Outcome, Repair, ToolExecutionResult } from "../message/ToolResult.ts"
import * as Output from "../output/Output.ts"
import { adviceFor, describe } from "./describe.ts"
import type { Ended, Ran } from "./run.ts"
import {
  ToolArgsInvalid,
  type ToolArgsMalformed,
  ToolDefect,
  type ToolDenied,
  ToolFailed,
  ToolInterrupted,
  ToolNeverStarted,
  type ToolNotFound,
  ToolOutputInvalid,
} from "./ToolError.ts"

/** Why a call did not reach its body. */
export type Refusal = ToolNotFound | ToolArgsMalformed | ToolArgsInvalid | ToolDenied

/** How a call can end: in its checks, waiting, or in its body. */
export type End =
  | { readonly _tag: "refused"; readonly cause: Cause.Cause<Refusal> }
  | Ended<Output.Rendered, unknown>

/** A result as the log keeps it, and for programs the error itself, which no log keeps. */
export interface Settled {
  readonly result: ToolExecutionResult
  /** What `result.error` names: one of `tool/ToolError`, or the body's own tagged error. Absent after a success. */
  readonly error?: unknown
}

/** Make the result. */
export const encode = (
  call: ToolCall,
  end: End,
  attempts: number,
  normalisers: ReadonlyArray<Foreign.Normaliser>,
): Settled => {
  if (end._tag === "ran" && Exit.isSuccess(end.exit)) return good(call, end.exit.value, end, attempts)
  const { outcome, error } = toError(call.name, end, normalisers)
  const ran = end._tag === "ran" ? { durationMillis: end.durationMillis, ...counted(attempts) } : {}
  return { result: { ...bad(call, { outcome, error }, attempts, normalisers), ...ran }, error }
}

/** Make it of the error alone. */
export const encodeError = (call: ToolCall, outcome: Failure["outcome"], error: HarnessError): Settled => ({
  error,
  result: bad(call, { outcome, error }, 1, []),
})

/** One run is the rule, and is not told. */
const counted = (attempts: number): { readonly attempts?: number } => (attempts > 1 ? { attempts } : {})

const good = (
  { callId, name }: ToolCall,
  { content, structured, spill }: Output.Rendered,
  { durationMillis }: Ran<unknown, unknown>,
  attempts: number,
): Settled => ({
  result: {
    callId,
    name,
    outcome: "success",
    isError: false,
    content,
    ...(structured === undefined ? {} : { structured }),
    ...(spill === undefined ? {} : { spill }),
    durationMillis,
    ...counted(attempts),
  },
})

/** What became of the arguments on their way to the body. */
export interface Remarked {
  /** What policies changed. */
  readonly repairs: ReadonlyArray<Repair>
  /** What the model is told of arguments that were changed, or not read whole. */
  readonly remark: () => string | undefined
}

/** Add it to the result, for the log and for the model. */
export const remark = ({ result, ...error }: Settled, { repairs, remark: toText }: Remarked): Settled => {
  const text = toText()
  if (text === undefined && repairs.length === 0) return { result, ...error }
  const added: Content = text === undefined ? [] : [{ type: "text", text: text.toWellFormed() }]
  const content: Content = [...result.content, ...added]
  return { ...error, result: { ...result, content, ...(repairs.length === 0 ? {} : { repairs }) } }
}

interface Failure {
  readonly outcome: Exclude<Outcome, "success">
  readonly error: unknown
}

const outcomeOfRefusal = {
  ToolNotFound: "unknown-tool",
  ToolArgsMalformed: "rejected",
  ToolArgsInvalid: "rejected",
  ToolDenied: "denied",
} as const

/** A failure wins over a defect, a defect over an interruption: the order in which Effect's own handlers see them. */
const toError = (tool: string, end: End, normalisers: ReadonlyArray<Foreign.Normaliser>): Failure => {
  if (end._tag === "refused") {
    const refusal = Cause.findError(end.cause)
    return Result.isSuccess(refusal)
      ? { outcome: outcomeOfRefusal[refusal.success._tag], error: refusal.success }
      : neverStarted(tool)
  }
  if (end._tag === "never-started" || Exit.isSuccess(end.exit)) return neverStarted(tool)
  const { cause } = end.exit
  const failure = Cause.findError(cause)
  if (Result.isSuccess(failure)) return failed(tool, failure.success, normalisers)
  const defect = Cause.findDefect(cause)
  return Result.isSuccess(defect) ? broken(tool, defect.success, normalisers) : interrupted(tool, end)
}

/** What has a tag keeps it, also when an async body threw it; what has none becomes a `ToolFailed`. */
const failed = (tool: string, failure: unknown, normalisers: ReadonlyArray<Foreign.Normaliser>): Failure => {
  const error = standsFor(failure)
  const tag = Foreign.tagOf(error)
  if (tag !== undefined) return { outcome: tag === "ToolTimedOut" ? "timed-out" : "failed", error }
  const { code, message } = Foreign.normalise(error, { normalisers })
  return {
    outcome: "failed",
    error: new ToolFailed({ message, tool, code: known(code), cause: error }),
  }
}

/** A `ToolFailed` with a tagged error of its own code behind it is only the channel that this came through. */
const standsFor = (error: unknown): unknown =>
  isHarnessError(error) &&
  error instanceof ToolFailed &&
  Foreign.tagOf(error.cause) !== undefined &&
  Foreign.normalise(error.cause).code === error.code
    ? error.cause
    : error

const broken = (tool: string, defect: unknown, normalisers: ReadonlyArray<Foreign.Normaliser>): Failure => {
  const { message, name } = Foreign.normalise(defect, { normalisers })
  return {
    outcome: "defect",
    error: new ToolDefect({ message: `${name}: ${message}`, tool, cause: defect }),
  }
}

const neverStarted = (tool: string): Failure => {
  const message = `${tool} was not started: its turn was stopped first. Nothing ran.`
  return { outcome: "interrupted-before-start", error: new ToolNeverStarted({ message, tool }) }
}

const interrupted = (tool: string, { aborted, lingers }: Ran<unknown, unknown>): Failure => {
  if (!aborted) {
    const message = `${tool} stopped itself before it was done; nobody aborted it. It may have done a part of its work.`
    return { outcome: "interrupted", error: new ToolInterrupted({ message, tool, code: "STOPPED_ITSELF" }) }
  }
  const message = lingers
    ? `${tool} was told to stop while it ran, with its turn. It has not ended yet, and may still do its work.`
    : `${tool} was stopped while it ran, with its turn. It may have done a part of its work.`
  const mayStillRun = lingers ? { mayStillRun: true } : {}
  return {
    outcome: "interrupted",
    error: new ToolInterrupted({ message, tool, code: "ABORTED", ...mayStillRun }),
  }
}

const known = (code: string): string => (code === "UNKNOWN" ? "TOOL_FAILED" : code)

const bad = (
  { callId, name }: ToolCall,
  { outcome, error }: Failure,
  attempts: number,
  normalisers: ReadonlyArray<Foreign.Normaliser>,
): ToolExecutionResult => {
  const said = Foreign.normalise(error, isHarnessError(error) ? {} : { normalisers })
  const code = known(said.code)
  const violations = violationsOf(error)
  const text = describe({ tool: name, outcome, foreign: { ...said, code }, error, attempts })
  return {
    callId,
    name,
    outcome,
    isError: true,
    content: reported(name, code, error) ?? [{ type: "text", text: text.toWellFormed() }],
    error: { name: (Foreign.tagOf(error) ?? "ToolFailed").toWellFormed(), code },
    ...(violations === undefined ? {} : { violations }),
  }
}

const violationsOf = (error: unknown): ToolExecutionResult["violations"] =>
  isHarnessError(error) && (error instanceof ToolArgsInvalid || error instanceof ToolOutputInvalid)
    ? error.violations
    : undefined

/** What a body reports in blocks of its own; providers do not show that it failed, so the text must say it. */
const reported = (tool: string, code: string, error: unknown): Content | undefined => {
  if (!isHarnessError(error) || !(error instanceof ToolFailed) || !error.content?.length) return undefined
  const rendered = Output.render(
    Output.content([
      { type: "text", text: `${tool} failed (${code}):` },
      ...error.content,
      { type: "text", text: adviceFor(error, code) },
    ]),
  )
  return Exit.isSuccess(rendered) ? rendered.value.content : undefined
}
