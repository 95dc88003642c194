/**
 * Say what the medium did, or was spared, in the terms of the store.
 *
 * In:  the operation, and what it failed with.      Out: `StoreUnavailable` with the normalised code.
 */
import * as Foreign from "../error/Foreign.ts"
import { SessionExists, StoreUnavailable } from "./StoreError.ts"

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

/** An id that a session has which was begun. */
export const exists = (id: string): SessionExists =>
  new SessionExists({ id, message: `session ${id} exists already` })

/** A writer that is used after its scope. */
export const closed = (): StoreUnavailable =>
  new StoreUnavailable({ operation: "append", reason: "CLOSED", message: "the log is closed" })
