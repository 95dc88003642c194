/**
 * The base of every error that this package puts into a typed error channel.
 *
 * In:  a message, and the foreign value behind it if there is one.      Out: a yieldable, schema-backed error.
 * Fails with: nothing; a field of the wrong type throws in the constructor, which is a bug of the caller.
 * Not here: the classes themselves (one error file per room), foreign errors (`Foreign.ts`).
 */
import { Predicate, Schema } from "effect"

/** What a retry of the same thing is worth: `now` with corrected input, `later` unchanged, or `never`. */
export type Retry = "never" | "later" | "now"

const brand = "~effect-harness/HarnessError"

/**
 * Extend it with `HarnessError.extend` and give the subclass a literal `_tag`, `code` and `retry`.
 *
 * Source: docs/reference/errors.md lists every subclass with its code and what happens next.
 */
export abstract class HarnessError extends Schema.Error<HarnessError>("HarnessError")({
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect()),
}) {
  abstract readonly _tag: string
  /** Stable, SCREAMING_SNAKE, unique in this package. */
  abstract readonly code: string
  abstract readonly retry: Retry

  get [brand](): typeof brand {
    return brand
  }
}

/** Tell whether a value is one of this package's errors, also when it comes from a second copy of it. */
export const isHarnessError = (value: unknown): value is HarnessError => Predicate.hasProperty(value, brand)
