/**
 * A log that grows as a session's does.
 *
 * In:  drafts, messages, crashes.      Out: `Writer`: the numbered events, and the state that they fold to.
 * Not here: what is written (`writeLog.ts`, `writeCalls.ts`).
 */
import type { EventDraft, SessionEvent } from "../event/SessionEvent.ts"
import { number } from "../mutant/Story.ts"
import { repair, resumed } from "../recovery/Recovery.ts"
import * as SessionState from "../session/SessionState.ts"
import type { MessageType } from "./planLog.ts"

/** A log that grows; its state is folded from the log, as a loop sees it. */
export class Writer {
  readonly log: Array<SessionEvent> = []
  state = SessionState.initial
  compactedTo = 0
  private messages = 0
  private calls = 0

  push(...drafts: ReadonlyArray<EventDraft>): void {
    for (const event of number(drafts, this.log.length)) {
      this.log.push(event)
      this.state = SessionState.next(this.state, event)
    }
  }

  /** Forget what was written from a place on, as a crash does. */
  cut(size: number): void {
    this.log.length = size
    this.state = this.log.reduce(SessionState.next, SessionState.initial)
  }

  arrive(types: ReadonlyArray<MessageType>): void {
    for (const type of types) {
      const messageId = `m${++this.messages}`
      this.push({
        type,
        data: { messageId, content: [{ type: "text", text: `words of ${messageId}` }], source: "draw" },
      })
    }
  }

  callId(): string {
    return `c${++this.calls}`
  }

  resume(): void {
    this.push(resumed(this.state, undefined))
    this.push(...repair(this.state, this.log))
  }
}
