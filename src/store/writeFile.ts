/**
 * Append events to an open file: in one write call each time, synced when asked, never again after a failure.
 *
 * In:  a file that is positioned for appending, and the seq that is due.      Out: its `LogWriter`.
 * Fails with: `SeqConflict`, `StoreUnavailable`; after the first failed write or sync every append fails with that error.
 */
import { Effect, type FileSystem, type Scope, Semaphore } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import { checkSeq } from "./checkSeq.ts"
import * as LogFile from "./LogFile.ts"
import type { Durability, LogWriter } from "./SessionStore.ts"
import type { StoreUnavailable } from "./StoreError.ts"
import { unavailable } from "./unavailable.ts"

/** Closing the scope writes what is still buffered. `prepare` runs once, before the first write. */
export const makeWriter = (
  file: FileSystem.File,
  nextSeq: number,
  prepare: Effect.Effect<void, StoreUnavailable> = Effect.void,
): Effect.Effect<LogWriter, never, Scope.Scope> => {
  const encoder = new TextEncoder()
  const lock = Semaphore.makeUnsafe(1)
  let buffer: ReadonlyArray<SessionEvent> = []
  let due = nextSeq
  let isPrepared = false
  let isDirty = false
  let failure: StoreUnavailable | undefined

  const write = Effect.suspend(() => {
    if (buffer.length === 0) return Effect.void
    const bytes = encoder.encode(LogFile.encode(buffer))
    buffer = []
    const before = isPrepared ? Effect.void : prepare
    isPrepared = true
    isDirty = true
    return Effect.andThen(before, Effect.mapError(file.writeAll(bytes), unavailable("write")))
  })

  const sync = Effect.suspend(() => {
    if (!isDirty) return Effect.void
    isDirty = false
    return Effect.mapError(file.sync, unavailable("sync"))
  })

  const flush = (durability: Durability) =>
    Effect.suspend(() => {
      if (failure !== undefined) return Effect.fail(failure)
      return durability === "synced" ? Effect.andThen(write, sync) : write
    }).pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          failure = error
        }),
      ),
      // A write that is cut off would leave half a line for the next one to be glued to.
      Effect.uninterruptible,
      lock.withPermit,
    )

  const writer: LogWriter = {
    append: (events, durability) =>
      Effect.suspend((): ReturnType<LogWriter["append"]> => {
        if (failure !== undefined) return Effect.fail(failure)
        const conflict = checkSeq(events, due)
        if (conflict !== undefined) return Effect.fail(conflict)
        due += events.length
        buffer = [...buffer, ...events]
        return durability === "accepted" ? Effect.void : flush(durability)
      }),
  }
  return Effect.as(
    Effect.addFinalizer(() => Effect.ignore(flush("written"))),
    writer,
  )
}
