/**
 * What rules marked live look at: a running session, one thing after the other.
 *
 * In:  nothing; `DevInvariants` makes these of what the session's observer hears.      Out: `Observation`.
 * Order: every stored event, `opened`, then the rest as it happens.
 * Not here: the port (`session/Observer.ts`).
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Message } from "../message/Message.ts"
import type { History } from "../session/History.ts"
import type { SessionObserver } from "../session/Observer.ts"
import type { Status } from "../session/SessionState.ts"

export type Observation =
  /** An event that is about to be committed, after it was frozen, and the history that has grown with the log. */
  | { readonly kind: "logged"; readonly event: SessionEvent; readonly history: History }
  /** The log has been read; from here on the session runs. */
  | { readonly kind: "opened" }
  | { readonly kind: "status"; readonly from: Status; readonly to: Status }
  | ({ readonly kind: "acknowledged" } & Parameters<SessionObserver["onAcknowledge"]>[0])
  | { readonly kind: "request"; readonly messages: ReadonlyArray<Message> }
