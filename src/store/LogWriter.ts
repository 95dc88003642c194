/**
 * Take events in memory, and bring them onto a medium in one write each time; never again after a failure.
 *
 * In:  how the medium writes, and the seq that is due.      Out: a `LogWriter`, until the scope closes.
 * Fails with: `SeqConflict`, `StoreUnavailable`, `SessionFenced`; after the first failed write, sync or confirmation every
 * append fails with that error.
 * Order: write, sync, confirm, and only then is it told.
 * Not here: what a writer owes (`SessionStore.ts`), the media.
 */
import { Effect, type Scope, Semaphore } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import { checkSeq } from "./checkSeq.ts"
import type { Durability, LogWriter } from "./SessionStore.ts"
import type { SessionFenced, StoreUnavailable } from "./StoreError.ts"
import { closed } from "./unavailable.ts"

type Failure = StoreUnavailable | SessionFenced

/** How one medium keeps the events of one log. */
export interface Target {
  /** Units: the seq of the first event to come. */
  readonly nextSeq: number
  /** Bring events that follow on those before onto the medium. Never interrupted, never two at once. */
  readonly write: (events: ReadonlyArray<SessionEvent>) => Effect.Effect<void, Failure>
  /** Make all that was written survive a power loss. Missing where every write does. */
  readonly sync?: Effect.Effect<void, Failure>
  /** Run after every write and sync: whether it counts. Missing where a write is refused that does not. */
  readonly confirm?: Effect.Effect<void, Failure>
  /** Run once, at the first failure. */
  readonly onFailure?: () => void
}

/** Make the writer of a medium. Closing the scope writes what is still buffered; after that nothing is taken. */
export const make = (target: Target): Effect.Effect<LogWriter, never, Scope.Scope> => {
  const confirm = target.confirm ?? Effect.void
  const lock = Semaphore.makeUnsafe(1)
  let buffer: Array<SessionEvent> = []
  let due = target.nextSeq
  let isDirty = false
  let failure: Failure | undefined

  const write = Effect.suspend(() => {
    if (buffer.length === 0) return Effect.void
    const events = buffer
    buffer = []
    isDirty = true
    return target.write(events)
  })

  const sync = Effect.suspend(() => {
    if (!isDirty) return Effect.void
    isDirty = false
    return target.sync ?? Effect.void
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
          if (failure === undefined) target.onFailure?.()
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
  const close = Effect.andThen(
    Effect.ignore(flush("written")),
    Effect.sync(() => {
      failure ??= closed()
    }),
  )
  return Effect.as(
    Effect.addFinalizer(() => close),
    writer,
  )
}
