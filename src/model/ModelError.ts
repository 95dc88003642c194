/**
 * How a model can fail to answer, and how the way to a model can fail to open.
 *
 * In:  nothing.      Out: the classes; `ModelError`, what an answer can fail with; `byCode` for scripts.
 * Not here: what a provider's own errors look like (`toModelError.ts` turns them into these).
 */
import { Schema } from "effect"
import { HarnessError } from "../error/HarnessError.ts"

const fields = {
  /** HTTP status, when there was one. */
  status: Schema.optionalKey(Schema.Int),
  /** Units: milliseconds the provider asked to wait. */
  retryAfterMillis: Schema.optionalKey(Schema.Finite),
}

/** 429. Ends the step; the loop may try again in a new step after `retryAfterMillis`. */
export class ModelRateLimited extends HarnessError.extend<ModelRateLimited>("ModelRateLimited")({
  _tag: Schema.tag("ModelRateLimited"),
  ...fields,
}) {
  readonly code = "MODEL_RATE_LIMITED"
  readonly retry = "later"
}

/** 5xx or a provider's word for it. Ends the step; the loop may try again in a new step. */
export class ModelOverloaded extends HarnessError.extend<ModelOverloaded>("ModelOverloaded")({
  _tag: Schema.tag("ModelOverloaded"),
  ...fields,
}) {
  readonly code = "MODEL_OVERLOADED"
  readonly retry = "later"
}

/** 401, 403 or no key. Ends the turn. */
export class ModelUnauthorized extends HarnessError.extend<ModelUnauthorized>("ModelUnauthorized")({
  _tag: Schema.tag("ModelUnauthorized"),
  ...fields,
}) {
  readonly code = "MODEL_UNAUTHORIZED"
  readonly retry = "never"
}

/** The request is longer than the model's context. Ends the turn. */
export class ModelContextOverflow extends HarnessError.extend<ModelContextOverflow>("ModelContextOverflow")({
  _tag: Schema.tag("ModelContextOverflow"),
  ...fields,
}) {
  readonly code = "MODEL_CONTEXT_OVERFLOW"
  readonly retry = "never"
}

/** The provider will not do this: a bad request, an unknown model, a refused content. Ends the turn. */
export class ModelRefused extends HarnessError.extend<ModelRefused>("ModelRefused")({
  _tag: Schema.tag("ModelRefused"),
  ...fields,
}) {
  readonly code = "MODEL_REFUSED"
  readonly retry = "never"
}

/** No connection, or it broke. Ends the step; the loop may try again in a new step. */
export class ModelUnreachable extends HarnessError.extend<ModelUnreachable>("ModelUnreachable")({
  _tag: Schema.tag("ModelUnreachable"),
  ...fields,
}) {
  readonly code = "MODEL_UNREACHABLE"
  readonly retry = "later"
}

/** No answer, or silence in the middle of one, for too long. Ends the step; the loop may try again. */
export class ModelTimedOut extends HarnessError.extend<ModelTimedOut>("ModelTimedOut")({
  _tag: Schema.tag("ModelTimedOut"),
  ...fields,
}) {
  readonly code = "MODEL_TIMED_OUT"
  readonly retry = "later"
}

/** A stream that breaks the grammar or stops without a finish. Ends the step; no call of it runs. */
export class ModelProtocolViolated extends HarnessError.extend<ModelProtocolViolated>(
  "ModelProtocolViolated",
)({
  _tag: Schema.tag("ModelProtocolViolated"),
  ...fields,
}) {
  readonly code = "MODEL_PROTOCOL_VIOLATED"
  readonly retry = "later"
}

/** The answer was cut off by an abort that the loop did not ask for. Ends the step. */
export class ModelInterrupted extends HarnessError.extend<ModelInterrupted>("ModelInterrupted")({
  _tag: Schema.tag("ModelInterrupted"),
  ...fields,
}) {
  readonly code = "MODEL_INTERRUPTED"
  readonly retry = "later"
}

export type ModelError =
  | ModelRateLimited
  | ModelOverloaded
  | ModelUnauthorized
  | ModelContextOverflow
  | ModelRefused
  | ModelUnreachable
  | ModelTimedOut
  | ModelProtocolViolated
  | ModelInterrupted

/** The errors of an answer by their codes. */
export const byCode = {
  MODEL_RATE_LIMITED: ModelRateLimited,
  MODEL_OVERLOADED: ModelOverloaded,
  MODEL_UNAUTHORIZED: ModelUnauthorized,
  MODEL_CONTEXT_OVERFLOW: ModelContextOverflow,
  MODEL_REFUSED: ModelRefused,
  MODEL_UNREACHABLE: ModelUnreachable,
  MODEL_TIMED_OUT: ModelTimedOut,
  MODEL_PROTOCOL_VIOLATED: ModelProtocolViolated,
  MODEL_INTERRUPTED: ModelInterrupted,
} as const satisfies Record<ModelError["code"], unknown>

/** A model script with a wrong field. No model is made. */
export class ScriptInvalid extends HarnessError.extend<ScriptInvalid>("ScriptInvalid")({
  _tag: Schema.tag("ScriptInvalid"),
}) {
  readonly code = "SCRIPT_INVALID"
  readonly retry = "never"
}

/** A model name whose provider is not known here. No model is made. */
export class ProviderUnknown extends HarnessError.extend<ProviderUnknown>("ProviderUnknown")({
  _tag: Schema.tag("ProviderUnknown"),
}) {
  readonly code = "PROVIDER_UNKNOWN"
  readonly retry = "never"
}

/** A key or a base URL is missing or unusable. No model is made. */
export class ProviderNotConfigured extends HarnessError.extend<ProviderNotConfigured>(
  "ProviderNotConfigured",
)({
  _tag: Schema.tag("ProviderNotConfigured"),
  /** The environment variable to set. */
  variable: Schema.String,
}) {
  readonly code = "PROVIDER_NOT_CONFIGURED"
  readonly retry = "never"
}

/** The provider's package, an optional peer, cannot be loaded. No model is made. */
export class ProviderNotInstalled extends HarnessError.extend<ProviderNotInstalled>("ProviderNotInstalled")({
  _tag: Schema.tag("ProviderNotInstalled"),
  package: Schema.String,
}) {
  readonly code = "PROVIDER_NOT_INSTALLED"
  readonly retry = "never"
}

export type ProviderError = ProviderUnknown | ProviderNotConfigured | ProviderNotInstalled
