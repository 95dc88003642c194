/**
 * One call as the model wrote it, before anything has looked at its arguments.
 *
 * In:  nothing.      Out: `ToolCall`.
 * Not here: what becomes of it (`ToolResult.ts`, `tool/`).
 */
export interface ToolCall {
  /** Unique in the session. */
  readonly callId: string
  readonly name: string
  /** The model's text, unchanged. */
  readonly arguments: string
}
