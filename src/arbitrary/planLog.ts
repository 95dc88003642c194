/**
 * What a drawn log is planned to tell, before it is events.
 */
export type MessageType = "user/message" | "steering/message" | "context/message"

export interface BlockPlan {
  readonly kind: "text" | "reasoning" | "tool-call"
  readonly pieces: ReadonlyArray<string>
  /** A block that the stream leaves unfinished is in the chunks, but not in the message. */
  readonly isFinished: boolean
  readonly isSigned: boolean
}

export interface CallPlan {
  readonly outcome:
    | "success"
    | "failed"
    | "timed-out"
    | "rejected"
    | "unknown-tool"
    | "denied"
    | "defect"
    | "interrupted"
    | "interrupted-before-start"
  /** Where among the others its result comes: results are logged as they complete. */
  readonly order: number
  /** Whether somebody is asked before it may run. */
  readonly isAsked: boolean
  /** A call with a key may run again after a crash. */
  readonly hasKey: boolean
}

export interface StepPlan {
  readonly before: ReadonlyArray<MessageType>
  readonly during: ReadonlyArray<MessageType>
  readonly blocks: ReadonlyArray<BlockPlan>
  /** Which open block grows next. */
  readonly weave: ReadonlyArray<number>
  readonly hasUsage: boolean
  /** Whether an extension logs an event of its own. */
  readonly isNoted: boolean
  readonly finish: "natural" | "max-tokens" | "refused" | "error"
  readonly calls: ReadonlyArray<CallPlan>
}

export interface TurnPlan {
  readonly before: ReadonlyArray<MessageType>
  readonly cancels: boolean
  /** How many more messages than needed the turn claims, if they are there. */
  readonly alsoClaims: number
  readonly steps: ReadonlyArray<StepPlan>
  readonly end:
    | "completed"
    | "failed"
    | "limit"
    | "disposed"
    | "interrupted"
    | "aborted"
    | "crashed"
    | "resumed"
  /** How many processes die before one ends a turn that is resumed. */
  readonly crashes: number
  /** Where in the last step the abort or the crash comes, as a share of it. */
  readonly cutAt: number
  readonly compacts: boolean
}
