/**
 * The one hook of a session: somebody who looks at every event before it is committed.
 *
 * In:  numbered events, before they are in the log; then status, acknowledgements and requests.
 * Out: nothing, or a thrown defect, which keeps the events out of the log.
 * Not here: the only observer this package brings (`invariant/DevInvariants`).
 */
import { Context } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Message } from "../message/Message.ts"
import type { Durability } from "../store/SessionStore.ts"
import type { Status } from "./SessionState.ts"

/** Watches one open session. Every method may throw; the session lets nothing of it pass for a failure. */
export interface SessionObserver {
  /** Before commit. Throwing leaves log, state and history as they were. */
  readonly onAppend: (events: ReadonlyArray<SessionEvent>) => void
  readonly onStatus: (from: Status, to: Status) => void
  /** `seq` and all before it were told to somebody as having `told`; the medium has `kept` up to `keptSeq`. */
  readonly onAcknowledge: (ack: {
    readonly told: Durability
    readonly seq: number
    readonly writtenSeq: number
    readonly syncedSeq: number
  }) => void
  /** A request is about to be sent with this history. */
  readonly onRequest: (messages: ReadonlyArray<Message>) => void
}

export interface Observer {
  /** Called once when a session opens, with what its log already holds. */
  readonly watch: (sessionId: string, existing: ReadonlyArray<SessionEvent>) => SessionObserver
}

export const Observer = Context.Reference<Observer | undefined>("effect-harness/session/Observer", {
  defaultValue: () => undefined,
})
