/**
 * Bring accepted events into the store, one write at a time, and answer those who wait for it.
 *
 * In:  accepted events; who waits for which durability.      Out: the marks, after every write.
 * Fails with: the store's error, once, for everybody who waits; after it nothing is written again.
 * Order: what is accepted while a write runs goes out together in the next one.
 */
import { type Cause, Deferred, Effect, Exit } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { LogWriter, WriteError } from "../store/SessionStore.ts"
import { type Marks, reached } from "./publish.ts"

export type Durable = "written" | "synced"

interface Waiter {
  readonly durability: Durable
  readonly seq: number
  readonly answer: Deferred.Deferred<void, WriteError>
}

export interface Committer {
  /** Keep events for the next write. */
  readonly add: (events: ReadonlyArray<SessionEvent>) => void
  /** Start writing now, and wait until all up to `seq` is as durable; interruption only stops the waiting. */
  readonly wait: (durability: Durable, seq: number) => Effect.Effect<void, WriteError>
  readonly marks: () => Marks
}

export const makeCommitter = (options: {
  readonly writer: LogWriter
  /** The last seq that the store holds; -1 for none. */
  readonly lastSeq: number
  /** Run in the background, from a synchronous step. */
  readonly fork: (effect: Effect.Effect<void>) => void
  /** May throw; everybody who waits then dies of that defect, as after a failed write. */
  readonly onWritten: (marks: Marks) => void
  /** May throw; everybody who waits then dies of that defect. */
  readonly onFailure: () => void
  /** May throw; that defect is the answer then. */
  readonly onAnswer: (told: Durable, seq: number, marks: Marks) => void
}): Committer => {
  let queue: Array<SessionEvent> = []
  let waiters: ReadonlyArray<Waiter> = []
  let isWriting = false
  let failure: Cause.Cause<WriteError> | undefined
  let marks: Marks = { written: options.lastSeq, synced: options.lastSeq }

  const answer = (waiter: Waiter) => {
    Deferred.doneUnsafe(
      waiter.answer,
      Effect.sync(() => options.onAnswer(waiter.durability, waiter.seq, marks)),
    )
  }

  const fail = (cause: Cause.Cause<WriteError>) => {
    failure = cause
    const failed = waiters
    waiters = []
    return Effect.map(Effect.exit(Effect.sync(options.onFailure)), (told) => {
      const answer = Exit.isFailure(told) ? told : Exit.failCause(cause)
      for (const waiter of failed) Deferred.doneUnsafe(waiter.answer, answer)
    })
  }

  const succeed = (events: ReadonlyArray<SessionEvent>, durability: Durable) => {
    const written = events.at(-1)?.seq ?? marks.written
    marks = { written, synced: durability === "synced" ? written : marks.synced }
    options.onWritten(marks)
    const satisfied = waiters.filter((waiter) => reached(marks, waiter.durability, waiter.seq))
    waiters = waiters.filter((waiter) => !satisfied.includes(waiter))
    satisfied.forEach(answer)
  }

  const write = Effect.suspend(() => {
    const events = queue
    queue = []
    const durability = waiters.some((waiter) => waiter.durability === "synced") ? "synced" : "written"
    return Effect.matchCauseEffect(options.writer.append(events, durability), {
      onFailure: fail,
      onSuccess: () =>
        Effect.catchCause(
          Effect.sync(() => succeed(events, durability)),
          fail,
        ),
    })
  })

  const drain = Effect.uninterruptible(
    Effect.gen(function* () {
      while (waiters.length > 0) yield* write
      isWriting = false
    }),
  )

  return {
    add: (events) => {
      for (const event of events) queue.push(event)
    },
    wait: (durability, seq) => {
      if (failure !== undefined) return Effect.failCause(failure)
      if (reached(marks, durability, seq)) return Effect.void
      const waiter: Waiter = { durability, seq, answer: Deferred.makeUnsafe() }
      waiters = [...waiters, waiter]
      if (!isWriting) {
        isWriting = true
        options.fork(drain)
      }
      return Deferred.await(waiter.answer)
    },
    marks: () => marks,
  }
}
