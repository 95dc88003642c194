/**
 * Take the lease of a session, or say who has it.
 *
 * In:  where the session lies, and what one may do to others.      Out: `Lease`.
 * Fails with: `SessionBusy` with the holder, `StoreUnavailable`.
 * Not here: what a lease is (`lease/Lease.ts`).
 */
import { Clock, Duration, Effect, type PlatformError } from "effect"
import { type Held, type Options, take } from "../lease/Lease.ts"
import { nameLeases } from "./findLog.ts"
import type { Where } from "./goOn.ts"
import { SessionBusy } from "./StoreError.ts"
import { unavailable } from "./unavailable.ts"

export interface LeaseOptions {
  /**
   * Take sessions from whoever holds them, also from a process that is alive: it gets `SessionFenced` at its next write.
   * Never from this very process.
   */
  readonly force?: boolean
  /**
   * Take a session whose holder cannot be looked at from here (another host, container or an unreadable lease), once
   * nothing has been written to its log for so long. Without it, and without `force`, such a session stays busy.
   */
  readonly stealAfter?: Duration.Input
}

type LastWrite = Effect.Effect<number, PlatformError.PlatformError>

export const takeLease = (
  { disk, directory, id }: Where,
  options: LeaseOptions & Pick<Options, "syncsParent">,
  lastWrite: LastWrite,
) =>
  take({
    disk,
    directory: disk.path.join(directory, nameLeases(id)),
    syncsParent: options.syncsParent ?? false,
    mayTake: (held) => mayTake(options, held, lastWrite),
  }).pipe(
    Effect.catchTag("Held", (held) => Effect.fail(busyWith(id, held))),
    Effect.catchTag("PlatformError", (error) => Effect.fail(unavailable("lease")(error))),
  )

const mayTake = (
  { force = false, stealAfter }: LeaseOptions,
  { standing, holder }: Held,
  lastWrite: LastWrite,
) => {
  if (force) return Effect.succeed(true)
  if (standing !== "unknown" || stealAfter === undefined) return Effect.succeed(false)
  const patience = Duration.toMillis(stealAfter)
  return Effect.zipWith(
    lastWrite,
    Clock.currentTimeMillis,
    (written, now) => now - Math.max(written, holder?.since ?? 0) >= patience,
  )
}

const busyWith = (id: string, { standing, holder }: Held) =>
  new SessionBusy({
    id,
    ...(holder !== undefined && { holder: { host: holder.host, pid: holder.pid, since: holder.since } }),
    message: `session ${id} is ${standing === "own" ? "open already" : `held by ${describe(standing, holder)}`}`,
  })

const describe = (standing: Held["standing"], holder: Held["holder"]): string => {
  const who =
    holder === undefined
      ? "somebody whose lease cannot be read"
      : `process ${holder.pid} on ${holder.host} since ${showTime(holder.since)}`
  return standing === "unknown" ? `${who}; whether it still lives cannot be seen from here` : who
}

const showTime = (millis: number): string => {
  const date = new Date(millis)
  return Number.isNaN(date.getTime()) ? String(millis) : date.toISOString()
}
