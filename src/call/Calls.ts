/**
 * Run the calls of one answer side by side and log what becomes of each.
 *
 * In:  the call blocks of a logged answer.      Out: one result a call, in call order, each already in the log.
 * Fails with: append errors; no further body starts then, and the bodies that run are interrupted.
 * Order: `tool/call` is in the log before its body starts (synced unless the tool is idempotent); results are logged as
 * they complete. A call that never starts gets both events in one append. Of two calls that conflict, the result of
 * the first is in the log before the second starts; when the body of the first does not stop, the second does not start.
 * Not here: what makes a call safe (`tool/`), which calls are run at all (`turn/step.ts`).
 */
import { type Cause, Effect, Exit, Fiber, type Semaphore } from "effect"
import type { EventDraft, Payload } from "../event/SessionEvent.ts"
import type { ToolCallBlock } from "../message/Content.ts"
import type { ToolCall } from "../message/ToolCall.ts"
import type { ToolExecutionResult } from "../message/ToolResult.ts"
import type { AppendError, Session } from "../session/Session.ts"
import type { CallHooks } from "../tool/CallInfo.ts"
import { ToolBusy, ToolDenied, ToolNotStarted, ToolOutputInvalid } from "../tool/ToolError.ts"
import * as ToolRunner from "../tool/ToolRunner.ts"
import type { Approvals } from "./Approvals.ts"
import { Busy, makeLine, type Turnstile } from "./order.ts"
import type { Progress } from "./Progress.ts"
import type { Stragglers } from "./Stragglers.ts"
import { logRetry, observe, tellFailure, type Watchers } from "./watch.ts"

export interface CallParts extends Watchers {
  readonly runner: ToolRunner.ToolRunner
  /** As many permits as bodies may run at once. */
  readonly slots: Semaphore.Semaphore
  readonly approvals: Approvals
  readonly stragglers: Stragglers
  /** Nothing comes after the body has ended. */
  readonly onProgress: (progress: Progress) => Effect.Effect<unknown>
}

type Place = Payload<"step/end">

/** A call whose body ran. `key` is there when the tool is idempotent. */
interface Started {
  readonly key?: string
}

export interface CallOutcome {
  readonly call: ToolCall
  readonly result: ToolExecutionResult
  /** The body ran and is not idempotent: its result must be synced before the step ends. */
  readonly mustSync: boolean
}

/**
 * Run `blocks`; to be called in an uninterruptible region. Interrupting it interrupts every body, and each call
 * still ends in a logged result.
 */
export const runCalls = (
  parts: CallParts,
  place: Place,
  blocks: ReadonlyArray<ToolCallBlock>,
): Effect.Effect<ReadonlyArray<CallOutcome>, AppendError> =>
  // Not by a generator: every function of one that is made anew costs a microsecond and a half at its first call.
  Effect.suspend(() => {
    const fibers: Array<Fiber.Fiber<CallOutcome, AppendError>> = []
    let failure: Cause.Cause<AppendError> | undefined
    const stopAll = (exit: Exit.Exit<CallOutcome, AppendError>) => {
      if (Exit.isSuccess(exit)) return
      failure ??= exit.cause
      for (const fiber of fibers) fiber.interruptUnsafe()
    }
    const takePlace = makeLine(parts.stragglers)
    const start = (block: ToolCallBlock) => {
      const call = toCall(block)
      const running = runCall(parts, place, call, takePlace(call))
      return Effect.map(
        Effect.forkChild(running, { startImmediately: true, uninterruptible: true }),
        (fiber) => {
          fibers.push(fiber)
          fiber.addObserver(stopAll)
        },
      )
    }
    const outcomes = Effect.suspend(() =>
      failure === undefined ? Effect.forEach(fibers, Fiber.join) : Effect.failCause(failure),
    )
    return Effect.flatMap(Effect.forEach(blocks, start, { discard: true }), () => {
      // Bodies that need not wait are over by now.
      if (fibers.every((fiber) => fiber.pollUnsafe() !== undefined)) return outcomes
      const waited = Effect.exit(Effect.interruptible(Fiber.awaitAll(fibers)))
      return Effect.andThen(Effect.andThen(waited, Fiber.interruptAll(fibers)), outcomes)
    })
  })

/** Log that none of `blocks` ran; `why` ends a sentence that begins with the answer that holds them. */
export const refuseCalls = (
  parts: CallParts,
  place: Place,
  blocks: ReadonlyArray<ToolCallBlock>,
  why: string,
): Effect.Effect<ReadonlyArray<CallOutcome>, AppendError> =>
  Effect.forEach(blocks, (block) => {
    const call = toCall(block)
    const refused = observe(parts, place, call, Effect.succeed(notStarted(call, why)))
    return refused.pipe(
      Effect.flatMap((settled) => logEnd(parts, place, call, settled, false)),
      Effect.map((result) => ({ call, result, mustSync: false })),
    )
  })

