/**
 * What became of one tool call: the value the log keeps, the model reads and programs match on.
 *
 * In:  nothing; `tool/encode` makes it.      Out: `ToolExecutionResult` and its `Outcome`.
 * Not here: how outcomes are decided (`tool/`).
 * Source: DESIGN "Errors": the outcome of every tag.
 */
import { Schema } from "effect"
import { Violation } from "../error/Violation.ts"
import { Content } from "./Content.ts"

/** Exactly one of these ends a call. */
export const Outcome = Schema.Literals([
  "success",
  "rejected",
  "unknown-tool",
  "denied",
  "failed",
  "defect",
  "timed-out",
  "interrupted-before-start",
  "interrupted",
  "not-started",
  "outcome-unknown",
])
export type Outcome = typeof Outcome.Type

/** A change that a named policy made to the arguments. */
export const Repair = Schema.Struct({
  policy: Schema.String,
  path: Schema.Array(Schema.Union([Schema.String, Schema.Int])),
  /** What is sensitive stands as its digest, what is long as its beginning; the call's own text has all of it. */
  before: Schema.Json,
  /** Absent when the key was left out. */
  after: Schema.optionalKey(Schema.Json),
  /** What was wrong. */
  why: Schema.optionalKey(Schema.String),
})
export interface Repair extends Schema.Schema.Type<typeof Repair> {}

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** The fields that a result shares with its `tool/result` event. */
export const resultFields = {
  callId: Schema.NonEmptyString,
  outcome: Outcome,
  isError: Schema.Boolean,
  /** What the model reads. */
  content: Content,
  /** Present exactly when `isError`. `name` is the error's tag, `code` its stable code. */
  error: Schema.optionalKey(Schema.Struct({ name: Schema.String, code: Schema.String })),
  violations: Schema.optionalKey(Schema.Array(Violation)),
  repairs: Schema.optionalKey(Schema.Array(Repair)),
  /** The output itself, when it is not text. */
  structured: Schema.optionalKey(Schema.Json),
  attempts: Schema.optionalKey(count),
  /** Units: milliseconds from the start of the body. */
  durationMillis: Schema.optionalKey(count),
  /** Where the rest of an output that was too large lies. */
  spill: Schema.optionalKey(Schema.String),
  recovered: Schema.optionalKey(Schema.Boolean),
}

export const ToolExecutionResult = Schema.Struct({ ...resultFields, name: Schema.String })
export interface ToolExecutionResult extends Schema.Schema.Type<typeof ToolExecutionResult> {}
