/**
 * The base of every error that this package puts into a typed error channel.
 *
 * In:  a message, and the foreign value behind it if there is one.      Out: a yieldable, schema-backed error.
 * Fails with: nothing; a field of the wrong type throws in the constructor, which is a bug of the caller.
 * Not here: the classes themselves (one error file per room), foreign errors (`Foreign.ts`).
 */
import { Schema } from "effect"
import { Carried, toJson } from "./carry.ts"
import { read } from "./read.ts"

/** What a retry of the same thing is worth: `now` with corrected input, `later` unchanged, or `never`. */
export type Retry = "never" | "later" | "now"

const brand = "~effect-harness/HarnessError"
const inspectSymbol = Symbol.for("nodejs.util.inspect.custom")

/** Errors that a console is in the middle of: each inspection of a cause begins anew, and would not see a circle. */
const shown = new WeakSet<object>()

/**
 * Extend it with `HarnessError.extend` and give the subclass a literal `_tag`, `code` and `retry`.
 *
 * Source: docs/reference/errors.md lists every subclass with its code and what happens next.
 */
export abstract class HarnessError extends Schema.Error<HarnessError>("HarnessError")({
  message: Schema.String,
  /** Anything at all. Over a wire it keeps its name, message, code and causes, and becomes an `Error` again. */
  cause: Schema.optionalKey(Carried),
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
    const cause = this.cause === undefined ? {} : { cause: toJson(this.cause) }
    const { name, message, retry } = this
    return { ...fieldsOf(this, ["cause", "stack"]), name, message, retry, ...cause }
  }

  /** What a console shows: tag, code and message on one line, then the stack, the fields and the cause. */
  [inspectSymbol](
    _depth: number,
    options: object,
    inspect: (value: unknown, options: object) => string,
  ): string {
    const head = `${this._tag} (${this.code}): ${this.message}`
    if (shown.has(this)) return `[Circular ${head}]`
    shown.add(this)
    try {
      return [head, ...this.#details(options, inspect)].join("\n")
    } finally {
      shown.delete(this)
    }
  }

  #details(options: object, inspect: (value: unknown, options: object) => string): ReadonlyArray<string> {
    const frames = (this.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line))
    const fields = fieldsOf(this, ["_tag", "name", "code", "message", "retry", "cause", "stack"])
    const rest = Object.keys(fields).length === 0 ? [] : [inspect(fields, options)]
    const cause = this.cause === undefined ? [] : [`[cause]: ${inspect(this.cause, options)}`]
    return [...frames, ...rest, ...cause]
  }
}

/** Tell whether a value is one of this package's errors, also when it comes from a second copy of it. */
export const isHarnessError = (value: unknown): value is HarnessError => read(value, brand) === brand

/** The members of `E` with one of the codes; of a class whose code is any text, the instances with one of them. */
export type WithCode<E, C extends string> = E extends { readonly code: infer K }
  ? string extends K
    ? E & { readonly code: C }
    : K extends C
      ? E
      : never
  : never

/**
 * Narrow a failure by its code: `Effect.catchIf(hasCode("ENOENT"), …)`.
 *
 * Not for foreign errors: `Foreign.normalise` finds the code of those.
 */
export const hasCode =
  <const C extends string>(...codes: ReadonlyArray<C>) =>
  <E>(error: E): error is WithCode<E, C> => {
    const code = read(error, "code")
    return codes.some((one) => one === code)
  }

const fieldsOf = (error: object, without: ReadonlyArray<string>): object =>
  Object.fromEntries(Object.entries(error).filter(([key]) => !without.includes(key)))
