/**
 * How one tool call can end badly: one tag each, one outcome each.
 *
 * Not here: the errors of a tool's own body, which keep their own tags in the typed channel.
 */
import { Schema } from "effect"
import * as Beginning from "../error/Beginning.ts"
import * as Foreign from "../error/Foreign.ts"
import { HarnessError, type Retry } from "../error/HarnessError.ts"
import { Violation } from "../error/Violation.ts"
import { Content, toText } from "../message/Content.ts"

const tool = Schema.String

/** No tool of that name. Back to the model, with the nearest names. */
export class ToolNotFound extends HarnessError.extend<ToolNotFound>("ToolNotFound")({
  _tag: Schema.tag("ToolNotFound"),
  tool,
}) {
  readonly code = "UNKNOWN_TOOL"
  readonly retry = "now"
}

/** The arguments are no JSON. Back to the model, with the place. */
export class ToolArgsMalformed extends HarnessError.extend<ToolArgsMalformed>("ToolArgsMalformed")({
  _tag: Schema.tag("ToolArgsMalformed"),
  tool,
  /** Units: UTF-16 code units from the start of the text. Absent when no one place is to blame. */
  position: Schema.optionalKey(Schema.Int),
}) {
  readonly code = "ARGS_NOT_JSON"
  readonly retry = "now"
}

/** The arguments are JSON that breaks the spec. Back to the model, with every violation. */
export class ToolArgsInvalid extends HarnessError.extend<ToolArgsInvalid>("ToolArgsInvalid")({
  _tag: Schema.tag("ToolArgsInvalid"),
  tool,
  violations: Schema.Array(Violation),
}) {
  readonly code = "INVALID_ARGS"
  readonly retry = "now"
}

/** The guard or the approver said no, or could not say yes. Back to the model. */
export class ToolDenied extends HarnessError.extend<ToolDenied>("ToolDenied")({
  _tag: Schema.tag("ToolDenied"),
  tool,
  reason: Schema.String,
}) {
  readonly code = "TOOL_DENIED"
  readonly retry = "never"
}

/**
 * The body took longer than `Tool.timeout` allows, and was stopped. `mayStillRun` when it is an async one that did not
 * settle in the time that `Grace` gives. Back to the model.
 */
export class ToolTimedOut extends HarnessError.extend<ToolTimedOut>("ToolTimedOut")({
  _tag: Schema.tag("ToolTimedOut"),
  tool,
  /** Units: milliseconds. */
  timeoutMillis: Schema.Finite,
  mayStillRun: Schema.optionalKey(Schema.Boolean),
}) {
  readonly code = "TOOL_TIMEOUT"
  readonly retry = "later"
}

/** The body returned what its output schema or JSON cannot hold. Back to the model. */
export class ToolOutputInvalid extends HarnessError.extend<ToolOutputInvalid>("ToolOutputInvalid")({
  _tag: Schema.tag("ToolOutputInvalid"),
  tool,
  violations: Schema.Array(Violation),
}) {
  readonly code = "INVALID_TOOL_OUTPUT"
  readonly retry = "never"
}

/** The abort came before the body. Nothing ran. */
export class ToolNeverStarted extends HarnessError.extend<ToolNeverStarted>("ToolNeverStarted")({
  _tag: Schema.tag("ToolNeverStarted"),
  tool,
}) {
  readonly code = "ABORTED_BEFORE_START"
  readonly retry = "later"
}

/**
 * The body was stopped with its turn (`ABORTED`), or by itself (`STOPPED_ITSELF`). Its effects may be half done;
 * `mayStillRun` when it is an async one that did not settle in the time that `Grace` gives.
 */
export class ToolInterrupted extends HarnessError.extend<ToolInterrupted>("ToolInterrupted")({
  _tag: Schema.tag("ToolInterrupted"),
  tool,
  code: Schema.Literals(["ABORTED", "STOPPED_ITSELF"]),
  mayStillRun: Schema.optionalKey(Schema.Boolean),
}) {
  readonly retry = "later"
}

/** The body has a bug: it threw outside its error channel. Back to the model; siblings go on. */
export class ToolDefect extends HarnessError.extend<ToolDefect>("ToolDefect")({
  _tag: Schema.tag("ToolDefect"),
  tool,
}) {
  readonly code = "TOOL_DEFECT"
  readonly retry = "never"
}

/**
 * The body failed with a foreign error, whose normalised code this carries, or reports a failure in its own words
 * (`content`), which no output schema checks. Back to the model.
 */
export class ToolFailed extends HarnessError.extend<ToolFailed>("ToolFailed")({
  _tag: Schema.tag("ToolFailed"),
  tool,
  code: Schema.String,
  content: Schema.optionalKey(Content),
}) {
  /** What the error behind it says of itself, else what its code tells, else `later`. */
  get retry(): Retry {
    return Foreign.ownRetryOf(this.cause) ?? Foreign.retryOf(this.code) ?? "later"
  }
}

/**
 * Make the failure that a body reports in blocks of its own, as the `isError` results of MCP do; an Effect fails with
 * it, an async body throws it.
 */
export const reported = (tool: string, content: Content, code = "TOOL_FAILED"): ToolFailed => {
  const text = Beginning.of(toText(content).trim(), maxReported)
  return new ToolFailed({ message: text || "it gave no reason in words", tool, code, content })
}

/** Units: UTF-16 code units of the content that its message repeats. */
const maxReported = 1_000

/**
 * The body of an earlier call, which this one conflicts with, was told to stop and has not. Nothing ran. Back to the
 * model; the same call works once that body has ended.
 */
export class ToolBusy extends HarnessError.extend<ToolBusy>("ToolBusy")({
  _tag: Schema.tag("ToolBusy"),
  tool,
}) {
  readonly code = "RESOURCE_BUSY"
  readonly retry = "later"
}

/** The process died before the call was started, or the answer that asked for it was cut off. Nothing ran. */
export class ToolNotStarted extends HarnessError.extend<ToolNotStarted>("ToolNotStarted")({
  _tag: Schema.tag("ToolNotStarted"),
  tool,
}) {
  readonly code = "TOOL_NOT_STARTED"
  readonly retry = "later"
}

/** The process died while the call ran; whether it took effect is not known. Written at repair. */
export class ToolOutcomeUnknown extends HarnessError.extend<ToolOutcomeUnknown>("ToolOutcomeUnknown")({
  _tag: Schema.tag("ToolOutcomeUnknown"),
  tool,
}) {
  readonly code = "TOOL_OUTCOME_UNKNOWN"
  readonly retry = "never"
}

/** What the pipeline itself adds to the errors of a body. */
export type PipelineError = ToolArgsMalformed | ToolArgsInvalid | ToolDenied | ToolOutputInvalid
