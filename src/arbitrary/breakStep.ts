/**
 * Break what a step holds: its frame, its chunks, its message, its calls and the questions about them.
 *
 * In:  an event of a lawful log, and what comes behind it.      Out: what can stand there instead, each with its rule; the words
 * in which every break is told.
 */
import type { SessionEvent } from "../event/SessionEvent.ts"

export interface Broken {
  readonly rule: string
  readonly what: string
  /** What stands there instead of the event. */
  readonly events: ReadonlyArray<SessionEvent>
}

export const into = (rule: string, what: string, ...events: ReadonlyArray<SessionEvent>): Broken => ({
  rule,
  what,
  events,
})

export const gone = (rule: string, what: string): Broken => into(rule, what)
export const twice = (event: SessionEvent, rule: string, what: string): Broken =>
  into(rule, what, event, event)
export const instead = (event: SessionEvent, rule: string, what: string): Broken => into(rule, what, event)

type Of<T extends SessionEvent["type"]> = Extract<SessionEvent, { readonly type: T }>

export const breakStep = (
  event: SessionEvent,
  behind: ReadonlyArray<SessionEvent>,
): ReadonlyArray<Broken> => {
  switch (event.type) {
    case "step/start":
      return breakStepStart(event)
    case "step/end": {
      const named = { ...event, data: { ...event.data, step: event.data.step + 1 } }
      return [
        gone("step.nests", "a step without its end"),
        instead(named, "step.names", "an end of a step that is not the open one"),
      ]
    }
    case "assistant/chunk":
      return breakChunk(event)
    case "usage":
      return [twice(event, "step.usageOnce", "usage that is told twice")]
    case "assistant/message":
      return breakMessage(event)
    case "approval/decided":
      return [
        twice(event, "approval.single", "a question that is decided twice"),
        gone("approval.single", "a call that starts without an answer"),
      ].slice(0, event.data.verdict === "allow" && startsIn(behind, event.data.callId) ? 2 : 1)
    case "tool/call":
      return breakCall(event)
    case "tool/result":
      return breakResult(event, behind)
    default:
      return []
  }
}

const startsIn = (behind: ReadonlyArray<SessionEvent>, callId: string): boolean =>
  behind.some(({ data, type }) => type === "tool/call" && Object(data).callId === callId)

const breakStepStart = (event: Of<"step/start">): ReadonlyArray<Broken> => {
  const counted = { ...event, data: { ...event.data, step: event.data.step + 1 } }
  const request = { config: 0, digest: "d" }
  return [
    twice(event, "step.nests", "a step in a step"),
    instead(counted, "step.counts", "a step number that is skipped"),
    instead(
      { ...event, data: { ...event.data, request } },
      "step.request",
      "a request by what is no configuration",
    ),
  ]
}

const breakChunk = (event: Of<"assistant/chunk">): ReadonlyArray<Broken> => {
  const stray = { type: "text-delta", block: "stray", text: "x" } as const
  const died: SessionEvent = {
    seq: event.seq,
    at: event.at,
    type: "session/resume",
    data: { epoch: 1_000_000, reruns: [] },
  }
  return [
    into(
      "chunk.grammar",
      "a delta of a block that never started",
      { ...event, data: { ...event.data, chunk: stray } },
      event,
    ),
    into("step.noEmptyRetry", "a broken step that asks the model again", died, event),
  ]
}

const breakMessage = (event: Of<"assistant/message">): ReadonlyArray<Broken> => {
  const { content, step, turn } = event.data
  const more = {
    ...event,
    data: { ...event.data, content: [...content, { type: "text", text: "!" } as const] },
  }
  const finish = { kind: "error" } as const
  const late: SessionEvent = {
    seq: event.seq,
    at: event.at,
    type: "assistant/chunk",
    data: { turn, step, chunk: { type: "block-start", block: "late", kind: "text" } },
  }
  return [
    instead(more, "chunk.assembles", "a message that says more than its chunks"),
    into("step.phase", "a chunk after the message", event, late),
    ...(content.some(({ type }) => type === "tool-call")
      ? [
          instead(
            { ...event, data: { ...event.data, finish } },
            "call.partialNeverRuns",
            "calls in a message that failed",
          ),
        ]
      : []),
  ]
}

const breakCall = (event: Of<"tool/call">): ReadonlyArray<Broken> => {
  const written = { ...event, data: { ...event.data, arguments: `${event.data.arguments} ` } }
  return [
    instead(written, "call.fromMessage", "a call with other arguments than its block"),
    twice(event, "call.unique", "a call that starts twice"),
  ]
}

const neverStarted = new Set(["rejected", "unknown-tool", "denied", "not-started"])

const breakResult = (
  event: Of<"tool/result">,
  behind: ReadonlyArray<SessionEvent>,
): ReadonlyArray<Broken> => {
  const { callId, isError, outcome } = event.data
  const turned = { ...event, data: { ...event.data, isError: !isError } }
  const error = { name: "Drawn", code: "INVALID_ARGS" }
  const refused = { ...event, data: { ...event.data, outcome: "rejected" as const, isError: true, error } }
  const failed = { ...event, data: { ...event.data, outcome: "failed" as const } }
  const again: SessionEvent = {
    seq: event.seq,
    at: event.at,
    type: "session/resume",
    data: { epoch: 1_000_000, reruns: [callId] },
  }
  return [
    twice(event, "result.paired", "a result that comes twice"),
    gone("result.allAtStepEnd", "a call without a result"),
    instead(turned, "result.outcomeShape", "a result that does not say of itself what it is"),
    into("rerun.allowed", "a call that runs again after its result", event, again),
    ...(outcome === "interrupted-before-start"
      ? []
      : neverStarted.has(outcome)
        ? [instead(failed, "result.startsFalse", "a failure of a call that never started")]
        : [instead(refused, "result.startsFalse", "a call that started and was refused")]),
    ...(behind.some(({ type }) => type === "step/start")
      ? [gone("history.paired", "a request over an unanswered call")]
      : []),
  ]
}
