/**
 * Where a session stands: the state machine of the contract as one pure fold.
 *
 * In:  a state and the next event.      Out: the next state; unlawful events are folded as well as they can be.
 * Not here: refusing (`contract/`), judging (`invariant/`), the history (`History.ts`).
 * Source: PROTOCOL "State machine".
 */
import { HashMap } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { ToolCallBlock } from "../message/Content.ts"

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

const without = (
  pending: ReadonlyArray<InboxMessage>,
  gone: ReadonlyArray<string>,
): ReadonlyArray<InboxMessage> => {
  if (gone.length === 0) return pending
  const ids = new Set(gone)
  return pending.filter((message) => !ids.has(message.messageId))
}

const arrive = (
  state: SessionState,
  kind: MessageKind,
  event: { readonly seq: number; readonly data: { readonly messageId: string } },
): SessionState => ({
  ...state,
  pending: [...state.pending, { messageId: event.data.messageId, kind, seq: event.seq }],
})

const setPhase = (
  state: SessionState,
  callId: string,
  phase: CallState["phase"],
  key?: string,
): SessionState => ({
  ...state,
  calls: HashMap.modify(state.calls, callId, (call) => ({
    ...call,
    phase,
    ...(key !== undefined && { key }),
  })),
})

/** Written out because it runs for every chunk, and a spread costs ten times as much. */
const advance = (state: SessionState, nextSeq: number): SessionState => ({
  nextSeq,
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

/** Fold one event. The state given stays as it is. */
export const next = (previous: SessionState, event: SessionEvent): SessionState => {
  const state = advance(previous, event.seq + 1)
  switch (event.type) {
    case "session/start":
      return { ...state, id: event.data.id }
    case "session/resume":
      return {
        ...state,
        epoch: event.data.epoch,
        phase: state.phase === "streaming" ? "broken" : state.phase,
      }
    case "request/config":
      return { ...state, configSeq: event.seq }
    case "user/message":
      return arrive(state, "user", event)
    case "steering/message":
      return arrive(state, "steering", event)
    case "context/message":
      return arrive(state, "context", event)
    case "message/cancelled":
      return { ...state, pending: without(state.pending, event.data.messageIds) }
    case "turn/start":
      return {
        ...state,
        turn: event.data.turn,
        turnIsOpen: true,
        aborting: false,
        step: 0,
        phase: "none",
        pending: without(state.pending, event.data.claims),
      }
    case "turn/abort":
      return { ...state, aborting: true }
    case "step/start":
      return {
        ...state,
        step: event.data.step,
        phase: "streaming",
        calls: HashMap.empty(),
        callOrder: [],
        pending: without(state.pending, event.data.claims),
      }
    case "assistant/message": {
      const blocks = event.data.content.filter((block) => block.type === "tool-call")
      return {
        ...state,
        phase: "answered",
        calls: HashMap.fromIterable(blocks.map((block) => [block.callId, { block, phase: "open" }])),
        callOrder: blocks.map((block) => block.callId),
      }
    }
    case "tool/call":
      return setPhase(state, event.data.callId, "running", event.data.key)
    case "tool/result":
      return setPhase(state, event.data.callId, "done")
    case "step/end":
      return { ...state, phase: "none", calls: HashMap.empty(), callOrder: [] }
    case "turn/end":
      return { ...state, turnIsOpen: false, aborting: false, phase: "none" }
    default:
      return state
  }
}
