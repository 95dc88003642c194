/**
 * One way in which a value breaks its spec, as data and in words.
 *
 * In:  nothing; rooms that check values make these.      Out: the shape that results, errors and the log carry.
 * Not here: how violations are found and worded (`kind/`, `spec/`).
 */
import { Schema } from "effect"

/**
 * One change that would repair the place, for a program that cannot read. "The holder" is the object that holds the
 * place: its path is that of the violation without the last step.
 */
export const Fix = Schema.Union([
  /** In the holder, move the member `from` to the key `to`. */
  Schema.Struct({ kind: Schema.Literal("rename"), from: Schema.String, to: Schema.String }),
  /** From the holder, take the member `key` away. */
  Schema.Struct({ kind: Schema.Literal("drop"), key: Schema.String }),
  /** In the holder, put the members of the object `key` in place of it. */
  Schema.Struct({ kind: Schema.Literal("unwrap"), key: Schema.String }),
  /** At the place, put this member of what is allowed there. */
  Schema.Struct({
    kind: Schema.Literal("take"),
    member: Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null]),
  }),
  /**
   * At the place, write the same thing as another kind: text as what it spells, a scalar as text, `json` for text that
   * holds JSON, `array` for a lone item that wants an array around it, `item` for one in an array that it does not want.
   */
  Schema.Struct({
    kind: Schema.Literal("convert"),
    to: Schema.Literals(["string", "number", "integer", "boolean", "null", "json", "array", "item"]),
  }),
])
export type Fix = typeof Fix.Type

export const Violation = Schema.Struct({
  /** Keys and indices from the root; empty for the root itself. */
  path: Schema.Array(Schema.Union([Schema.String, Schema.Int])),
  expected: Schema.String,
  got: Schema.String,
  /** One line, complete in itself: path, what was expected, what came. */
  message: Schema.String,
  /** What to do about it, when the spec tells: the nearest key, the members of an enum. */
  hint: Schema.optionalKey(Schema.String),
  /** The hint for programs; there is none where only the one who wrote the value knows better. */
  fix: Schema.optionalKey(Fix),
})
export interface Violation extends Schema.Schema.Type<typeof Violation> {}
