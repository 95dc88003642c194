/**
 * Bring accepted events into the store, one write at a time, and answer those who wait for it.
 *
 * In:  the accepted events; who waits for which durability.      Out: the marks, after every write.
 * Fails with: the store's error, once, for everybody who waits; after it nothing is written again.
 * Order: what is accepted while a write runs goes out together in the next one.
 *
 * A store that answers at once, such as one in memory, is answered for at once: nobody is put to sleep and woken.
 */
import { Cause, Deferred, Effect, Exit, type Fiber } from "effect"
import * as Contained from "../error/Contained.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { LogWriter, WriteError } from "../store/SessionStore.ts"
import { type Marks, reached } from "./publish.ts"

export type Durable = "written" | "synced"

export interface Committer {
  /** Start writing now, and wait until all up to `seq` is as durable; interruption only stops the waiting. */
  readonly wait: (durability: Durable, seq: number) => Effect.Effect<void, WriteError>
  readonly marks: () => Marks
}

export interface Options {
  readonly writer: LogWriter
  /** The last seq that the store holds; -1 for none. */
  readonly lastSeq: number
  /** All accepted events from a seq on. */
  readonly since: (seq: number) => ReadonlyArray<SessionEvent>
  /** Run in the background, from a synchronous step. */
  readonly fork: <E>(effect: Effect.Effect<void, E>) => Fiber.Fiber<void, E>
  /** May throw; everybody who waits then dies of that defect, as after a failed write. */
  readonly onWritten: (marks: Marks) => void
  /** May throw; everybody who waits then dies of that defect. */
  readonly onFailure: () => void
  /** May throw; that defect is the answer then. Who hears no answers is given them without a step. */
  readonly onAnswer: ((told: Durable, seq: number, marks: Marks) => void) | undefined
}

/** Somebody who waits; sleeps only when the answer is not there yet. */
class Waiter {
  readonly durability: Durable
  readonly seq: number
  private answer: Effect.Effect<void, WriteError> | undefined
  private asleep: Deferred.Deferred<void, WriteError> | undefined

  constructor(durability: Durable, seq: number) {
    this.durability = durability
    this.seq = seq
  }

  settle(answer: Effect.Effect<void, WriteError>): void {
    this.answer = answer
    if (this.asleep !== undefined) Deferred.doneUnsafe(this.asleep, answer)
  }

  wait(): Effect.Effect<void, WriteError> {
    if (this.answer !== undefined) return this.answer
    this.asleep = Deferred.makeUnsafe()
    return Deferred.await(this.asleep)
  }
}

export const makeCommitter = (options: Options): Committer => {
  const { onAnswer } = options
  let nextSeq = options.lastSeq + 1
  let waiters: Array<Waiter> = []
  let isWriting = false
  let failure: Cause.Cause<WriteError> | undefined
  let marks: Marks = { written: options.lastSeq, synced: options.lastSeq }

  const fail = (cause: Cause.Cause<WriteError>): void => {
    failure = cause
    const failed = waiters
    waiters = []
    let answer: Exit.Exit<void, WriteError> = Exit.failCause(cause)
    try {
      options.onFailure()
    } catch (defect) {
      answer = Exit.die(defect)
    }
    for (const waiter of failed) waiter.settle(answer)
  }

  const succeed = (events: ReadonlyArray<SessionEvent>, durability: Durable): void => {
    const written = events.at(-1)?.seq ?? marks.written
    marks = { written, synced: durability === "synced" ? written : marks.synced }
    options.onWritten(marks)
    const asked = waiters
    waiters = asked.filter(({ durability, seq }) => !reached(marks, durability, seq))
    for (const waiter of asked) {
      const { durability, seq } = waiter
      if (!reached(marks, durability, seq)) continue
      waiter.settle(onAnswer ? Effect.sync(() => onAnswer(durability, seq, marks)) : Effect.void)
    }
  }

  const end = (
    exit: Exit.Exit<void, WriteError>,
    events: ReadonlyArray<SessionEvent>,
    durability: Durable,
  ): void => {
    if (Exit.isFailure(exit)) return fail(exit.cause)
    try {
      succeed(events, durability)
    } catch (defect) {
      fail(Cause.die(defect))
    }
  }

  /** Write as long as somebody waits: here while the store answers at once, else when its answer comes. */
  const drain = (): void => {
    isWriting = true
    while (waiters.length > 0) {
      const events = options.since(nextSeq)
      nextSeq += events.length
      const durability = waiters.some((waiter) => waiter.durability === "synced") ? "synced" : "written"
      const begun = Contained.begin(() => options.writer.append(events, durability))
      if (Contained.isOver(begun)) {
        end(begun, events, durability)
        continue
      }
      const writing = options.fork(begun)
      const exit = writing.pollUnsafe()
      if (exit === undefined) {
        writing.addObserver((late) => {
          end(late, events, durability)
          drain()
        })
        return
      }
      end(exit, events, durability)
    }
    isWriting = false
  }

  return {
    wait: (durability, seq) => {
      if (failure !== undefined) return Effect.failCause(failure)
      if (reached(marks, durability, seq)) return Effect.void
      const waiter = new Waiter(durability, seq)
      waiters.push(waiter)
      if (!isWriting) drain()
      return waiter.wait()
    },
    marks: () => marks,
  }
}
