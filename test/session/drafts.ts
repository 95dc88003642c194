/** Short words for drafts, for the tests of this folder. */
import type { EventDraft, Payload } from "../../src/event/SessionEvent.ts"

const said = (messageId: string, text: string, source: string): Payload<"user/message"> => ({
  messageId,
  content: [{ type: "text", text }],
  source,
})

export const user = (messageId: string, text = "hello"): EventDraft => ({
  type: "user/message",
  data: said(messageId, text, "user"),
})
export const steering = (messageId: string, text = "faster", source = "user"): EventDraft => ({
  type: "steering/message",
  data: said(messageId, text, source),
})
export const context = (messageId: string, text = "it rains", source = "weather"): EventDraft => ({
  type: "context/message",
  data: said(messageId, text, source),
})
export const cancelled = (...messageIds: ReadonlyArray<string>): EventDraft => ({
  type: "message/cancelled",
  data: { messageIds, reason: "withdrawn" },
})
export const turnStart = (turn: number, ...claims: ReadonlyArray<string>): EventDraft => ({
  type: "turn/start",
  data: { turn, trigger: { kind: "message" }, claims },
})
export const stepStart = (turn: number, step: number, ...claims: ReadonlyArray<string>): EventDraft => ({
  type: "step/start",
  data: { turn, step, claims },
})
export const delta = (turn: number, step: number, text: string): EventDraft => ({
  type: "assistant/chunk",
  data: { turn, step, chunk: { type: "text-delta", block: "b1", text } },
})
export const answer = (
  turn: number,
  step: number,
  text: string,
  ...callIds: ReadonlyArray<string>
): EventDraft => ({
  type: "assistant/message",
  data: {
    turn,
    step,
    content: [
      { type: "text", text },
      ...callIds.map((callId) => ({ type: "tool-call" as const, callId, name: "add", arguments: '{"a":1}' })),
    ],
    finish: { kind: callIds.length === 0 ? "stop" : "tool-calls" },
  },
})
export const call = (turn: number, step: number, callId: string, key?: string): EventDraft => ({
  type: "tool/call",
  data: { turn, step, callId, name: "add", arguments: '{"a":1}', ...(key !== undefined && { key }) },
})
export const result = (turn: number, step: number, callId: string, text = "2"): EventDraft => ({
  type: "tool/result",
  data: { turn, step, callId, outcome: "success", isError: false, content: [{ type: "text", text }] },
})
export const stepEnd = (turn: number, step: number): EventDraft => ({
  type: "step/end",
  data: { turn, step },
})
export const turnEnd = (turn: number): EventDraft => ({
  type: "turn/end",
  data: { turn, reason: { kind: "completed" } },
})
export const compacted = (from: number, to: number, text: string): EventDraft => ({
  type: "history/compacted",
  data: { from, to, content: [{ type: "text", text }] },
})
