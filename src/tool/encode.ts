/**
 * Stage four: how a call ended becomes its one result.
 *
 * In:  the call, and the stage and Exit that ended it.      Out: `ToolExecutionResult`, with words for the model.
 * Fails with: nothing, whatever a body threw.
 * Not here: outputs (`Output.ts`).
 * Source: DESIGN "Errors": the outcome of every tag.
 */
import { Cause, Exit, Result } from "effect"
import * as Foreign from "../error/Foreign.ts"
import { isHarnessError, type Retry } from "../error/HarnessError.ts"
import type { ToolCall } from "../message/ToolCall.ts"
import type { Outcome, ToolExecutionResult } from "../message/ToolResult.ts"
import { wellFormed } from "./jsonify.ts"
import type { Rendered } from "./Output.ts"
import type { Ended, Ran } from "./run.ts"
import {
  ToolArgsInvalid,
  ToolArgsMalformed,
  ToolDefect,
  type ToolDenied,
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
  | Ended<Rendered, unknown>

/** Make the result. */
export const encode = (call: ToolCall, end: End): ToolExecutionResult => {
  switch (end._tag) {
    case "refused": {
      const refusal = Cause.findError(end.cause)
      return Result.isSuccess(refusal)
        ? bad(call, outcomeOfRefusal[refusal.success._tag], refusal.success)
        : neverStarted(call)
    }
    case "never-started":
      return neverStarted(call)
    case "ran":
      return { ...encodeRan(call, end), durationMillis: end.durationMillis }
  }
}

const outcomeOfRefusal = {
  ToolNotFound: "unknown-tool",
  ToolArgsMalformed: "rejected",
  ToolArgsInvalid: "rejected",
  ToolDenied: "denied",
} as const

/** A failure wins over a defect, a defect over an interruption: the order in which Effect's own handlers see them. */
const encodeRan = (call: ToolCall, { exit, aborted }: Ran<Rendered, unknown>): ToolExecutionResult => {
  if (Exit.isSuccess(exit))
    return { callId: call.callId, name: call.name, outcome: "success", isError: false, ...exit.value }
  const error = Cause.findError(exit.cause)
  if (Result.isSuccess(error))
    return bad(call, Foreign.tagOf(error.success) === "ToolTimedOut" ? "timed-out" : "failed", error.success)
  const defect = Cause.findDefect(exit.cause)
  return Result.isSuccess(defect) ? broken(call, defect.success) : interrupted(call, aborted)
}

const broken = (call: ToolCall, defect: unknown): ToolExecutionResult => {
  const { message, name } = Foreign.normalise(defect)
  return bad(
    call,
    "defect",
    new ToolDefect({ message: `${name}: ${message}`, tool: call.name, cause: defect }),
  )
}

const neverStarted = (call: ToolCall): ToolExecutionResult => {
  const message = `${call.name} was not started: the turn was aborted first. Nothing ran.`
  return bad(call, "interrupted-before-start", new ToolNeverStarted({ message, tool: call.name }))
}

const interrupted = (call: ToolCall, aborted: boolean): ToolExecutionResult => {
  const message = aborted
    ? `${call.name} was stopped while it ran: the turn was aborted. It may have done a part of its work.`
    : `${call.name} stopped itself before it was done; nobody aborted it. It may have done a part of its work.`
  return bad(call, "interrupted", new ToolInterrupted({ message, tool: call.name }))
}

const bad = (call: ToolCall, outcome: Exclude<Outcome, "success">, error: unknown): ToolExecutionResult => {
  const foreign = Foreign.normalise(error)
  const code = foreign.code === "UNKNOWN" ? "TOOL_FAILED" : foreign.code
  const violations = violationsOf(error)
  return {
    callId: call.callId,
    name: call.name,
    outcome,
    isError: true,
    content: [{ type: "text", text: wellFormed(describe(call.name, outcome, code, error)) }],
    error: { name: wellFormed(Foreign.tagOf(error) ?? "ToolFailed"), code },
    ...(violations === undefined ? {} : { violations }),
  }
}

const violationsOf = (error: unknown): ToolExecutionResult["violations"] =>
  isHarnessError(error) && (error instanceof ToolArgsInvalid || error instanceof ToolOutputInvalid)
    ? error.violations
    : undefined

const advice: Record<Retry, string> = {
  now: "Correct the call and make it again.",
  later: "The same call may work later.",
  never: "The same call would end the same way.",
}

/** Codes of what passes by itself. */
const passing =
  /^(EAGAIN|EBUSY|ETIMEDOUT|EPIPE|ECONN\w+|ENETUNREACH|EHOSTUNREACH|EAI_AGAIN|UND_ERR_\w+|TIMEOUT_ERR|HTTP_(408|425|429|5\d\d)|SQLSTATE_(40|53|57|08)\w+)$/

/** Say it in words; `code` is the one that the result carries. */
const describe = (
  tool: string,
  outcome: Exclude<Outcome, "success">,
  code: string,
  error: unknown,
): string => {
  const { message } = Foreign.normalise(error)
  switch (outcome) {
    case "unknown-tool":
      return `${message} Nothing ran. ${advice.now}`
    case "rejected":
      // What is said about broken JSON is whole in itself.
      if (isHarnessError(error) && error instanceof ToolArgsMalformed)
        return `${tool} was not called. ${message}`
      return `The arguments of ${tool} were refused, and nothing ran.\n${message}\n${advice.now}`
    case "denied":
      return `${message.replace(/[.!]?$/, ".")} Nothing ran. Do not make this call again unless the user asks for it.`
    case "failed":
      return `${tool} failed (${code}): ${message}\n${retryOf(error, code)}`
    case "defect":
      return `${tool} broke (${code}): ${message}\nThis is a fault in the tool, not in the call. ${advice.never}`
    case "timed-out":
      return `${message} It was stopped and may have done a part of its work. ${advice.later}`
    default:
      return message
  }
}

const retryOf = (error: unknown, code: string): string => {
  if (passing.test(code)) return advice.later
  // A `ToolFailed` only stands for a foreign error, whose code has been asked already.
  if (isHarnessError(error) && error._tag !== "ToolFailed") return advice[error.retry]
  return "The same call helps only when the reason for this is gone."
}
