/**
 * Where a session stands: the state machine of the contract as one pure fold.
 *
 * In:  a state and the next event.      Out: the next state; unlawful events are folded as well as they can be.
 * Not here: refusing (`contract/`), judging (`invariant/`), the history (`History.ts`).
 * Source: PROTOCOL "State machine".
 */
import { HashMap, Option } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { AssistantContent, ToolCallBlock } from "../message/Content.ts"

export type Status = "idle" | "running" | "disposed"

export type MessageKind = "user" | "steering" | "context"

export interface InboxMessage {
  readonly messageId: string
  readonly kind: MessageKind
  readonly seq: number
}

export interface CallState {
  readonly block: ToolCallBlock
  readonly phase: "open" | "running" | "done"
  /** The idempotency key of its `tool/call`, when that had one. */
  readonly key?: string
}

export interface SessionState {
  /** The seq that the next event gets. */
  readonly nextSeq: number
  readonly id: string
  readonly epoch: number
  /** Accepted and neither claimed nor cancelled, by seq. */
  readonly pending: ReadonlyArray<InboxMessage>
  /** The number of the latest turn; 0 before the first. */
  readonly turn: number
  readonly turnIsOpen: boolean
  readonly aborting: boolean
  /** The number of the latest step of this turn; 0 before the first. */
  readonly step: number
  readonly phase: "none" | "streaming" | "answered" | "broken"
  /** The calls of the open step, in the order of their blocks. */
  readonly calls: HashMap.HashMap<string, CallState>
  readonly callOrder: ReadonlyArray<string>
  /** Seq of the latest `request/config`, -1 before the first. */
  readonly configSeq: number
}

export const initial: SessionState = {
  nextSeq: 0,
  id: "",
  epoch: 0,
  pending: [],
  turn: 0,
  turnIsOpen: false,
  aborting: false,
  step: 0,
  phase: "none",
  calls: HashMap.empty(),
  callOrder: [],
  configSeq: -1,
}

/** A copy that nobody else has yet. */
type Own = { -readonly [K in keyof SessionState]: SessionState[K] }

/** Fold one event. The state given stays as it is. */
export const next = (previous: SessionState, event: SessionEvent): SessionState => {
  const state = copy(previous)
  state.nextSeq = event.seq + 1
  move(state, event)
  return state
}

/** Whether `next` changes more than `nextSeq`: for pieces of a stream, which come by the thousand, it does not. */
export const isMoved = (event: SessionEvent): boolean => event.type !== "assistant/chunk"

/** The state behind events that have moved nothing. */
export const numbered = (state: SessionState, nextSeq: number): SessionState =>
  state.nextSeq === nextSeq ? state : Object.assign(copy(state), { nextSeq })

/** Written out because a spread of a spread costs forty times as much. */
const copy = (state: SessionState): Own => ({
  nextSeq: state.nextSeq,
  id: state.id,
  epoch: state.epoch,
  pending: state.pending,
  turn: state.turn,
  turnIsOpen: state.turnIsOpen,
  aborting: state.aborting,
  step: state.step,
  phase: state.phase,
  calls: state.calls,
  callOrder: state.callOrder,
  configSeq: state.configSeq,
})

const move = (state: Own, event: SessionEvent): void => {
  switch (event.type) {
    case "session/start":
      state.id = event.data.id
      return
    case "session/resume":
      state.epoch = event.data.epoch
      if (state.phase === "streaming") state.phase = "broken"
      return
    case "request/config":
      state.configSeq = event.seq
      return
    case "user/message":
      return arrive(state, "user", event)
    case "steering/message":
      return arrive(state, "steering", event)
    case "context/message":
      return arrive(state, "context", event)
    case "message/cancelled":
      return leave(state, event.data.messageIds)
    case "turn/start":
      state.turn = event.data.turn
      state.turnIsOpen = true
      state.aborting = false
      state.step = 0
      state.phase = "none"
      return leave(state, event.data.claims)
    case "turn/abort":
      state.aborting = true
      return
    case "step/start":
      state.step = event.data.step
      state.phase = "streaming"
      dropCalls(state)
      return leave(state, event.data.claims)
    case "assistant/message":
      state.phase = "answered"
      return setCalls(state, event.data.content)
    case "tool/call":
      return setPhase(state, event.data.callId, "running", event.data.key)
    case "tool/result":
      return setPhase(state, event.data.callId, "done")
    case "step/end":
      state.phase = "none"
      return dropCalls(state)
    case "turn/end":
      state.turnIsOpen = false
      state.aborting = false
      state.phase = "none"
      return
    default:
  }
}

const arrive = (
  state: Own,
  kind: MessageKind,
  { seq, data: { messageId } }: { readonly seq: number; readonly data: { readonly messageId: string } },
): void => {
  state.pending = [...state.pending, { messageId, kind, seq }]
}

const leave = (state: Own, gone: ReadonlyArray<string>): void => {
  if (gone.length === 0) return
  const ids = new Set(gone)
  state.pending = state.pending.filter((message) => !ids.has(message.messageId))
}

const noCalls: SessionState["calls"] = HashMap.empty()
const noOrder: SessionState["callOrder"] = []

const dropCalls = (state: Own): void => {
  state.calls = noCalls
  state.callOrder = noOrder
}

const setCalls = (state: Own, content: AssistantContent): void => {
  const blocks = content.filter((block) => block.type === "tool-call")
  if (blocks.length === 0) return dropCalls(state)
  state.calls = HashMap.fromIterable(blocks.map((block) => [block.callId, { block, phase: "open" }]))
  state.callOrder = blocks.map((block) => block.callId)
}

const setPhase = (state: Own, callId: string, phase: CallState["phase"], newKey?: string): void => {
  const call = Option.getOrUndefined(HashMap.get(state.calls, callId))
  if (call === undefined) return
  const { block } = call
  const key = newKey ?? call.key
  state.calls = HashMap.set(state.calls, callId, key === undefined ? { block, phase } : { block, phase, key })
}
