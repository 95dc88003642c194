/**
 * What happened in a run, in lines that a person reads.
 *
 * In:  what is told while it runs.      Out: `Tell`; a story that takes lines, or one that takes none and costs nothing.
 */
import type { SessionEvent } from "../event/SessionEvent.ts"

/** What is done to an agent from outside. */
export type Stimulus =
  | {
      readonly kind: "prompt" | "send" | "steer" | "inject"
      /** One that got no answer from its process is said again to the next, under the same id. */
      readonly messageId: string
      readonly text: string
    }
  | { readonly kind: "abort" | "restart" }

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

export const describe = (stimulus: Stimulus): string =>
  "text" in stimulus ? `${stimulus.kind} "${stimulus.text}" (${stimulus.messageId})` : stimulus.kind

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
      return ` ${event.data.turn} ${event.data.reason.kind}`
    case "error":
      return ` ${event.data.code}`
    default:
      return ""
  }
}
