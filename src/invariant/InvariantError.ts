/**
 * How a session dies whose log breaks a rule in development, and how a choice of rules fails.
 *
 * Not here: what an always-on rule refuses in production (`event/EventError.ts`).
 */
import { Schema } from "effect"
import { HarnessError } from "../error/HarnessError.ts"

/** A rule is broken: a bug of whoever wrote the event. Thrown as a defect, before commit; nothing may swallow it. */
export class InvariantViolated extends HarnessError.extend<InvariantViolated>("InvariantViolated")({
  _tag: Schema.tag("InvariantViolated"),
  sessionId: Schema.String,
  rule: Schema.String,
  /** Of the event that breaks the rule, or of the latest one when the break is none of an event. */
  seq: Schema.Int,
  hint: Schema.String,
}) {
  readonly code = "INVARIANT_VIOLATED"
  readonly retry = "never"
}

/**
 * A rule or a group of rules was picked by a name that none has. Correct the name; `nearest` has the likely ones. Where the
 * names are right and leave no rule, or none that can be held to what runs, `name` is empty: pick one at least.
 */
export class UnknownInvariant extends HarnessError.extend<UnknownInvariant>("UnknownInvariant")({
  _tag: Schema.tag("UnknownInvariant"),
  name: Schema.String,
  nearest: Schema.Array(Schema.String),
}) {
  readonly code = "UNKNOWN_INVARIANT"
  readonly retry = "now"
}
