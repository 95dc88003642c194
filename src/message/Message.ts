/**
 * One message of a derived history, as a model reads it.
 *
 * In:  nothing.      Out: `Message`, by role.
 * Not here: how messages come out of a log (`session/History.ts`), how they go over a wire (`model/`).
 */
import type { AssistantContent, Content, ToolResultBlock } from "./Content.ts"

export interface UserMessage {
  readonly role: "user"
  readonly content: Content
}

export interface AssistantMessage {
  readonly role: "assistant"
  readonly content: AssistantContent
}

/** The results of all calls of the assistant message before it, in call order. */
export interface ToolMessage {
  readonly role: "tool"
  readonly content: ReadonlyArray<ToolResultBlock>
}

export type Message = UserMessage | AssistantMessage | ToolMessage
