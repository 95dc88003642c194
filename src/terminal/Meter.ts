/**
 * Tell a person who waits how much of something long has been read, and how fast.
 *
 * In:  bytes as they are read.      Out: one line on stderr that is written over.
 * Nothing is told of what is short, and nothing where stderr is no terminal.
 * Not here: events that are gone through in memory (`Count.ts`).
 */
import { Clock, Effect } from "effect"
import { writeNote } from "./Streams.ts"

export interface Meter {
  readonly advance: (bytes: number) => Effect.Effect<void>
  /** Take the line away, so that something else can be written. */
  readonly clear: () => void
}

/** Units: milliseconds between two lines, and before the first. */
const intervalMillis = 200

const silent: Meter = { advance: () => Effect.void, clear: () => undefined }

/** Begin to count. Where the total is not known, as of a pipe, none is told. */
export const open = (totalBytes: number | undefined): Effect.Effect<Meter> =>
  process.stderr.isTTY === true
    ? Effect.map(Clock.currentTimeMillis, (now) => make(totalBytes, now))
    : Effect.succeed(silent)

const make = (totalBytes: number | undefined, startedAt: number): Meter => {
  let doneBytes = 0
  let toldAt = startedAt
  return {
    advance: (bytes) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        doneBytes += bytes
        if (now - toldAt < intervalMillis) return
        toldAt = now
        writeNote(`\r${line({ doneBytes, totalBytes, millis: now - startedAt })}\u001b[K`)
      }),
    clear: () => {
      if (toldAt > startedAt) writeNote("\r\u001b[K")
    },
  }
}

/** What a meter says. */
export const line = (at: {
  readonly doneBytes: number
  readonly totalBytes: number | undefined
  readonly millis: number
}): string => {
  const { doneBytes, totalBytes, millis } = at
  const rate = `${megabytes((doneBytes * 1_000) / Math.max(millis, 1))} MB/s`
  if (totalBytes === undefined || totalBytes === 0) return `${megabytes(doneBytes)} MB · ${rate}`
  const share = Math.min(doneBytes / totalBytes, 1)
  const bar = "█".repeat(Math.floor(share * barLength)).padEnd(barLength, "░")
  return `${bar} ${Math.floor(share * 100)}% · ${megabytes(doneBytes)} of ${megabytes(totalBytes)} MB · ${rate}`
}

const barLength = 20

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
