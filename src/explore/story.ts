/**
 * What happened in a run, in lines that a person reads.
 *
 * In:  what is told while it runs.      Out: `Tell`; a story that takes lines, or one that takes none and costs nothing.
 */
import type { Effect } from "effect"
import type { SessionEvent, TurnEndReason } from "../event/SessionEvent.ts"
import type * as Agent from "../loop/Agent.ts"
import type { Session } from "../session/Session.ts"

/** The process that serves the session at the moment. */
export interface Present {
  readonly agent: Agent.Agent
  readonly session: Session
}

/** What is done to an agent from outside. */
export type Stimulus =
  | {
      readonly kind: "prompt" | "send" | "steer" | "inject"
      /** One that got no answer from its process is said again to the next, under the same id. */
      readonly messageId: string
      readonly text: string
    }
  | { readonly kind: "abort" | "restart" }
  | {
      readonly kind: "act"
      readonly name: string
      readonly run: (present: Present) => Effect.Effect<unknown, unknown>
    }

export interface Tell {
  readonly say: (line: string) => void
  /** Events that the store takes. */
  readonly log: (events: ReadonlyArray<SessionEvent>) => void
}

export const silent: Tell = { say: () => {}, log: () => {} }

/** Write every line down. */
export const into = (lines: Array<string>): Tell => ({
  say: (line) => void lines.push(line),
  log: (events) => {
    for (const event of events) {
      if (event.type !== "assistant/chunk") lines.push(`    ${event.seq} ${event.type}${detail(event)}`)
    }
  },
})

export const describe = (stimulus: Stimulus): string => {
  if ("text" in stimulus) return `${stimulus.kind} "${stimulus.text}" (${stimulus.messageId})`
  return stimulus.kind === "act" ? `act "${stimulus.name}"` : stimulus.kind
}

const why = ({ kind, message }: TurnEndReason): string =>
  kind === "failed" && message !== undefined ? ` (${message})` : ""

const detail = (event: SessionEvent): string => {
  switch (event.type) {
    case "user/message":
    case "steering/message":
    case "context/message":
      return ` ${event.data.messageId}`
    case "turn/start":
      return ` ${event.data.turn}, with ${event.data.claims.join(" and ")}`
    case "step/start":
      return ` ${event.data.step}${event.data.claims.map((id) => `, with ${id}`).join("")}`
    case "assistant/message":
      return ` (${event.data.finish.kind})`
    case "tool/call":
      return ` ${event.data.name} (${event.data.callId})${event.data.starts === false ? " never starts" : ""}`
    case "tool/result":
      return ` ${event.data.outcome} (${event.data.callId})`
    case "step/end":
      return ` ${event.data.step}`
    case "turn/end":
      return ` ${event.data.turn} ${event.data.reason.kind}${why(event.data.reason)}`
    case "error":
      return ` ${event.data.code}`
    default:
      return ""
  }
}
