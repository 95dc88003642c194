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
  /** In the order in which they came, one a call. */
  readonly results: ReadonlyArray<ToolResultBlock>
  readonly callsSeq: number
}

export const initial: History = {
  messages: [],
  seqs: [],
  size: 0,
  waiting: HashMap.empty(),
  calls: [],
  results: [],
  callsSeq: -1,
}

/** A copy that nobody else has yet. */
type Own = { -readonly [K in keyof History]: History[K] }

/** Written out because a spread of a spread costs twenty times as much. */
const copy = (history: History): Own => ({
  messages: history.messages,
  seqs: history.seqs,
  size: history.size,
  waiting: history.waiting,
  calls: history.calls,
  results: history.results,
  callsSeq: history.callsSeq,
})

/** Fold one event. The history given stays as it is. */
export const next = (history: History, event: SessionEvent): History => {
  switch (event.type) {
    case "user/message":
      return wait(copy(history), undefined, event.data)
    case "steering/message":
      return wait(copy(history), "steering", event.data)
    case "context/message":
      return wait(copy(history), "context", event.data)
    case "message/cancelled":
      return forget(copy(history), event.data.messageIds)
    case "turn/start":
    case "step/start":
      return event.data.claims.length === 0 ? history : claim(copy(history), event.seq, event.data.claims)
    case "assistant/message":
      return answer(settled(history), event.seq, event.data.content)
    case "tool/result":
      return takeResult(history, event.data)
    case "step/end":
      return settled(history)
    case "history/compacted":
      return compact(copy(history), event.data)
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

/** Put a frozen message at the end. */
const enter = (history: Own, seq: number, message: Message): Own => {
  const { size } = history
  // Only the newest version may push into the shared arrays; an older one that goes another way takes copies.
  const isNewest = size > 0 && history.messages.length === size
  const messages = isNewest ? (history.messages as Array<Message>) : history.messages.slice(0, size)
  const seqs = isNewest ? (history.seqs as Array<number>) : history.seqs.slice(0, size)
  messages.push(message)
  seqs.push(seq)
  history.messages = messages
  history.seqs = seqs
  history.size = size + 1
  return history
}

const wait = (history: Own, tag: EnvelopeTag | undefined, data: Payload<"user/message">): Own => {
  const { messageId, content, source } = data
  history.waiting = HashMap.set(history.waiting, messageId, { tag, content, source })
  return history
}

const forget = (history: Own, messageIds: ReadonlyArray<string>): Own => {
  history.waiting = HashMap.removeMany(history.waiting, messageIds)
  return history
}

const claim = (history: Own, seq: number, claims: ReadonlyArray<string>): Own => {
  const claimed = claims.flatMap((id) => Option.toArray(HashMap.get(history.waiting, id)))
  for (const { tag, content, source } of claimed) {
    const projected = tag === undefined ? content : envelope(tag, { source }, content)
    enter(history, seq, Object.freeze({ role: "user", content: detach(projected) }))
  }
  return forget(history, claims)
}

const answer = (history: History, seq: number, content: AssistantContent): History => {
  if (content.length === 0) return history
  const answered = copy(history)
  answered.calls = content.filter((block) => block.type === "tool-call")
  answered.results = []
  answered.callsSeq = seq
  return enter(answered, seq, Object.freeze({ role: "assistant", content: detach(content) }))
}

const takeResult = (history: History, data: Payload<"tool/result">): History => {
  const call = history.calls.find((block) => block.callId === data.callId)
  if (call === undefined) return history
  const { callId, isError, content } = data
  const { name } = call
  const block = Object.freeze({
    type: "tool-result",
    callId,
    name,
    isError,
    content: detach(content),
  } as const)
  const taken = copy(history)
  taken.results = [...history.results.filter((result) => result.callId !== callId), block]
  return taken.results.length === taken.calls.length ? settle(taken) : taken
}

const settled = (history: History): History => (history.calls.length === 0 ? history : settle(copy(history)))

/** Let the results there are enter as one message, in call order. */
const settle = (history: Own): Own => {
  const { calls, results, callsSeq } = history
  history.calls = []
  history.results = []
  if (results.length === 0) return history
  const content = calls.flatMap(({ callId }) => results.find((result) => result.callId === callId) ?? [])
  return enter(history, callsSeq, Object.freeze({ role: "tool", content: Object.freeze(content) }))
}

/** Put one message in the place of all that entered between `from` and `to`, both included. */
const compact = (history: Own, { from, to, content }: Payload<"history/compacted">): Own => {
  const seqs = history.seqs.slice(0, history.size)
  const start = seqs.filter((seq) => seq < from).length
  const end = start + seqs.filter((seq) => seq >= from && seq <= to).length
  const message: Message = detach({ role: "user", content: envelope("compacted", {}, content) })
  const messages = history.messages.slice(0, history.size)
  messages.splice(start, end - start, message)
  seqs.splice(start, end - start, from)
  history.messages = messages
  history.seqs = seqs
  history.size = seqs.length
  return history
}
