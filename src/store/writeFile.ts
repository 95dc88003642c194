/**
 * Append events to an open file: in one write call each time, synced when asked, never again after a failure.
 *
 * In:  a file that is positioned for appending, and the seq that is due.      Out: its `LogWriter`.
 * Fails with: `SeqConflict`, `StoreUnavailable`, `SessionFenced`; after the first failed write, sync or confirmation every
 * append fails with that error.
 * Order: write, sync, confirm, and only then is it told.
 */
import { Effect, type FileSystem, type Scope, Semaphore } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import { type Disk, syncFile } from "../lease/Disk.ts"
import { checkSeq } from "./checkSeq.ts"
import * as LogFile from "./LogFile.ts"
import type { Durability, LogWriter } from "./SessionStore.ts"
import type { SessionFenced, StoreUnavailable } from "./StoreError.ts"
import { unavailable } from "./unavailable.ts"

type Failure = StoreUnavailable | SessionFenced

export interface Target {
  readonly disk: Disk
  readonly file: FileSystem.File
  /** Units: the seq of the first event to come. */
  readonly nextSeq: number
  /** Run once, before the first write. */
  readonly prepare: Effect.Effect<void, Failure>
  /** Run after every write and sync: whether it counts. */
  readonly confirm: Effect.Effect<void, Failure>
  readonly onFailure: () => void
}

/** Closing the scope writes what is still buffered. */
export const makeWriter = (target: Target): Effect.Effect<LogWriter, never, Scope.Scope> => {
  const { disk, file, prepare, confirm } = target
  const encoder = new TextEncoder()
  const lock = Semaphore.makeUnsafe(1)
  let buffer: Array<SessionEvent> = []
  let due = target.nextSeq
  let isPrepared = false
  let isDirty = false
  let failure: Failure | undefined

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
    return Effect.mapError(syncFile(disk, file), unavailable("sync"))
  })

  const flush = (durability: Durability) =>
    Effect.suspend((): Effect.Effect<void, Failure> => {
      if (failure !== undefined) return Effect.fail(failure)
      const isIdle = buffer.length === 0 && (durability === "written" || !isDirty)
      if (isIdle) return Effect.void
      return Effect.andThen(durability === "synced" ? Effect.andThen(write, sync) : write, confirm)
    }).pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (failure === undefined) target.onFailure()
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
        for (const event of events) buffer.push(event)
        return durability === "accepted" ? Effect.void : flush(durability)
      }),
  }
  return Effect.as(
    Effect.addFinalizer(() => Effect.ignore(flush("written"))),
    writer,
  )
}
