/**
 * How an open session can refuse to go on.
 *
 * Not here: single events that it refuses (`event/EventError.ts`).
 */
import { Schema } from "effect"
import { HarnessError } from "../error/HarnessError.ts"

/** An earlier write failed, or the session was closed. Nothing more is accepted; the next open repairs. */
export class SessionPoisoned extends HarnessError.extend<SessionPoisoned>("SessionPoisoned")({
  _tag: Schema.tag("SessionPoisoned"),
  id: Schema.String,
}) {
  readonly code = "SESSION_POISONED"
  readonly retry = "never"
}
