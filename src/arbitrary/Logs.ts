/**
 * Draw whole logs, lawful or broken in one place: turns, steps, interleaved blocks, calls, steering, aborts, failures, crashes, compactions.
 *
 * In:  nothing.      Out: arbitraries of numbered events; they shrink to fewer and simpler turns.
 * Not here: a small unlawful log for each rule (`mutant/Mutants.ts`), what a plan becomes (`writeLog.ts`).
 */
import * as fc from "fast-check"
import type { SessionEvent } from "../event/SessionEvent.ts"
import { breakLog, type Unlawful } from "./breakLog.ts"
import type { BlockPlan, CallPlan, MessageType, StepPlan, TurnPlan } from "./planLog.ts"
import { write } from "./writeLog.ts"

export type { Unlawful } from "./breakLog.ts"

const messages = fc.array(
  fc.constantFrom<MessageType>("user/message", "steering/message", "context/message"),
  { maxLength: 3 },
)

const often = fc.nat(4).map((n) => n > 0)

const block: fc.Arbitrary<BlockPlan> = fc.record({
  kind: fc.constantFrom("text", "reasoning", "tool-call", "tool-call"),
  pieces: fc.array(fc.string({ maxLength: 4 }), { maxLength: 3 }),
  isFinished: often,
  isSigned: fc.boolean(),
})

const call: fc.Arbitrary<CallPlan> = fc.record({
  outcome: fc.constantFrom("success", "failed", "timed-out", "rejected", "unknown-tool", "denied"),
  order: fc.nat(9),
})

const step: fc.Arbitrary<StepPlan> = fc.record({
  before: messages,
  during: messages,
  blocks: fc.array(block, { maxLength: 4, size: "max" }),
  weave: fc.array(fc.nat(7), { maxLength: 12 }),
  hasUsage: fc.boolean(),
  finish: fc.constantFrom("natural", "natural", "max-tokens", "refused", "error"),
  calls: fc.array(call, { minLength: 4, maxLength: 4 }),
})

const turn: fc.Arbitrary<TurnPlan> = fc.record({
  before: messages,
  cancels: fc.boolean(),
  alsoClaims: fc.nat(3),
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  end: fc.constantFrom("completed", "failed", "limit", "disposed", "interrupted", "aborted", "crashed"),
  // Most of what a cut can hit lies behind the chunks.
  cutAt: fc.oneof(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 60, max: 99 })).map((cut) => cut / 100),
  compacts: fc.boolean(),
})

/** A lawful log of up to four turns. */
export const lawful: fc.Arbitrary<ReadonlyArray<SessionEvent>> = fc
  .array(turn, { maxLength: 4, size: "max" })
  .map((turns) => write(turns))

/** A lawful log with one event too many, too few, or changed. A log that has nothing to break is not drawn. */
export const unlawful: fc.Arbitrary<Unlawful> = lawful
  .map(breakLog)
  .filter((broken) => broken.length > 0)
  .chain((broken) => fc.constantFrom(...broken))
