/**
 * Say what the medium did in the terms of the store.
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
