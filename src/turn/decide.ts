/**
 * Decide what follows a step: another step, a pause, a reminder, or the end of the turn.
 *
 * In:  the end of the step and the tally with it.      Out: one `Move`; a pure function, nothing is done here.
 * Not here: limits before a step (`Limits.ts`), steering that keeps a turn open (`Turn.ts`).
 */
import type { TurnEndReason } from "../event/SessionEvent.ts"
import type { ModelError } from "../model/ModelError.ts"
import { ModelRefused } from "../model/ModelError.ts"
import type { Answered, StepEnd } from "./step.ts"
import { AnswerMissing, LimitReached, type ModelDefect } from "./TurnError.ts"
import type { TurnError } from "./TurnResult.ts"
import { type Tally, uncorrected } from "./tally.ts"

export type Move =
  | { readonly kind: "step" }
  /** Units: milliseconds. */
  | { readonly kind: "retry"; readonly waitMillis: number }
  /** Make the next step with the next model. */
  | { readonly kind: "fall back" }
  /** Make the history shorter and go on, or when it cannot be shorter do the other thing. */
  | { readonly kind: "compact"; readonly otherwise: Move }
  /** Tell the model, as context, and go on. */
  | { readonly kind: "remind"; readonly text: string }
  /** End the turn by what interrupted it. */
  | { readonly kind: "stop" }
  | End

export interface End {
  readonly kind: "end"
  readonly reason: TurnEndReason
  readonly error?: TurnError
}

export interface Policy {
  /** Failed attempts in a row after which a turn goes on trying. */
  readonly modelRetries: number
  /** How many models there are to try, one after the other. */
  readonly models: number
  /** Longest wait that a provider may ask for; one that asks for more has failed for good. Units: milliseconds. */
  readonly longestRetryAfterMillis: number
  /** Times a turn that ended without the answer, or in the middle of a call, is sent on. */
  readonly reminders: number
  /** Whether a history that is too long for a model is made shorter. */
  readonly compacts: boolean
  /** The name of the tool that gives the answer by schema, when one is asked for. */
  readonly answerTool: string | undefined
}

/** Units: milliseconds; doubled for each failure in a row. */
const firstWaitMillis = 1_000
const longestWaitMillis = 30_000

/** `end` is undefined when the turn was stopped before the step began. */
export const decide = (policy: Policy, tally: Tally, end: StepEnd | undefined): Move => {
  switch (end?.kind) {
    case undefined:
    case "stopped":
      return { kind: "stop" }
    case "failed":
      return afterFailure(policy, tally, end.error)
    case "answered":
      return afterAnswer(policy, tally, end)
  }
}

/** The end of a turn that an error brought about. */
export const failWith = (kind: "failed" | "limit", error: TurnError): End => ({
  kind: "end",
  reason: { kind, code: error.code, message: error.message },
  error,
})

const afterFailure = (policy: Policy, tally: Tally, error: ModelError | ModelDefect): Move => {
  const otherwise = afterLoss(policy, tally, error)
  return policy.compacts && error._tag === "ModelContextOverflow" ? { kind: "compact", otherwise } : otherwise
}

const afterLoss = (policy: Policy, tally: Tally, error: ModelError | ModelDefect): Move => {
  const hasNext = tally.voice + 1 < policy.models
  if (error.retry !== "later" || tally.failures > policy.modelRetries)
    return hasNext ? { kind: "fall back" } : failWith("failed", error)
  const asked = "retryAfterMillis" in error ? error.retryAfterMillis : undefined
  if (asked !== undefined && asked > policy.longestRetryAfterMillis)
    return hasNext ? { kind: "fall back" } : failToWait(error, asked, policy.longestRetryAfterMillis)
  if (asked !== undefined) return { kind: "retry", waitMillis: asked }
  const doubled = firstWaitMillis * 2 ** (tally.failures - 1)
  return { kind: "retry", waitMillis: Math.min(doubled, longestWaitMillis) }
}

/** To ask again too early would only use up the attempts that are left; whoever reads the end is told how long to wait. */
const failToWait = (error: ModelError | ModelDefect, asked: number, longest: number): End => {
  const { reason } = failWith("failed", error)
  const wait = `it asked to be left alone for ${asked} ms, and the longest wait here is ${longest} ms`
  return { kind: "end", reason: { ...reason, message: `${error.message} (${wait})` }, error }
}

const afterAnswer = (policy: Policy, tally: Tally, end: Answered): Move => {
  const { answerTool } = policy
  if (end.outcomes.some(({ result }) => result.name === answerTool && !result.isError)) return complete(tally)
  if (end.finish.kind === "refused") {
    return failWith("failed", new ModelRefused({ message: "the model refused to answer" }))
  }
  const mayRemind = tally.reminders < policy.reminders
  if (end.finish.kind === "max-tokens") return afterCut(end, mayRemind)
  if (end.outcomes.length > 0) return { kind: "step" }
  if (answerTool === undefined) return complete(tally)
  if (mayRemind) return { kind: "remind", text: `Give the final answer by calling the tool ${answerTool}.` }
  const message = `the model ended the turn without calling ${answerTool}`
  return failWith("failed", new AnswerMissing({ message }))
}

const afterCut = (end: Answered, mayRemind: boolean): Move => {
  const lostCalls = end.hasOpenCall || end.outcomes.length > 0
  if (lostCalls && mayRemind) {
    const text =
      "Your last message was cut off at the output token limit, and none of its tool calls ran. Ask again, with less text."
    return { kind: "remind", text }
  }
  const message = "the answer was cut off at the output token limit"
  return failWith("limit", new LimitReached({ code: "LIMIT_OUTPUT_TOKENS", message }))
}

/** A refused call that nothing corrected is no failure of the turn, but nobody should have to search for it. */
const complete = (tally: Tally): Move => {
  const call = uncorrected(tally)
  if (call === undefined) return endWith({ kind: "completed" })
  const message = `the call ${call.callId} of ${call.name} was refused with ${call.error.code} and never corrected`
  return endWith({ kind: "completed", code: "CALL_NEVER_CORRECTED", message })
}

const endWith = (reason: TurnEndReason): End => ({ kind: "end", reason })
