/**
 * One way in which a value breaks its spec, as data and in words.
 *
 * In:  nothing; rooms that check values make these.      Out: the shape that results, errors and the log carry.
 * Not here: how violations are found and worded (`spec/`).
 */
import { Schema } from "effect"

export const Violation = Schema.Struct({
  /** Keys and indices from the root; empty for the root itself. */
  path: Schema.Array(Schema.Union([Schema.String, Schema.Int])),
  expected: Schema.String,
  got: Schema.String,
  /** One line, complete in itself: path, what was expected, what came. */
  message: Schema.String,
  /** What to do about it, when the spec tells: the nearest key, the members of an enum. */
  hint: Schema.optionalKey(Schema.String),
})
export interface Violation extends Schema.Schema.Type<typeof Violation> {}
