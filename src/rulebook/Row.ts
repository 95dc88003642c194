/**
 * One row of an example as a person and a program read it: an event, or what a running session did.
 *
 * In:  events and observations.      Out: plain rows, without the structures that a session keeps; lines of text.
 * Not here: the examples (`Examples.ts`), an explanation as a whole (`verdict/Explanation`).
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Observation } from "../invariant/Observation.ts"
import type { Message } from "../message/Message.ts"
import * as History from "../session/History.ts"

/** An event that is about to be committed. */
interface Logged {
  readonly kind: "logged"
  readonly event: SessionEvent
  readonly isFrozen: boolean
  /** The history that has grown with the log. */
  readonly messages: ReadonlyArray<Message>
}

export type Row = SessionEvent | Logged | Exclude<Observation, { readonly kind: "logged" }>

export const ofObservation = (observation: Observation): Row => {
  if (observation.kind !== "logged") return observation
  const { event, history, kind } = observation
  return { kind, event, isFrozen: Object.isFrozen(event), messages: History.messages(history) }
}

/** One line. */
export const toText = (row: Row): string => {
  if (!("kind" in row)) return eventText(row)
  switch (row.kind) {
    case "logged":
      return `logged ${eventText(row.event)}${row.isFrozen ? "" : ", which can still be changed"}`
    case "opened":
      return "opened: the log has been read, and the session runs"
    case "status":
      return `status goes from ${row.from} to ${row.to}`
    case "acknowledged":
      return `seq ${row.seq} is told as ${row.told}; written up to seq ${row.writtenSeq}, synced up to seq ${row.syncedSeq}`
    case "request":
      return `request with ${row.messages.length === 0 ? "no messages" : row.messages.map(messageText).join(", ")}`
  }
}

const eventText = ({ data, seq, type }: SessionEvent): string => `${seq} ${type} ${JSON.stringify(data)}`

const messageText = ({ content, role }: Message): string => `${role} ${JSON.stringify(content)}`
