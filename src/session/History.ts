/**
 * The history that a model reads, derived from the log one event at a time.
 *
 * In:  events.      Out: messages by role, deeply frozen, each projected once.
 * Not here: the request around them (`model/`), what may be claimed when (`loop/`).
 * Source: PROTOCOL "Derived history".
 */
import { HashMap, Option } from "effect"
import type { Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { AssistantContent, Content, ToolCallBlock, ToolResultBlock } from "../message/Content.ts"
import type { Message } from "../message/Message.ts"
import { detach } from "./detach.ts"
import { type EnvelopeTag, envelope } from "./envelope.ts"

interface Waiting {
  readonly tag: EnvelopeTag | undefined
  readonly content: Content
  readonly source: string
}

/** Versions of one history share two growing arrays; each sees their first `size` members only. */
export interface History {
  readonly messages: ReadonlyArray<Message>
  /** The seq at which each message entered; a compaction covers by it. */
  readonly seqs: ReadonlyArray<number>
  readonly size: number
  /** Messages that nothing has claimed yet, by id. */
  readonly waiting: HashMap.HashMap<string, Waiting>
  /** Calls of the latest assistant message, until their results have entered. */
  readonly calls: ReadonlyArray<ToolCallBlock>
  readonly results: ReadonlyMap<string, ToolResultBlock>
  readonly callsSeq: number
}

export const initial: History = {
  messages: [],
  seqs: [],
  size: 0,
  waiting: HashMap.empty(),
  calls: [],
  results: new Map(),
  callsSeq: -1,
}

/** Fold one event. The history given stays as it is. */
export const next = (history: History, event: SessionEvent): History => {
  switch (event.type) {
    case "user/message":
      return wait(history, undefined, event.data)
    case "steering/message":
      return wait(history, "steering", event.data)
    case "context/message":
      return wait(history, "context", event.data)
    case "message/cancelled":
      return { ...history, waiting: HashMap.removeMany(history.waiting, event.data.messageIds) }
    case "turn/start":
    case "step/start":
      return claim(history, event.seq, event.data.claims)
    case "assistant/message":
      return answer(settle(history), event.seq, event.data.content)
    case "tool/result":
      return takeResult(history, event.data)
    case "step/end":
      return settle(history)
    case "history/compacted":
      return compact(history, event.data)
    default:
      return history
  }
}

/** Which growing array an array that was handed out is the beginning of. */
const origins = new WeakMap<ReadonlyArray<Message>, ReadonlyArray<Message>>()

/** The messages so far, in a fresh, frozen array. */
export const messages = (history: History): ReadonlyArray<Message> => {
  const soFar = Object.freeze(history.messages.slice(0, history.size))
  origins.set(soFar, history.messages)
  return soFar
}

/** Whether `later` begins with all of `earlier`; false also where only a look at every message would tell. */
export const isContinued = (earlier: ReadonlyArray<Message>, later: ReadonlyArray<Message>): boolean => {
  const origin = origins.get(earlier)
  return origin !== undefined && origin === origins.get(later) && earlier.length <= later.length
}

/** Derive the whole history of a log at once. */
export const deriveMessages = (events: Iterable<SessionEvent>): ReadonlyArray<Message> => {
  let history = initial
  for (const event of events) history = next(history, event)
  return messages(history)
}

const enter = (history: History, seq: number, message: Message): History => {
  const { size } = history
  // Only the newest version may push into the shared arrays; an older one that goes another way takes copies.
  const isNewest = size > 0 && history.messages.length === size
  const messages = isNewest ? (history.messages as Array<Message>) : history.messages.slice(0, size)
  const seqs = isNewest ? (history.seqs as Array<number>) : history.seqs.slice(0, size)
  messages.push(detach(message))
  seqs.push(seq)
  return { ...history, messages, seqs, size: size + 1 }
}

const wait = (history: History, tag: EnvelopeTag | undefined, data: Payload<"user/message">): History => ({
  ...history,
  waiting: HashMap.set(history.waiting, data.messageId, { tag, content: data.content, source: data.source }),
})

const claim = (history: History, seq: number, claims: ReadonlyArray<string>): History => {
  if (claims.length === 0) return history
  const claimed = claims.flatMap((id) => Option.toArray(HashMap.get(history.waiting, id)))
  const rest: History = { ...history, waiting: HashMap.removeMany(history.waiting, claims) }
  return claimed.reduce((so, { tag, content, source }) => {
    const projected = tag === undefined ? content : envelope(tag, { source }, content)
    return enter(so, seq, { role: "user", content: projected })
  }, rest)
}

const answer = (history: History, seq: number, content: AssistantContent): History => {
  if (content.length === 0) return history
  const calls = content.filter((block) => block.type === "tool-call")
  const entered = enter(history, seq, { role: "assistant", content })
  return { ...entered, calls, results: new Map(), callsSeq: seq }
}

const takeResult = (history: History, data: Payload<"tool/result">): History => {
  const call = history.calls.find((block) => block.callId === data.callId)
  if (call === undefined) return history
  const { callId, isError, content } = data
  const block: ToolResultBlock = { type: "tool-result", callId, name: call.name, isError, content }
  const results = new Map(history.results).set(callId, block)
  const taken = { ...history, results }
  return results.size === history.calls.length ? settle(taken) : taken
}

/** Let the results there are enter as one message, in call order. */
const settle = (history: History): History => {
  if (history.calls.length === 0) return history
  const content = history.calls.flatMap((call) => history.results.get(call.callId) ?? [])
  const rest: History = { ...history, calls: [], results: new Map() }
  if (content.length === 0) return rest
  return enter(rest, history.callsSeq, { role: "tool", content })
}

/** Put one message in the place of all that entered between `from` and `to`, both included. */
const compact = (history: History, { from, to, content }: Payload<"history/compacted">): History => {
  const seqs = history.seqs.slice(0, history.size)
  const start = seqs.filter((seq) => seq < from).length
  const end = start + seqs.filter((seq) => seq >= from && seq <= to).length
  const message: Message = detach({ role: "user", content: envelope("compacted", {}, content) })
  const messages = history.messages.slice(0, history.size)
  messages.splice(start, end - start, message)
  seqs.splice(start, end - start, from)
  return { ...history, messages, seqs, size: seqs.length }
}
