/**
 * Serve the inbox of a session: one fiber, woken by a latch, that runs one turn after the other.
 *
 * In:  messages in the session's state, which is the only queue.      Out: turns; each waiter gets its turn's end.
 * Fails with: append errors, or dies of the defect that a log's observer threw; either way the agent is disposed.
 * Order: claim and `turn/start` are one append. A turn claims the first waiting user message and what was accepted
 * before it, so one prompt is one turn. Steering that an abort left behind wakes nobody. A turn that is open in the log
 * at the beginning is gone on with first.
 * Not here: what happens in a turn (`turn/`), accepting messages (`Agent.ts`).
 */
import { Cause, Deferred, Effect, Exit, Fiber, Latch } from "effect"
import type { AppendError, Session } from "../session/Session.ts"
import { claimsOf } from "../turn/Recall.ts"
import { runTurn, type Stop, type TurnParts } from "../turn/Turn.ts"
import type { TurnResult } from "../turn/TurnResult.ts"
import { AgentDisposed } from "./LoopError.ts"

type Waiter<A> = Deferred.Deferred<TurnResult<A>, AppendError | AgentDisposed>

/** Several callers may wait for one message: a send that is repeated is the same message. */
interface Waiting<A> {
  readonly waiter: Waiter<A>
  callers: number
}

export interface Server<A> {
  /** The fiber's whole life; it ends by interruption, or with what failed it. */
  readonly run: Effect.Effect<never, AppendError>
  /** Something was accepted: look at the inbox. */
  readonly ring: () => void
  /** Wait for the turn that claims a message. */
  readonly waitFor: (messageId: string) => Waiter<A>
  /** Wait no longer; once for each `waitFor`. */
  readonly forget: (messageId: string) => void
  /** Interrupt the turn that runs; its end is told by the log's `turn/abort`. */
  readonly interruptTurn: (reason: string) => void
  /** Return when no turn runs and no message wakes one, or when the server is down; dies of what it died of. */
  readonly awaitIdle: Effect.Effect<void>
  /** Why nothing more is served, once that is so. */
  readonly down: () => AgentDisposed | undefined
}

/** `latestAnswer` gives what the answer tool took last; it goes with the turn that it ends. */
export const makeServer = <A>(parts: TurnParts, latestAnswer: () => A | undefined): Server<A> => {
  const bell = Latch.makeUnsafe(false)
  const quiet = Latch.makeUnsafe(false)
  const { waitFor, forget, settle, settleAll } = makeWaiters<A>()
  let running: { readonly fiber: Fiber.Fiber<TurnResult, AppendError>; readonly stop: Stop } | undefined
  let isBusy = true
  let down: (() => AgentDisposed) | undefined
  let death: Effect.Effect<void> = Effect.void

  const rest = Effect.suspend(() => {
    isBusy = false
    quiet.openUnsafe()
    return Effect.interruptible(bell.await)
  })

  const oneTurn = Effect.fnUntraced(function* (claims: ReadonlyArray<string>, isResumed: boolean) {
    const stop: Stop = {}
    const fiber = yield* Effect.forkChild(runTurn(parts, stop, isResumed), { uninterruptible: true })
    running = { fiber, stop }
    const waited = yield* Effect.exit(Effect.interruptible(Fiber.await(fiber)))
    if (Exit.isFailure(waited)) {
      stop.cause ??= "disposed"
      yield* Fiber.interrupt(fiber)
    }
    const exit = yield* Fiber.await(fiber)
    running = undefined
    const told = Exit.map(exit, (result) => withAnswer(result, latestAnswer()))
    for (const messageId of claims) settle(messageId, told)
    if (Exit.isFailure(exit)) return yield* Effect.failCause(exit.cause)
  })

  const goDown = (exit: Exit.Exit<never, AppendError>) =>
    Effect.sync(() => {
      const failure = Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? exit : undefined
      const why = disposed(failure && Cause.squash(failure.cause))
      down = why
      if (failure && Cause.hasDies(failure.cause)) death = Effect.die(Cause.squash(failure.cause))
      settleAll(() => failure ?? Exit.fail(why()))
      quiet.openUnsafe()
    })

  const run = Effect.gen(function* () {
    const open = openTurn(parts.session)
    if (open !== undefined) yield* oneTurn(open, true)
    while (true) {
      yield* leaveIfInterrupted
      bell.closeUnsafe()
      const claims = yield* beginTurn(parts.session)
      if (claims === undefined) yield* rest
      else yield* oneTurn(claims, false)
    }
  }).pipe(Effect.onExit(goDown), Effect.uninterruptible)

  return {
    run,
    ring: () => {
      isBusy = true
      quiet.closeUnsafe()
      bell.openUnsafe()
    },
    waitFor,
    forget,
    interruptTurn: (reason) => {
      if (running === undefined) return
      running.stop.abortReason ??= reason
      running.fiber.interruptUnsafe()
    },
    awaitIdle: Effect.suspend(() => (isBusy && !down ? quiet.await : Effect.void)).pipe(
      Effect.repeat({ until: () => down !== undefined || !isBusy }),
      Effect.andThen(Effect.suspend(() => death)),
    ),
    down: () => down?.(),
  }
}

