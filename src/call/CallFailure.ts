/**
 * The error that a call ended with, for programs that match on it.
 *
 * In:  the typed error of a body or of a stage.      Out: `CallFailure`, on `Agent.failures`.
 * Order: it comes after the result of its call is in the log.
 * Not here: the log and the history, which hold its name and code only: an error may hold anything.
 */
export interface CallFailure {
  readonly turn: number
  readonly step: number
  readonly callId: string
  readonly tool: string
  /** What the result names: one of `ToolError`, or the tagged error that the body failed with, as it is. */
  readonly error: unknown
}
