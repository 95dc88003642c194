/**
 * Draw whole logs, lawful or broken in one place: turns, steps, interleaved blocks, calls, approvals,
 * steering, aborts, failures, crashes and reruns, compactions, events of extensions, forks.
 *
 * In:  nothing.      Out: arbitraries of numbered events; they shrink to fewer and simpler turns.
 * Not here: a small unlawful log for each rule (`mutant/Mutants.ts`), what a plan becomes (`writeLog.ts`).
 */
import { Schema } from "effect"
import * as fc from "fast-check"
import * as Ancestry from "../contract/Ancestry.ts"
import * as EventType from "../event/EventType.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import { breakLog, type Unlawful } from "./breakLog.ts"
import type { BlockPlan, CallPlan, MessageType, StepPlan, TurnPlan } from "./planLog.ts"
import { write } from "./writeLog.ts"

export type { Unlawful } from "./breakLog.ts"

/** What an extension logs in drawn logs: for the registry of a session that is to take them. */
export const note = EventType.make({
  name: "drawn:note",
  version: 1,
  schema: Schema.Struct({ place: Schema.String }),
})

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
  outcome: fc.constantFrom(
    "success",
    "failed",
    "timed-out",
    "rejected",
    "unknown-tool",
    "denied",
    "defect",
    "interrupted",
    "interrupted-before-start",
  ),
  order: fc.nat(9),
  isAsked: fc.boolean(),
  hasKey: fc.boolean(),
})

const step: fc.Arbitrary<StepPlan> = fc.record({
  before: messages,
  during: messages,
  blocks: fc.array(block, { maxLength: 4, size: "max" }),
  weave: fc.array(fc.nat(7), { maxLength: 12 }),
  hasUsage: fc.boolean(),
  isNoted: fc.boolean(),
  finish: fc.constantFrom("natural", "natural", "max-tokens", "refused", "error"),
  calls: fc.array(call, { minLength: 4, maxLength: 4 }),
})

const turn: fc.Arbitrary<TurnPlan> = fc.record({
  before: messages,
  cancels: fc.boolean(),
  alsoClaims: fc.nat(3),
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  end: fc.constantFrom(
    "completed",
    "failed",
    "limit",
    "disposed",
    "interrupted",
    "aborted",
    "crashed",
    "resumed",
  ),
  crashes: fc.integer({ min: 1, max: 2 }),
  // Most of what a cut can hit lies behind the chunks.
  cutAt: fc.oneof(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 60, max: 99 })).map((cut) => cut / 100),
  compacts: fc.boolean(),
})

/** Say of a log that it was forked after a share of its events. */
const asFork = (log: ReadonlyArray<SessionEvent>, share: number): ReadonlyArray<SessionEvent> => {
  const seq = Math.floor(share * (log.length - 1))
  const parent = { id: "parent", seq, digest: Ancestry.digest(log, seq) }
  return log.map((event) =>
    event.type === "session/start" ? { ...event, data: { ...event.data, parent } } : event,
  )
}

/** A lawful log of up to four turns; some are forks. */
export const lawful: fc.Arbitrary<ReadonlyArray<SessionEvent>> = fc
  .record({
    turns: fc.array(turn, { maxLength: 4, size: "max" }),
    forkedAt: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined, freq: 3 }),
  })
  .map(({ forkedAt, turns }) => {
    const log = write(turns)
    return forkedAt === undefined ? log : asFork(log, forkedAt)
  })

/** A lawful log with one event too many, too few, or changed. A log that has nothing to break is not drawn. */
export const unlawful: fc.Arbitrary<Unlawful> = lawful
  .map(breakLog)
  .filter((broken) => broken.length > 0)
  // The rule first: else nearly all would be about chunks, of which there are the most.
  .chain((broken) => fc.constantFrom(...broken))
  .chain((broken) => fc.constantFrom(...broken))
  .map(({ make, rule, what }) => ({ log: make(), rule, what }))
