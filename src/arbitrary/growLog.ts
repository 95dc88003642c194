/**
 * A log that grows as a session's does, and the calls of a message in it.
 *
 * In:  drafts, messages, crashes.      Out: `Writer`: the numbered events, and the state that they fold to; `writeCalls`.
 * Not here: turns and steps (`writeLog.ts`).
 */
import type { EventDraft, Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { AssistantContent } from "../message/Content.ts"
import { number } from "../mutant/Story.ts"
import { repair, resumed } from "../recovery/Recovery.ts"
import * as SessionState from "../session/SessionState.ts"
import type { CallPlan, MessageType, StepPlan } from "./planLog.ts"

/** A log that grows; its state is folded from the log, as a loop sees it. */
export class Writer {
  readonly log: Array<SessionEvent> = []
  state = SessionState.initial
  compactedTo = 0
  private messages = 0
  private calls = 0

  push(...drafts: ReadonlyArray<EventDraft>): void {
    for (const event of number(drafts, this.log.length)) {
      this.log.push(event)
      this.state = SessionState.next(this.state, event)
    }
  }

  /** Forget what was written from a place on, as a crash does. */
  cut(size: number): void {
    this.log.length = size
    this.state = this.log.reduce(SessionState.next, SessionState.initial)
  }

  arrive(types: ReadonlyArray<MessageType>): void {
    for (const type of types) {
      const messageId = `m${++this.messages}`
      this.push({
        type,
        data: { messageId, content: [{ type: "text", text: `words of ${messageId}` }], source: "draw" },
      })
    }
  }

  callId(): string {
    return `c${++this.calls}`
  }

  resume(): void {
    this.push(resumed(this.state, undefined))
    this.push(...repair(this.state, this.log))
  }
}

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
