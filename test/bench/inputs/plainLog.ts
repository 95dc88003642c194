/**
 * A log that anybody could write: an array of events, and the messages that follow from them.
 *
 * Not here: rules, freezing, a store, listeners.
 */
import type { EventDraft, SessionEvent } from "../../../src/event/SessionEvent.ts"

export interface PlainLog {
  readonly push: (draft: EventDraft) => void
  readonly messages: () => ReadonlyArray<unknown>
}

/** Fold one event into the messages. */
export const toMessage = (event: EventDraft | SessionEvent): unknown => {
  if (event.type === "user/message") return { role: "user", content: event.data.content }
  if (event.type === "assistant/message") return { role: "assistant", content: event.data.content }
  if (event.type === "tool/result") return { role: "tool", content: [event.data] }
  return undefined
}

export const makePlainLog = (): PlainLog => {
  const log: Array<SessionEvent> = []
  const messages: Array<unknown> = []
  return {
    push: (draft) => {
      log.push({ seq: log.length, at: Date.now(), ...draft })
      const message = toMessage(draft)
      if (message !== undefined) messages.push(message)
    },
    messages: () => [...messages],
  }
}
