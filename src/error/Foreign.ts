/**
 * What somebody else threw, said once in one shape that programs can match on.
 *
 * In:  any value at all, also one that throws when it is read.      Out: `{ name, code, message }`, each of them usable text.
 * Fails with: nothing.
 * Not here: which error class it becomes (`tool/`, `model/`), what the model reads of it (`tool/describe.ts`).
 */
import { Context, Effect, Layer } from "effect"
import { findCode, isCode, toCode } from "./findCode.ts"
import { cut, findMessage } from "./findMessage.ts"
import type { Retry } from "./HarnessError.ts"
import { nameOf, read, readTag, text } from "./read.ts"
import * as worth from "./retryOf.ts"

export interface Foreign {
  /** The tag or the class name of what was thrown. */
  readonly name: string
  /** `ENOENT`, `HTTP_404`, `SQLSTATE_23505`, `TIMEOUT_ERR` …, or the name in upper snake; `UNKNOWN` when nothing tells. */
  readonly code: string
  /** One text, never empty, never `[object Object]`. */
  readonly message: string
}

/**
 * Say what one library's errors mean; nothing for those of others. What is left out is found as without it.
 *
 * Errors: one that throws is passed over. A code that is none is written as one: `rate limit` as `RATE_LIMIT`.
 */
export type Normaliser = (thrown: unknown) => Partial<Foreign> | undefined

/** Asked in this order, before all that is known here, where a tool's failure becomes a `ToolFailed`. */
export const Normalisers = Context.Reference<ReadonlyArray<Normaliser>>("effect-harness/error/Normalisers", {
  defaultValue: () => [],
})

/** Ask this one first. */
export const layer = (normaliser: Normaliser): Layer.Layer<never> =>
  Layer.effect(
    Normalisers,
    Effect.map(Normalisers, (others) => [normaliser, ...others]),
  )

/**
 * Normalise what was thrown or failed with.
 *
 * A `signal` that was handed to the failed work tells a time-out from a cancellation better than the error does.
 */
export const normalise = (thrown: unknown, { signal, normalisers = [] }: NormaliseOptions = {}): Foreign => {
  for (const normaliser of normalisers) {
    const said = ask(normaliser, thrown)
    if (said !== undefined) return complete(said, thrown, signal)
  }
  return { name: nameOf(thrown), code: findCode(thrown, signal), message: findMessage(thrown) }
}

export interface NormaliseOptions {
  readonly signal?: AbortSignal
  readonly normalisers?: ReadonlyArray<Normaliser>
}

/** Read the `_tag` of a value, if it has a usable one. */
export const tagOf = (thrown: unknown): string | undefined => readTag(thrown)

/** What a tagged error says of a second call itself, also one that came from another process, or throws when it is read. */
export const ownRetryOf = (thrown: unknown): Retry | undefined => {
  if (tagOf(thrown) === undefined) return undefined
  const retry = read(thrown, "retry")
  return retry === "never" || retry === "later" || retry === "now" ? retry : undefined
}

/** What a second call is worth after an error of this code; nothing when the code does not tell. */
export const retryOf = (code: string): Retry | undefined => worth.retryOf(code)

const ask = (normaliser: Normaliser, thrown: unknown): Partial<Foreign> | undefined => {
  try {
    return normaliser(thrown)
  } catch {
    return undefined
  }
}

const complete = (said: Partial<Foreign>, thrown: unknown, signal: AbortSignal | undefined): Foreign => {
  const code = text(read(said, "code"))
  const known = code === undefined || isCode(code) ? code : toCode(code)
  return {
    name: text(read(said, "name")) ?? nameOf(thrown),
    code: known ?? findCode(thrown, signal),
    message: cut(text(read(said, "message")) ?? findMessage(thrown)),
  }
}
