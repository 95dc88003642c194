/**
 * One call as the model wrote it, before anything has looked at its arguments.
 *
 * In:  nothing.      Out: `ToolCall`; what two argument texts have in common (`readArguments`).
 * Not here: what becomes of it (`ToolResult.ts`, `tool/`), checking and repairing arguments (`spec/`, `text/`).
 */
import type { Schema } from "effect"

export interface ToolCall {
  /** Unique in the session. */
  readonly callId: string
  readonly name: string
  /** The model's text, unchanged. */
  readonly arguments: string
}

/** Read arguments to compare or digest them: as JSON, or as their own text when they are none. */
export const readArguments = (text: string): Schema.Json => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