/** One call to its logged end. Nothing in here is interruptible but what `settle` makes so. */
const runCall = (
  parts: CallParts,
  place: Place,
  call: ToolCall,
  turnstile: Turnstile,
): Effect.Effect<CallOutcome, AppendError> => {
  const { session, runner, approvals } = parts
  let started: Started | undefined
  const hooks: CallHooks = {
    scope: session.id,
    approver: approvals.of(call),
    onPlanned: (resources) => turnstile.plan(resources),
    slot: (run) => turnstile.pass(takeSlot(parts, call.callId, run)),
    onStart: (info) =>
      Effect.matchEffect(logStart(session, place, call, info), {
        onFailure: die,
        onSuccess: ({ length }) => {
          // An abort was accepted first: to the runner that is an interruption before the start.
          if (length === 0) return Effect.interrupt
          started = info
          approvals.close(call.callId)
          return Effect.void
        },
      }),
    onLinger: (until) => turnstile.linger(until),
    onProgress: (text) =>
      Effect.asVoid(parts.onProgress({ ...place, callId: call.callId, tool: call.name, text })),
    onRetry: (again) => logRetry(session, place, call, again),
  }
  const execute = Effect.catchDefect(
    runner.settle(call, hooks),
    (defect): Effect.Effect<ToolRunner.Settled, AppendError> => {
      if (defect instanceof ApprovalLapsed) return Effect.succeed(lapsed(call, defect.reason))
      if (defect instanceof Busy) return Effect.succeed(busy(call, defect.by))
      return defect instanceof AppendFailed ? Effect.fail(defect.error) : Effect.die(defect)
    },
  )
  return observe(parts, place, call, execute).pipe(
    Effect.flatMap((settled) => {
      const failure = approvals.failureOf(call.callId)
      if (failure !== undefined) return Effect.failCause(failure)
      return logEnd(parts, place, call, settled, started !== undefined)
    }),
    Effect.map((result) => {
      // Only a logged result lets others pass: when the log fails, everybody who waits is interrupted.
      turnstile.leave()
      return { call, result, mustSync: started !== undefined && started.key === undefined }
    }),
  )
}

/** Carries an append error out of the runner, whose own door is total. */
class AppendFailed {
  readonly error: AppendError
  constructor(error: AppendError) {
    this.error = error
  }
}

/** Carries a no out of the runner, which has had its yes. */
class ApprovalLapsed {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** Run in a slot, by a yes that counts; nobody holds a slot while a question is open. */
const takeSlot = <A, E, R>(
  { slots, approvals }: CallParts,
  callId: string,
  run: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> => {
  if (!approvals.wasGranted(callId)) return slots.withPermit(run)
  const renew = Effect.flatMap(approvals.renew(callId), (decision) =>
    decision._tag === "allow" ? Effect.void : Effect.die(new ApprovalLapsed(decision.reason)),
  )
  const take: Effect.Effect<A, E, R> = Effect.suspend(() =>
    Effect.flatten(
      slots.withPermit(
        Effect.flatMap(approvals.hasLapsed(callId), (hasLapsed) =>
          hasLapsed ? Effect.succeed(Effect.andThen(renew, take)) : Effect.map(run, Effect.succeed),
        ),
      ),
    ),
  )
  return take
}

const die = (error: AppendError): Effect.Effect<never> => Effect.die(new AppendFailed(error))

/** Log the point of no return, unless an abort was accepted first: both are decided in the same synchronous step. */
const logStart = (
  session: Session,
  { turn, step }: Place,
  { callId, name, arguments: text }: ToolCall,
  { key }: Started,
): ReturnType<Session["append"]> => {
  const data = { turn, step, callId, name, arguments: text, ...(key !== undefined && { key }) }
  return session.append(key === undefined ? "synced" : "written", ({ aborting }) =>
    aborting ? [] : [{ type: "tool/call", data }],
  )
}

/** Log a result; one that the log cannot hold, such as a wrong number in it, is replaced by one that says so. */
const logEnd = (
  parts: CallParts,
  place: Place,
  call: ToolCall,
  settled: ToolRunner.Settled,
  started: boolean,
): Effect.Effect<ToolExecutionResult, AppendError> => {
  // Not by a spread of the place: in V8 of Node 20 each key that comes after a first spread costs half a microsecond.
  const { turn, step } = place
  const neverRan = (): EventDraft => ({ type: "tool/call", data: { turn, step, ...call, starts: false } })
  const log = (
    end: ToolRunner.Settled,
    orElse: (error: AppendError) => Effect.Effect<ToolExecutionResult, AppendError>,
  ): Effect.Effect<ToolExecutionResult, AppendError> => {
    const { name: _, ...told } = end.result
    const ended: EventDraft = { type: "tool/result", data: { turn, step, ...told } }
    const logged = parts.session.append("written", () => (started ? [ended] : [neverRan(), ended]))
    return Effect.matchEffect(logged, {
      onFailure: orElse,
      onSuccess: () => Effect.mapEager(tellFailure(parts, place, call, end), () => end.result),
    })
  }
  return log(settled, (error) =>
    started && error._tag === "EventRejected"
      ? log(unloggable(call, error.message), Effect.fail)
      : Effect.fail(error),
  )
}

const unloggable = (call: ToolCall, why: string): ToolRunner.Settled => {
  const message = `${call.name} ran, but the log cannot hold its result: ${why}`
  return ToolRunner.ended(call, "failed", new ToolOutputInvalid({ tool: call.name, violations: [], message }))
}

const notStarted = (call: ToolCall, why: string): ToolRunner.Settled => {
  const message = `${call.name} did not run: the answer that asked for it ${why}`
  return ToolRunner.ended(call, "not-started", new ToolNotStarted({ tool: call.name, message }))
}

const lapsed = (call: ToolCall, reason: string): ToolRunner.Settled => {
  const message = `${call.name} may not run: ${reason}`
  return ToolRunner.ended(call, "denied", new ToolDenied({ tool: call.name, reason, message }))
}

const busy = (call: ToolCall, by: ToolCall): ToolRunner.Settled => {
  const message = `${call.name} did not run: the earlier call ${by.callId} of ${by.name} was told to stop and has not, and it may still change what this one touches.`
  return ToolRunner.ended(call, "not-started", new ToolBusy({ tool: call.name, message }))
}

const toCall = ({ callId, name, arguments: text }: ToolCallBlock): ToolCall => ({
  callId,
  name,
  arguments: text,
})
