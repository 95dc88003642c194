/**
 * Say what the medium did, or was spared, in the terms of the store.
 *
 * In:  the operation, and what it failed with.      Out: `StoreUnavailable` with the normalised code.
 */
import * as Foreign from "../error/Foreign.ts"
import { StoreUnavailable } from "./StoreError.ts"

export const unavailable =
  (operation: string) =>
  (cause: unknown): StoreUnavailable => {
    const { code, message } = Foreign.normalise(cause)
    return new StoreUnavailable({
      operation,
      reason: code,
      message: `${operation} failed: ${message}`,
      cause,
    })
  }

/** An id that no store takes, so that what one holds any other can. */
export const refuseId = (id: string): StoreUnavailable =>
  new StoreUnavailable({
    operation: "create",
    reason: "EINVAL",
    message: `a session id has 1 to 128 letters, digits, ".", "_", "-" and begins with a letter or digit: ${JSON.stringify(id)}`,
  })

/** A writer that is used after its scope. */
export const closed = (): StoreUnavailable =>
  new StoreUnavailable({ operation: "append", reason: "CLOSED", message: "the log is closed" })
