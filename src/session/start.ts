/**
 * Put an open session together: accept in memory, commit to the store, publish to listeners.
 *
 * In:  an admitted log and its writer.      Out: `Session`, until the scope closes.
 * Order: closing refuses new events, syncs what was accepted, publishes it, ends `events`, and is `disposed`.
 */
import { type Cause, Clock, Effect, type Fiber, Queue, Result, type Scope, Stream } from "effect"
import type { Admission } from "../contract/Admission.ts"
import type { EventRejected } from "../event/EventError.ts"
import { Registry } from "../event/EventType.ts"
import type { EventDraft, SessionEvent } from "../event/SessionEvent.ts"
import type { Durability, LogWriter } from "../store/SessionStore.ts"
import { type Ledger, makeLedger } from "./accept.ts"
import { makeCommitter } from "./commit.ts"
import * as History from "./History.ts"
import { Observer, type SessionObserver } from "./Observer.ts"
import { makePublisher, type Publisher } from "./publish.ts"
import type { Session } from "./Session.ts"
import { SessionPoisoned } from "./SessionError.ts"
import type { Status } from "./SessionState.ts"

export interface Start {
  readonly id: string
  readonly location: string
  readonly aside?: string
  readonly existing: ReadonlyArray<SessionEvent>
  readonly admission: Admission
  readonly writer: LogWriter
}

interface Around {
  readonly clock: Clock.Clock
  readonly registry: Registry
  readonly observer: SessionObserver | undefined
  /** Run in the background, from a synchronous step. */
  readonly fork: <E>(effect: Effect.Effect<void, E>) => Fiber.Fiber<void, E>
}

/** The four parts of a session, tied together; each knows only what it is told. */
const makeParts = (options: Start, { clock, registry, observer, fork }: Around) => {
  const { existing, admission, writer } = options
  const ledger = makeLedger({ existing, admission, clock, registry, observer })
  const status = makeStatus(ledger, observer?.onStatus)
  const publisher = makePublisher((cause) => {
    // In production a listener must not break the session; where one watches, its bug is what the test is for.
    if (observer !== undefined) throw cause
    fork(Effect.logError("a listener of a session threw; it is not told any more", cause))
  })
  const dispose = () => {
    try {
      status.dispose()
    } finally {
      publisher.end()
    }
  }
  const committer = makeCommitter({
    writer,
    lastSeq: existing.length - 1,
    since: ledger.since,
    fork,
    onWritten: publisher.release,
    onFailure: dispose,
    onAnswer:
      observer &&
      ((told, seq, { written, synced }) =>
        observer.onAcknowledge({ told, seq, writtenSeq: written, syncedSeq: synced })),
  })
  return { ledger, status, publisher, committer, dispose }
}

export const start = Effect.fnUntraced(function* (
  options: Start,
): Effect.fn.Return<Session, never, Scope.Scope> {
  const { id, location, aside } = options
  const clock = yield* Clock.Clock
  const registry = yield* Registry
  const observer = (yield* Observer)?.watch(id, options.existing)
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const { ledger, status, publisher, committer, dispose } = makeParts(options, {
    clock,
    registry,
    observer,
    fork,
  })

  let isClosing = false
  // Asked for twice a step, and as long as the session.
  let told = { history: History.initial, messages: History.messages(History.initial) }
  yield* Effect.addFinalizer(() => {
    isClosing = true
    const flush = committer.wait("synced", ledger.state().nextSeq - 1)
    return Effect.exit(flush).pipe(Effect.andThen(Effect.sync(dispose)))
  })

  const isShut = () => isClosing || status.now() === "disposed"

  const accept = (
    drafts: ReadonlyArray<EventDraft>,
    durability: Durability,
  ): Result.Result<ReadonlyArray<SessionEvent>, EventRejected> => {
    const accepted = ledger.accept(drafts)
    if (Result.isFailure(accepted)) return accepted
    publisher.add(accepted.success, durability)
    try {
      accepted.success.forEach(status.follow)
    } finally {
      publisher.release(committer.marks())
    }
    return accepted
  }

  return {
    id,
    location,
    ...(aside !== undefined && { aside }),
    append: (durability, decide) =>
      Effect.suspend((): ReturnType<Session["append"]> => {
        if (isShut()) return Effect.fail(poisoned(id))
        const accepted = accept(decide(ledger.state()), durability)
        if (Result.isFailure(accepted)) return Effect.fail(accepted.failure)
        if (durability === "accepted") return Effect.succeed(accepted.success)
        // Called in this same synchronous step, so an interruption cannot come before the write is under way.
        const waiting = committer.wait(durability, ledger.state().nextSeq - 1)
        return Effect.mapEager(waiting, () => accepted.success)
      }),
    accept: (draft) => {
      if (isShut()) return Result.fail(poisoned(id))
      const accepted = ledger.acceptOne(draft)
      if (Result.isFailure(accepted)) return accepted
      publisher.addOne(accepted.success)
      try {
        status.follow(accepted.success)
      } finally {
        publisher.release(committer.marks())
      }
      return accepted
    },
    state: ledger.state,
    messages: () => {
      const history = ledger.history()
      if (told.history !== history) told = { history, messages: History.messages(history) }
      return told.messages
    },
    log: ledger.log,
    events: streamOf(publisher),
    subscribe: (listener) => publisher.subscribe(listener),
    status: status.now,
    observeRequest: (messages) => observer?.onRequest(messages),
  }
})

const poisoned = (id: string) =>
  new SessionPoisoned({ id, message: `session ${id} is closed, or a write of it failed; open it again` })

/** Keep every event until the subscriber takes it; nothing is dropped. */
const streamOf = (publisher: Publisher): Session["events"] =>
  Stream.unwrap(
    Effect.gen(function* () {
      const queue = yield* Queue.unbounded<SessionEvent, Cause.Done>()
      const subscribe = Effect.sync(() =>
        publisher.subscribe(
          (event) => void Queue.offerUnsafe(queue, event),
          () => void Queue.endUnsafe(queue),
        ),
      )
      yield* Effect.acquireRelease(subscribe, (unsubscribe) => Effect.sync(unsubscribe))
      return Stream.fromQueue(queue)
    }),
  )

/** The status that follows from the log, told as it moves. */
const makeStatus = (ledger: Ledger, onStatus: ((from: Status, to: Status) => void) | undefined) => {
  let status: Status = ledger.state().turnIsOpen ? "running" : "idle"
  const move = (to: Status) => {
    const from = status
    if (from === to || from === "disposed") return
    status = to
    onStatus?.(from, to)
  }
  return {
    now: () => status,
    follow: ({ type }: SessionEvent) => {
      if (type === "turn/start") move("running")
      else if (type === "turn/end") move("idle")
    },
    dispose: () => move("disposed"),
  }
}
