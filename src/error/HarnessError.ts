/**
 * The base of every error that this package puts into a typed error channel.
 *
 * In:  a message, and the foreign value behind it if there is one.      Out: a yieldable, schema-backed error.
 * Fails with: nothing; a field of the wrong type throws in the constructor, which is a bug of the caller.
 * Not here: the classes themselves (one error file per room), foreign errors (`Foreign.ts`).
 */
import { Schema } from "effect"
import * as Foreign from "./Foreign.ts"
import { read } from "./read.ts"

/** What a retry of the same thing is worth: `now` with corrected input, `later` unchanged, or `never`. */
export type Retry = "never" | "later" | "now"

const brand = "~effect-harness/HarnessError"
const inspectSymbol = Symbol.for("nodejs.util.inspect.custom")

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

  /** All fields, and the chain of causes with what `JSON.stringify` would lose: name, message and code. */
  override toJSON(): object {
    return { ...fieldsOf(this, ["cause", "stack"]), name: this.name, message: this.message, ...causeOf(this) }
  }

  /** What a console shows: tag, code and message on one line, then the stack, the fields and the cause. */
  [inspectSymbol](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    const head = `${this._tag} (${this.code}): ${this.message}`
    const frames = (this.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line))
    const fields = fieldsOf(this, ["_tag", "name", "code", "message", "retry", "cause", "stack"])
    const rest = Object.keys(fields).length === 0 ? [] : [inspect(fields, options)]
    const cause = this.cause === undefined ? [] : [`[cause]: ${inspect(this.cause, options)}`]
    return [head, ...frames, ...rest, ...cause].join("\n")
  }
}

/** Tell whether a value is one of this package's errors, also when it comes from a second copy of it. */
export const isHarnessError = (value: unknown): value is HarnessError => read(value, brand) === brand

const fieldsOf = (error: object, without: ReadonlyArray<string>): object =>
  Object.fromEntries(Object.entries(error).filter(([key]) => !without.includes(key)))

const isJson = Schema.is(Schema.Json)

/** Deep enough for any real chain, and an end for one that runs in a circle. */
const maxCauses = 8

const causeOf = (error: object, depth = 0): { readonly cause?: unknown } => {
  if (!("cause" in error) || error.cause === undefined || depth === maxCauses) return {}
  const { cause } = error
  if (!(cause instanceof Error)) return { cause: isJson(cause) ? cause : Foreign.normalise(cause) }
  const code = "code" in cause ? { code: cause.code } : {}
  return { cause: { name: cause.name, message: cause.message, ...code, ...causeOf(cause, depth + 1) } }
}
