/**
 * Say what the medium did, or was spared, in the terms of the store.
 *
 * In:  the operation, and what it failed with.      Out: `StoreUnavailable` with the normalised code.
 */
import { PlatformError } from "effect"
import * as Foreign from "../error/Foreign.ts"
import { SessionExists, StoreUnavailable } from "./StoreError.ts"

export const unavailable =
  (operation: string) =>
  (cause: unknown): StoreUnavailable => {
    const { code, message } = Foreign.normalise(cause)
    return new StoreUnavailable({
      operation,
      reason: code,
      message: `cannot ${attempts.get(operation) ?? operation}: ${systemMessage(cause) ?? message}`,
      cause,
    })
  }

/** What was attempted, as a person would say it. */
const attempts = new Map([
  ["append", "append to the log"],
  ["check", "check that the log is still ours"],
  ["connect", "connect to the database"],
  ["create", "create the log"],
  ["find", "find the log"],
  ["lease", "take the lease of the session"],
  ["list", "list the logs"],
  ["migrate", "bring the tables up to date"],
  ["open", "open the log"],
  ["read", "read the log"],
  ["sync", "sync the log"],
  ["write", "write to the log"],
])

/** Effect names the method and a descriptor; the system beneath it says why, such as `ENOSPC: no space left on device`. */
const systemMessage = (cause: unknown): string | undefined => {
  if (!(cause instanceof PlatformError.PlatformError)) return undefined
  const system = cause.reason.cause
  return system instanceof Error && system.message !== "" ? system.message : undefined
}

/** An id that a session has which was begun. */
export const exists = (id: string): SessionExists =>
  new SessionExists({ id, message: `session ${id} exists already` })

/** A writer that is used after its scope. */
export const closed = (): StoreUnavailable =>
  new StoreUnavailable({ operation: "append", reason: "CLOSED", message: "the log is closed" })
