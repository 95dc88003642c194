/**
 * One lawful log, small enough to know by heart, and the ways to spoil it.
 *
 * Turn 1: a prompt; a step with two calls, one of which is refused, and steering while they run; a last step.
 * Turn 2: a prompt; a step whose call is left by an abort.
 */
import type { EventDraft, SessionEvent } from "../event/SessionEvent.ts"

type Type = SessionEvent["type"]

export const number = (drafts: ReadonlyArray<EventDraft>, from = 0): ReadonlyArray<SessionEvent> =>
  drafts.map((draft, at) => ({ ...draft, seq: from + at, at: 1_700_000_000_000 + from + at }))

const text = (words: string) => [{ type: "text", text: words }] as const

export const message = (
  type: "user/message" | "steering/message" | "context/message",
  messageId: string,
): EventDraft => ({ type, data: { messageId, content: text(`words of ${messageId}`), source: "test" } })

const at = (turn: number, step: number) => ({ turn, step })

export const chunk = (
  turn: number,
  step: number,
  piece: Extract<EventDraft, { readonly type: "assistant/chunk" }>["data"]["chunk"],
): EventDraft => ({ type: "assistant/chunk", data: { ...at(turn, step), chunk: piece } })

const say = (turn: number, step: number, words: string): ReadonlyArray<EventDraft> => [
  chunk(turn, step, { type: "block-start", block: "b0", kind: "text" }),
  chunk(turn, step, { type: "text-delta", block: "b0", text: words }),
  chunk(turn, step, { type: "block-end", block: "b0" }),
]

const ask = (turn: number, step: number, callId: string, name: string): ReadonlyArray<EventDraft> => [
  chunk(turn, step, { type: "block-start", block: callId, kind: "tool-call", callId, name }),
  chunk(turn, step, { type: "arguments-delta", block: callId, text: "{}" }),
  chunk(turn, step, { type: "block-end", block: callId }),
]

export const callBlock = (callId: string, name: string) =>
  ({ type: "tool-call", callId, name, arguments: "{}" }) as const

const ok = (turn: number, step: number, callId: string): EventDraft => ({
  type: "tool/result",
  data: { ...at(turn, step), callId, outcome: "success", isError: false, content: text("fine") },
})

const bad = (
  turn: number,
  step: number,
  callId: string,
  outcome: "rejected" | "interrupted-before-start",
  name: string,
  code: string,
): EventDraft => ({
  type: "tool/result",
  data: { ...at(turn, step), callId, outcome, isError: true, content: text(code), error: { name, code } },
})

const config: EventDraft = {
  type: "request/config",
  data: { model: "script:story", parameters: {}, tools: [] },
}

const turn1: ReadonlyArray<EventDraft> = [
  config,
  message("context/message", "m1"),
  message("user/message", "m2"),
  { type: "turn/start", data: { turn: 1, trigger: { kind: "message" }, claims: ["m1", "m2"] } },
  message("context/message", "m3"),
  { type: "step/start", data: { ...at(1, 1), claims: ["m3"] } },
  ...say(1, 1, "Let me look."),
  ...ask(1, 1, "c1", "read"),
  ...ask(1, 1, "c2", "write"),
  { type: "usage", data: { ...at(1, 1), usage: { inputTokens: 10, outputTokens: 5 } } },
  {
    type: "assistant/message",
    data: {
      ...at(1, 1),
      content: [...text("Let me look."), callBlock("c1", "read"), callBlock("c2", "write")],
      finish: { kind: "tool-calls" },
    },
  },
  { type: "tool/call", data: { ...at(1, 1), callId: "c2", name: "write", arguments: "{}", starts: false } },
  bad(1, 1, "c2", "rejected", "ToolArgsInvalid", "INVALID_ARGS"),
  { type: "tool/call", data: { ...at(1, 1), callId: "c1", name: "read", arguments: "{}" } },
  message("steering/message", "m4"),
  ok(1, 1, "c1"),
  { type: "step/end", data: at(1, 1) },
  { type: "step/start", data: { ...at(1, 2), claims: ["m4"] } },
  ...say(1, 2, "Done."),
  { type: "usage", data: { ...at(1, 2), usage: { inputTokens: 20, outputTokens: 2 } } },
  { type: "assistant/message", data: { ...at(1, 2), content: text("Done."), finish: { kind: "stop" } } },
  { type: "step/end", data: at(1, 2) },
  { type: "turn/end", data: { turn: 1, reason: { kind: "completed" } } },
]

const turn2: ReadonlyArray<EventDraft> = [
  message("user/message", "m5"),
  { type: "turn/start", data: { turn: 2, trigger: { kind: "message" }, claims: ["m5"] } },
  { type: "step/start", data: { ...at(2, 1), claims: [] } },
  ...ask(2, 1, "c3", "read"),
  {
    type: "assistant/message",
    data: { ...at(2, 1), content: [callBlock("c3", "read")], finish: { kind: "tool-calls" } },
  },
  { type: "turn/abort", data: { turn: 2, reason: "the user said stop" } },
  { type: "tool/call", data: { ...at(2, 1), callId: "c3", name: "read", arguments: "{}", starts: false } },
  bad(2, 1, "c3", "interrupted-before-start", "ToolNeverStarted", "ABORTED_BEFORE_START"),
  { type: "step/end", data: at(2, 1) },
  { type: "turn/end", data: { turn: 2, reason: { kind: "aborted" } } },
]

export const start: EventDraft = {
  type: "session/start",
  data: { version: 1, id: "story", createdAt: 1_700_000_000_000 },
}

export const drafts: ReadonlyArray<EventDraft> = [start, ...turn1, ...turn2]

export const story: ReadonlyArray<SessionEvent> = number(drafts)

/** Where the nth event (from 0) of a type stands; fails loudly when there is none. */
export const find = (type: Type, n = 0): number => {
  const place = drafts.flatMap((draft, at) => (draft.type === type ? [at] : []))[n]
  if (place === undefined) throw new Error(`the story has no ${type} number ${n}`)
  return place
}

export const nth = (type: Type, n = 0): EventDraft => drafts[find(type, n)] ?? start

export const without = (...places: ReadonlyArray<number>): ReadonlyArray<EventDraft> =>
  drafts.filter((_, place) => !places.includes(place))

export const insert = (place: number, ...added: ReadonlyArray<EventDraft>): ReadonlyArray<EventDraft> => [
  ...drafts.slice(0, place),
  ...added,
  ...drafts.slice(place),
]

export const replace = (place: number, ...instead: ReadonlyArray<EventDraft>): ReadonlyArray<EventDraft> => [
  ...drafts.slice(0, place),
  ...instead,
  ...drafts.slice(place + 1),
]

export const upTo = (place: number): ReadonlyArray<EventDraft> => drafts.slice(0, place + 1)

/** Overwrite fields of the nth event of a type. */
export const change = (
  type: Type,
  n: number,
  fields: { readonly [field: string]: unknown },
): ReadonlyArray<EventDraft> => {
  const draft = nth(type, n)
  // A mutant may break its type; log.version then tells that it does.
  return replace(find(type, n), { ...draft, data: { ...Object(draft.data), ...fields } })
}
