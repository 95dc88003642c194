/**
 * What somebody else threw, said once in one shape that programs can match on.
 *
 * In:  any value at all, also one that throws when it is read.      Out: `{ name, code, message }`, each of them usable text.
 * Fails with: nothing.
 * Not here: which error class it becomes (`tool/`, `model/`), what the model reads of it (`tool/describe.ts`).
 */
import { findCode } from "./findCode.ts"
import { findMessage } from "./findMessage.ts"
import { nameOf, readTag } from "./read.ts"

export interface Foreign {
  /** The tag or the class name of what was thrown. */
  readonly name: string
  /** `ENOENT`, `HTTP_404`, `SQLSTATE_23505`, `TIMEOUT_ERR` …, or the name in upper snake; `UNKNOWN` when nothing tells. */
  readonly code: string
  /** One text, never empty, never `[object Object]`. */
  readonly message: string
}

/**
 * Normalise what was thrown or failed with.
 *
 * A `signal` that was handed to the failed work tells a time-out from a cancellation better than the error does.
 */
export const normalise = (thrown: unknown, signal?: AbortSignal): Foreign => ({
  name: nameOf(thrown),
  code: findCode(thrown, signal),
  message: findMessage(thrown),
})

/** Read the `_tag` of a value, if it has a usable one. */
export const tagOf = (thrown: unknown): string | undefined => readTag(thrown)
