/**
 * What the caller of a prompt gets when the turn is over, however it ended.
 *
 * In:  nothing; `Turn.ts` makes it.      Out: `TurnResult`. A turn that failed is a result, not a failure.
 * Not here: the log of the turn, which holds everything (`session/`).
 */
import type { EventRejected } from "../event/EventError.ts"
import type { TurnEndReason } from "../event/SessionEvent.ts"
import type { Usage } from "../message/ModelChunk.ts"
import type { Outcome } from "../message/ToolResult.ts"
import type { ModelError } from "../model/ModelError.ts"
import type { AnswerMissing, LimitReached, ModelDefect } from "./TurnError.ts"

/** Why a turn failed or hit a limit, to match on by tag. */
export type TurnError = ModelError | ModelDefect | LimitReached | AnswerMissing | EventRejected

/** A call that was refused before its body: bad arguments, no such tool, or denied. */
export interface RefusedCall {
  readonly callId: string
  readonly name: string
  readonly outcome: Outcome
  readonly error: { readonly name: string; readonly code: string }
  /** A later call of the turn succeeded: of the same tool, or of any tool when this one does not exist. */
  readonly corrected: boolean
}

export interface TurnResult<Answer = never> {
  readonly turn: number
  readonly reason: TurnEndReason
  /** The text of the turn's last message; empty when it had none. */
  readonly text: string
  /** Summed over the steps of the turn, failed ones included. */
  readonly usage: Usage
  /** Model requests made, failed ones included. */
  readonly steps: number
  /** In the order of the calls. One that is not `corrected` also marks the `turn/end` of a completed turn. */
  readonly refused: ReadonlyArray<RefusedCall>
  /** Present exactly when an answer by schema was asked for and `reason` is completed. */
  readonly answer?: Answer
  /** Present when `reason` is failed or limit, and else never. */
  readonly error?: TurnError
}

/** A turn that did what it was asked; its answer is there when one by schema was asked for. */
export type Completed<Answer> = TurnResult<Answer> & {
  readonly reason: { readonly kind: "completed" }
  readonly error?: never
} & ([Answer] extends [never] ? unknown : { readonly answer: Answer })

/** Tell a turn that did what it was asked from one that was aborted, failed, or hit a limit. */
export const isCompleted = <Answer>(result: TurnResult<Answer>): result is Completed<Answer> =>
  result.reason.kind === "completed"
