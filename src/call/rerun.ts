/**
 * Run calls again that a dead process had started, each under the key that the log has of it.
 *
 * In:  calls that are running in the log.      Out: their results, each in the log; no second `tool/call`.
 * Fails with: append errors.
 * Order: `session/resume`, which names these calls, is in the log before. Calls that conflict keep their order.
 * Not here: which calls may run again (`tool/ToolRunner.recover`, `recovery/`).
 */
import { Effect, Fiber } from "effect"
import type { EventDraft, Payload } from "../event/SessionEvent.ts"
import type { ToolCall } from "../message/ToolCall.ts"
import type { AppendError } from "../session/Session.ts"
import type { CallHooks } from "../tool/CallInfo.ts"
import { ToolOutcomeUnknown } from "../tool/ToolError.ts"
import * as ToolRunner from "../tool/ToolRunner.ts"
import type { CallParts } from "./Calls.ts"
import { Busy, makeLine, type Turnstile } from "./order.ts"
import { logRetry, observe, tellFailure } from "./watch.ts"

export interface Rerun {
  readonly call: ToolCall
  readonly key: string
}

type Place = Payload<"step/end">

/** To be called in an uninterruptible region; interrupting it interrupts the bodies, and each call still gets its result. */
export const rerunCalls = (
  parts: CallParts,
  place: Place,
  reruns: ReadonlyArray<Rerun>,
): Effect.Effect<void, AppendError> =>
  Effect.gen(function* () {
    const takePlace = makeLine(parts.stragglers)
    const fibers: Array<Fiber.Fiber<void, AppendError>> = []
    for (const rerun of reruns) {
      const running = runAgain(parts, place, rerun, takePlace(rerun.call))
      fibers.push(yield* Effect.forkChild(running, { startImmediately: true, uninterruptible: true }))
    }
    yield* Effect.exit(Effect.interruptible(Fiber.awaitAll(fibers)))
    yield* Fiber.interruptAll(fibers)
    for (const fiber of fibers) yield* Fiber.join(fiber)
  })

const runAgain = (
  parts: CallParts,
  place: Place,
  { call, key }: Rerun,
  turnstile: Turnstile,
): Effect.Effect<void, AppendError> => {
  const { session, runner, slots, approvals, onProgress } = parts
  let hasStarted = false
  const hooks: CallHooks = {
    scope: session.id,
    key,
    onPlanned: (resources) => turnstile.plan(resources),
    approver: approvals.of(call),
    slot: (run) => turnstile.pass(slots.withPermit(run)),
    onStart: () =>
      Effect.suspend(() => {
        if (session.state().aborting) return Effect.interrupt
        hasStarted = true
        approvals.close(call.callId)
        return Effect.void
      }),
    onLinger: (until) => turnstile.linger(until),
    onProgress: (text) => Effect.asVoid(onProgress({ ...place, callId: call.callId, tool: call.name, text })),
    onRetry: (again) => logRetry(session, place, call, again),
  }
  const log = (settled: ToolRunner.Settled) => {
    const { name: _, ...told } = settled.result
    const ended: EventDraft = { type: "tool/result", data: { ...place, ...told, recovered: true } }
    return Effect.andThen(
      session.append("written", () => [ended]),
      tellFailure(parts, place, call, settled),
    )
  }
  // Refused after all, or stopped before its body: what the first run did is as unknown as before.
  const execute = Effect.catchDefect(
    Effect.map(runner.settle(call, hooks), (ended) => (hasStarted ? ended : unknown(call))),
    (defect) => (defect instanceof Busy ? Effect.succeed(unknown(call)) : Effect.die(defect)),
  )
  return observe(parts, place, call, execute).pipe(
    Effect.flatMap((settled) => Effect.catchTag(log(settled), "EventRejected", () => log(unknown(call)))),
    Effect.ensuring(Effect.sync(() => turnstile.leave())),
  )
}

const unknown = (call: ToolCall): ToolRunner.Settled => {
  const message = `The turn broke off while ${call.name} was running, and it could not be run again: it may or may not have taken effect. Find out which before you call it again.`
  return ToolRunner.ended(call, "outcome-unknown", new ToolOutcomeUnknown({ tool: call.name, message }))
}
