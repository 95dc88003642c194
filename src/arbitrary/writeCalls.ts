/**
 * Write the calls of a message: questions, starts, and results as they complete.
 *
 * In:  a message's content and the plan of its step.      Out: nothing; the log has grown.
 */
import type { EventDraft, Payload } from "../event/SessionEvent.ts"
import type { AssistantContent } from "../message/Content.ts"
import type { Writer } from "./growLog.ts"
import type { CallPlan, StepPlan } from "./planLog.ts"

const codes: { readonly [outcome in CallPlan["outcome"]]: string } = {
  success: "",
  failed: "ENOENT",
  "timed-out": "TOOL_TIMEOUT",
  rejected: "INVALID_ARGS",
  "unknown-tool": "UNKNOWN_TOOL",
  denied: "TOOL_DENIED",
  defect: "TOOL_DEFECT",
  interrupted: "ABORTED",
  "interrupted-before-start": "ABORTED_BEFORE_START",
}

/** Outcomes of calls that never started. */
const refused: ReadonlySet<CallPlan["outcome"]> = new Set(["rejected", "unknown-tool", "denied"])

const plain: CallPlan = { outcome: "success", order: 0, isAsked: false, hasKey: false }

/** Somebody is asked whether a call may run, and says so. */
const approve = (
  writer: Writer,
  place: Payload<"step/end">,
  callId: string,
  verdict: "allow" | "deny",
): void => {
  const digest = `digest of ${callId}`
  const expiresAt = 1_800_000_000_000
  writer.push(
    { type: "approval/asked", data: { ...place, callId, digest, expiresAt } },
    { type: "approval/decided", data: { callId, digest, verdict, by: "draw" } },
  )
}

/** The calls of a message, each with its result. */
export const writeCalls = (
  writer: Writer,
  place: Payload<"step/end">,
  content: AssistantContent,
  plan: StepPlan,
): void => {
  const isCutOff = plan.finish === "max-tokens" || plan.finish === "refused"
  const results: Array<readonly [order: number, result: EventDraft]> = []
  for (const [at, block] of content.filter((one) => one.type === "tool-call").entries()) {
    const { hasKey, isAsked, order, outcome: drawn } = plan.calls[at % plan.calls.length] ?? plain
    const outcome = isCutOff ? "rejected" : drawn
    const starts = !refused.has(outcome)
    const { callId, name, arguments: text } = block
    const call = { ...place, callId, name, arguments: text }
    if (isAsked && (starts || outcome === "denied")) approve(writer, place, callId, starts ? "allow" : "deny")
    const key = hasKey ? { key: `key of ${callId}` } : {}
    writer.push({ type: "tool/call", data: starts ? { ...call, ...key } : { ...call, starts: false } })
    const isError = outcome !== "success"
    const error = isError ? { error: { name: "Drawn", code: codes[outcome] } } : {}
    const result: EventDraft = {
      type: "tool/result",
      data: { ...place, callId, outcome, isError, content: [], ...error },
    }
    if (starts) results.push([order, result])
    else writer.push(result)
  }
  for (const [, result] of results.sort(([left], [right]) => left - right)) writer.push(result)
}
