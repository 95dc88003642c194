/**
 * How a fork can be refused.
 *
 * Not here: how the store or the parent's log fails (`store/`, `event/`).
 */
import { Schema } from "effect"
import { HarnessError } from "../error/HarnessError.ts"

/** The place lies inside a step, or outside the log. Nothing is written; fork at one of the seqs named. */
export class ForkRefused extends HarnessError.extend<ForkRefused>("ForkRefused")({
  _tag: Schema.tag("ForkRefused"),
  /** The nearest places where it can be forked, before and after; absent where there is none. */
  before: Schema.optionalKey(Schema.Int),
  after: Schema.optionalKey(Schema.Int),
}) {
  readonly code = "FORK_REFUSED"
  readonly retry = "never"
}
