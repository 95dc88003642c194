/**
 * How a turn can end without having done what it was asked.
 *
 * In:  what happened.      Out: errors; they come in a `TurnResult`, not in an error channel.
 * Not here: how a model fails (`model/ModelError.ts`), how the log or its store fails a turn (`event/`, `store/`).
 */
import { Schema } from "effect"
import { HarnessError } from "../error/HarnessError.ts"

/** A limit of the agent was reached. Ends the turn; the code says which one. */
export class LimitReached extends HarnessError.extend<LimitReached>("LimitReached")({
  _tag: Schema.tag("LimitReached"),
  code: Schema.Literals([
    "LIMIT_STEPS",
    "LIMIT_TOKENS",
    "LIMIT_WALL_TIME",
    "LIMIT_REPEATED_CALLS",
    "LIMIT_OUTPUT_TOKENS",
  ]),
}) {
  readonly retry = "never"
}

/** The model adapter threw outside its error channel: a bug in it. Ends the turn. */
export class ModelDefect extends HarnessError.extend<ModelDefect>("ModelDefect")({
  _tag: Schema.tag("ModelDefect"),
}) {
  readonly code = "MODEL_DEFECT"
  readonly retry = "never"
}

/** The model ended the turn in plain text although an answer by schema was asked for. Ends the turn. */
export class AnswerMissing extends HarnessError.extend<AnswerMissing>("AnswerMissing")({
  _tag: Schema.tag("AnswerMissing"),
}) {
  readonly code = "ANSWER_MISSING"
  readonly retry = "never"
}
