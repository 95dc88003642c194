/**
 * Write short logs in a few words, for examples that a person reads.
 *
 * In:  what happens.      Out: drafts, and the numbered events that a log of them holds.
 * Not here: the examples (`logExamples.ts`, `liveExamples.ts`).
 */
import type { EventDraft, Payload, SessionEvent } from "../event/SessionEvent.ts"

const bornAt = 1_700_000_000_000

export type Drafts = ReadonlyArray<EventDraft>

/** Number drafts from 0, a millisecond apart. */
export const log = (...drafts: Drafts): ReadonlyArray<SessionEvent> =>
  drafts.map((draft, seq) => ({ ...draft, seq, at: bornAt + seq }))

export const start: EventDraft = {
  type: "session/start",
  data: { version: 1, id: "example", createdAt: bornAt },
}

const message = (
  type: "user/message" | "steering/message" | "context/message",
  messageId: string,
): EventDraft => ({
  type,
  data: { messageId, content: [{ type: "text", text: "Hello." }], source: "example" },
})

export const prompt = (messageId: string): EventDraft => message("user/message", messageId)
export const steer = (messageId: string): EventDraft => message("steering/message", messageId)
export const note = (messageId: string): EventDraft => message("context/message", messageId)

export const cancel = (...messageIds: ReadonlyArray<string>): EventDraft => ({
  type: "message/cancelled",
  data: { messageIds, reason: "no longer wanted" },
})

export const turn = (number: number, ...claims: ReadonlyArray<string>): EventDraft => ({
  type: "turn/start",
  data: { turn: number, trigger: { kind: "message" }, claims },
})

export const abort = (number: number): EventDraft => ({
  type: "turn/abort",
  data: { turn: number, reason: "stop" },
})

export const endTurn = (
  number: number,
  kind: Payload<"turn/end">["reason"]["kind"],
  code?: string,
): EventDraft => ({
  type: "turn/end",
  data: { turn: number, reason: { kind, ...(code !== undefined && { code }) } },
})

/** A step of turn 1, the only turn that examples open steps in. */
export const step = (number: number, ...claims: ReadonlyArray<string>): EventDraft => ({
  type: "step/start",
  data: { turn: 1, step: number, claims },
})

const inStep = (number: number) => ({ turn: 1, step: number })

export const endStep = (number: number): EventDraft => ({ type: "step/end", data: inStep(number) })

export const resume = (epoch: number, ...reruns: ReadonlyArray<string>): EventDraft => ({
  type: "session/resume",
  data: { epoch, reruns },
})

export const chunk = (chunk: Payload<"assistant/chunk">["chunk"]): EventDraft => ({
  type: "assistant/chunk",
  data: { ...inStep(1), chunk },
})

export const usage: EventDraft = {
  type: "usage",
  data: { ...inStep(1), usage: { inputTokens: 10, outputTokens: 2 } },
}

/** The chunks of one text block. */
export const streamed = (text: string): Drafts => [
  chunk({ type: "block-start", block: "b0", kind: "text" }),
  chunk({ type: "text-delta", block: "b0", text }),
  chunk({ type: "block-end", block: "b0" }),
]

/** The message of that block. */
export const said = (text: string): EventDraft => ({
  type: "assistant/message",
  data: { ...inStep(1), content: [{ type: "text", text }], finish: { kind: "stop" } },
})

/** The chunks and the message of one call of `read`. */
export const asked = (
  callId: string,
  kind: Payload<"assistant/message">["finish"]["kind"] = "tool-calls",
): Drafts => [
  chunk({ type: "block-start", block: callId, kind: "tool-call", callId, name: "read" }),
  chunk({ type: "arguments-delta", block: callId, text: "{}" }),
  chunk({ type: "block-end", block: callId }),
  {
    type: "assistant/message",
    data: {
      ...inStep(1),
      content: [{ type: "tool-call", callId, name: "read", arguments: "{}" }],
      finish: { kind },
    },
  },
]

export const called = (callId: string, more: Partial<Payload<"tool/call">> = {}): EventDraft => ({
  type: "tool/call",
  data: { ...inStep(1), callId, name: "read", arguments: "{}", ...more },
})

export const answered = (callId: string, more: Partial<Payload<"tool/result">> = {}): EventDraft => ({
  type: "tool/result",
  data: {
    ...inStep(1),
    callId,
    outcome: "success",
    isError: false,
    content: [{ type: "text", text: "fine" }],
    ...more,
  },
})

export const refused: Partial<Payload<"tool/result">> = {
  outcome: "rejected",
  isError: true,
  error: { name: "ToolArgsInvalid", code: "INVALID_ARGS" },
}

/** A session with a prompt, and a turn that has claimed it. */
export const inTurn = (...drafts: Drafts): ReadonlyArray<SessionEvent> =>
  log(start, prompt("m1"), turn(1, "m1"), ...drafts)

/** The same, with the first step open. */
export const inStepOne = (...drafts: Drafts): ReadonlyArray<SessionEvent> => inTurn(step(1), ...drafts)
