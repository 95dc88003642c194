/**
 * How an agent can refuse to go on.
 *
 * Not here: how a turn ends badly (`turn/TurnError.ts`), how a log or its store fails (`event/`, `session/`, `store/`).
 */
import { Schema } from "effect"
import { HarnessError } from "../error/HarnessError.ts"

/**
 * The agent's scope was closed, or its log failed it. Nothing more is accepted; a message that was accepted before and
 * not served stays in the log for the next agent.
 */
export class AgentDisposed extends HarnessError.extend<AgentDisposed>("AgentDisposed")({
  _tag: Schema.tag("AgentDisposed"),
}) {
  readonly code = "AGENT_DISPOSED"
  readonly retry = "never"
}
