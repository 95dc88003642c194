/**
 * How a store can fail its session.
 *
 * Not here: logs that can be read but must not be (`event/EventError.ts`).
 */
import { Schema } from "effect"
import { HarnessError } from "../error/HarnessError.ts"

/** A write whose first seq is not the next one. Nothing was written; the session is poisoned. */
export class SeqConflict extends HarnessError.extend<SeqConflict>("SeqConflict")({
  _tag: Schema.tag("SeqConflict"),
  expected: Schema.Int,
  got: Schema.Int,
}) {
  readonly code = "SEQ_CONFLICT"
  readonly retry = "never"
}

/** No log of that id. */
export class SessionNotFound extends HarnessError.extend<SessionNotFound>("SessionNotFound")({
  _tag: Schema.tag("SessionNotFound"),
  id: Schema.String,
}) {
  readonly code = "SESSION_NOT_FOUND"
  readonly retry = "never"
}

/** An id to create is taken by a session that was begun. Nothing was written; open it, or choose another id. */
export class SessionExists extends HarnessError.extend<SessionExists>("SessionExists")({
  _tag: Schema.tag("SessionExists"),
  id: Schema.String,
}) {
  readonly code = "SESSION_EXISTS"
  readonly retry = "never"
}

/** An id to create that no store takes: the message says what one is made of. Nothing was written. */
export class SessionIdInvalid extends HarnessError.extend<SessionIdInvalid>("SessionIdInvalid")({
  _tag: Schema.tag("SessionIdInvalid"),
  id: Schema.String,
}) {
  readonly code = "SESSION_ID_INVALID"
  readonly retry = "now"
}

/** Somebody else holds the session. */
export class SessionBusy extends HarnessError.extend<SessionBusy>("SessionBusy")({
  _tag: Schema.tag("SessionBusy"),
  id: Schema.String,
  /** Units: `since` in epoch milliseconds. Missing when the store cannot tell. */
  holder: Schema.optionalKey(Schema.Struct({ host: Schema.String, pid: Schema.Int, since: Schema.Int })),
}) {
  readonly code = "SESSION_BUSY"
  readonly retry = "later"
}

/** Another process took the session over while this one held it. What was being written may be in the log or not; the session is poisoned. */
export class SessionFenced extends HarnessError.extend<SessionFenced>("SessionFenced")({
  _tag: Schema.tag("SessionFenced"),
  id: Schema.String,
  written: Schema.Literal("unknown"),
}) {
  readonly code = "SESSION_FENCED"
  readonly retry = "never"
}

/** The medium failed. After a failed write or sync the session is poisoned; reads may be tried again. */
export class StoreUnavailable extends HarnessError.extend<StoreUnavailable>("StoreUnavailable")({
  _tag: Schema.tag("StoreUnavailable"),
  operation: Schema.String,
  /** The normalised code of the cause, such as ENOSPC. */
  reason: Schema.optionalKey(Schema.String),
}) {
  readonly code = "STORE_UNAVAILABLE"
  readonly retry = "later"
}
