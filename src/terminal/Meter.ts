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
    ? Effect.map(Clock.Clock, (clock) => {
        const { tell, clear } = make(totalBytes, clock)
        let doneBytes = 0
        const advance = (bytes: number) =>
          Effect.sync(() => {
            doneBytes += bytes
            tell(doneBytes)
          })
        return { advance, clear }
      })
    : Effect.succeed(silent)

/** What a reader calls that goes through a file in one go. */
export type Follow = (doneBytes: number, totalBytes: number) => void

/** The same for such a reader; the line goes away when all is read. */
export const follow: Effect.Effect<Follow> = Effect.map(Clock.Clock, (clock) => {
  if (process.stderr.isTTY !== true) return () => undefined
  let meter: ReturnType<typeof make> | undefined
  return (doneBytes, totalBytes) => {
    meter ??= make(totalBytes, clock)
    meter.tell(doneBytes)
    if (doneBytes < totalBytes) return
    meter.clear()
    meter = undefined
  }
})

const make = (totalBytes: number | undefined, clock: Clock.Clock) => {
  const startedAt = clock.currentTimeMillisUnsafe()
  let toldAt = startedAt
  return {
    tell: (doneBytes: number): void => {
      const now = clock.currentTimeMillisUnsafe()
      if (now - toldAt < intervalMillis) return
      toldAt = now
      writeNote(`\r${line({ doneBytes, totalBytes, millis: now - startedAt })}\u001b[K`)
    },
    clear: (): void => {
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