const makeWaiters = <A>() => {
  const waiters = new Map<string, Waiting<A>>()
  const settle = (messageId: string, exit: Exit.Exit<TurnResult<A>, AppendError | AgentDisposed>): void => {
    const waiting = waiters.get(messageId)
    waiters.delete(messageId)
    if (waiting !== undefined) Deferred.doneUnsafe(waiting.waiter, exit)
  }
  return {
    settle,
    settleAll: (exit: () => Exit.Exit<never, AppendError | AgentDisposed>): void => {
      for (const messageId of [...waiters.keys()]) settle(messageId, exit())
    },
    waitFor: (messageId: string): Waiter<A> => {
      const waiting = waiters.get(messageId) ?? { waiter: Deferred.makeUnsafe(), callers: 0 }
      waiting.callers += 1
      waiters.set(messageId, waiting)
      return waiting.waiter
    },
    forget: (messageId: string): void => {
      const waiting = waiters.get(messageId)
      if (waiting === undefined) return
      waiting.callers -= 1
      if (waiting.callers === 0) waiters.delete(messageId)
    },
  }
}

/** The rest of the fiber is uninterruptible; here, between turns, it ends when the agent's scope was closed. */
const leaveIfInterrupted = Effect.interruptible(Effect.void)

const withAnswer = <A>(result: TurnResult, answer: A | undefined): TurnResult<A> => {
  const { answer: _, ...plain } = result
  return result.reason.kind === "completed" && answer !== undefined ? { ...plain, answer } : plain
}

/** What the turn claimed that is open in the log before anything runs: a dead process left it. */
const openTurn = (session: Session): ReadonlyArray<string> | undefined =>
  session.state().turnIsOpen ? claimsOf(session.log(), session.state().turn) : undefined

/** Begin a turn with the first user message that waits, and all that waits before it. */
const beginTurn = (session: Session): Effect.Effect<ReadonlyArray<string> | undefined, AppendError> =>
  session
    .append("written", (state) => {
      const first = state.pending.findIndex((message) => message.kind === "user")
      if (first < 0 || state.turnIsOpen) return []
      const claims = state.pending.slice(0, first + 1).map((message) => message.messageId)
      return [{ type: "turn/start", data: { turn: state.turn + 1, trigger: { kind: "message" }, claims } }]
    })
    .pipe(Effect.map(([event]) => (event?.type === "turn/start" ? event.data.claims : undefined)))

/** Made when somebody asks: most agents are disposed when nobody does, and an error looks through the stack. */
const disposed = (cause: unknown): (() => AgentDisposed) => {
  let error: AgentDisposed | undefined
  return () => {
    error ??=
      cause === undefined
        ? new AgentDisposed({ message: "the agent's scope was closed" })
        : new AgentDisposed({ message: "the agent stopped when its log failed it", cause })
    return error
  }
}
