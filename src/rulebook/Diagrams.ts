/**
 * The state machine that each group of rules guards, as data: what the page of rules draws.
 *
 * In:  the name of a group.      Out: its moves, and the same as a Mermaid diagram.
 * Not here: the rules, which are stricter than a picture (`contract/`, `invariant/`).
 * Source: PROTOCOL "State machine".
 */
export interface Move {
  /** `[*]` is before the beginning. */
  readonly from: string
  readonly to: string
  /** The type of the event that moves it, or what else does; absent where it begins by itself. */
  readonly on?: string
  /** When the same event may lead elsewhere. */
  readonly when?: string
}

export interface Diagram {
  /** What is in one of these states: "each message". */
  readonly of: string
  readonly moves: ReadonlyArray<Move>
}

const start = "[*]"

const move = (from: string, on: string, to: string, when?: string): Move => ({
  from,
  on,
  to,
  ...(when !== undefined && { when }),
})

const begin = (to: string): Move => ({ from: start, to })

export const diagrams: { readonly [group: string]: Diagram } = {
  log: {
    of: "the log",
    moves: [
      move(start, "session/start", "open"),
      move("open", "request/config", "open"),
      move("open", "session/resume", "open", "with a higher epoch"),
    ],
  },
  turn: {
    of: "the session's turns",
    moves: [
      begin("idle"),
      move("idle", "turn/start", "running"),
      move("idle", "error", "idle", "it names turn 0"),
      move("running", "error", "running"),
      move("running", "turn/end", "idle", "any reason but aborted"),
      move("running", "turn/abort", "aborting"),
      move("aborting", "error", "aborting"),
      move("aborting", "turn/end", "idle", "aborted"),
    ],
  },
  step: {
    of: "the turn's steps",
    moves: [
      begin("between"),
      move("between", "step/start", "streaming"),
      move("streaming", "assistant/chunk", "streaming"),
      move("streaming", "usage", "counted"),
      move("streaming", "assistant/message", "answered"),
      move("counted", "assistant/message", "answered"),
      move("answered", "approval/asked", "answered"),
      move("answered", "tool/call", "answered"),
      move("answered", "tool/result", "answered"),
      move("streaming", "session/resume", "broken"),
      move("counted", "session/resume", "broken"),
      move("broken", "session/resume", "broken"),
      move("answered", "session/resume", "answered"),
      move("between", "session/resume", "between"),
      move("broken", "tool/result", "broken"),
      ...["streaming", "counted", "answered", "broken"].map((phase) => move(phase, "step/end", "between")),
    ],
  },
  chunk: {
    of: "each block of an answer",
    moves: [
      move(start, "block-start", "open"),
      move("open", "a delta of its kind", "open"),
      move("open", "block-end", "closed"),
    ],
  },
  call: {
    of: "each call",
    moves: [
      move(start, "assistant/message", "asked"),
      move("asked", "approval/asked", "asked"),
      move("asked", "tool/call", "running"),
      move("asked", "tool/call", "refused", "starts is false"),
      move("running", "tool/result", "done"),
      move("refused", "tool/result", "done"),
    ],
  },
  result: {
    of: "what a call is owed",
    moves: [
      move(start, "tool/call", "owed"),
      move("owed", "tool/result", "given"),
      move("given", "step/end", "settled"),
    ],
  },
  approval: {
    of: "the question about a call",
    moves: [
      move(start, "approval/asked", "asked"),
      move("asked", "approval/asked", "asked", "over decoded arguments that differ"),
      move("asked", "approval/decided", "allowed", "with the digest that was asked"),
      move("asked", "approval/decided", "denied", "with the digest that was asked"),
      move("allowed", "approval/asked", "asked", "once the yes has expired"),
      move("allowed", "tool/call", "used"),
      move("denied", "tool/call", "used", "starts is false"),
      move("asked", "tool/call", "used", "starts is false"),
    ],
  },
  rerun: {
    of: "each call with a key",
    moves: [
      move(start, "tool/call", "running"),
      move("running", "session/resume", "running", "reruns names it, twice at most"),
      move("running", "tool/result", "done"),
    ],
  },
  inbox: {
    of: "each message",
    moves: [
      ...["user/message", "steering/message", "context/message"].map((type) => move(start, type, "pending")),
      move("pending", "turn/start", "claimed"),
      move("pending", "step/start", "claimed", "steering and context only"),
      move("pending", "message/cancelled", "cancelled"),
    ],
  },
  compact: {
    of: "the history",
    moves: [
      begin("whole"),
      move("whole", "history/compacted", "compacted", "between steps"),
      move("compacted", "history/compacted", "compacted", "the same from and a later to"),
    ],
  },
  history: {
    of: "what the model reads",
    moves: [
      begin("complete"),
      move("complete", "step/start", "complete", "a request goes out"),
      move("complete", "assistant/message", "complete"),
      move("complete", "assistant/message", "owing", "with calls"),
      move("owing", "tool/result", "owing"),
      move("owing", "tool/result", "complete", "the last one"),
    ],
  },
  fork: {
    of: "the log of a fork",
    moves: [
      move(start, "session/start", "copied", "with a parent"),
      move("copied", "an event of the parent", "copied"),
      move("copied", "the event after the parent's seq", "own"),
    ],
  },
  status: {
    of: "what the session says of itself",
    moves: [
      begin("idle"),
      move("idle", "turn/start", "running"),
      move("running", "turn/end", "idle"),
      move("idle", "close", "disposed"),
      move("running", "close", "disposed"),
    ],
  },
  store: {
    of: "each event",
    moves: [
      move(start, "append", "accepted"),
      move("accepted", "the store has it", "written"),
      move("written", "the medium has it", "synced"),
    ],
  },
}

/** Draw a diagram, in the text of a Mermaid code block. */
export const toMermaid = ({ moves }: Diagram): string =>
  ["stateDiagram-v2", ...moves.map((one) => `  ${one.from} --> ${one.to}${label(one)}`)].join("\n")

const label = ({ on, when }: Move): string => {
  if (on === undefined) return ""
  return when === undefined ? `: ${on}` : `: ${on}, ${when}`
}
