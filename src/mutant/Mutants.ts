/**
 * One unlawful log and more for every rule over stored logs: for tests of whatever reads logs, and for explanations.
 *
 * In:  nothing.      Out: mutants of the story (`Story.ts`), by what they break.
 * Not here: lawful logs of any shape, and breaks of those (`arbitrary/`).
 */
import { callMutants } from "./breakCalls.ts"
import { inboxMutants } from "./breakInbox.ts"
import { logMutants } from "./breakLog.ts"
import { stepMutants } from "./breakSteps.ts"
import { turnMutants } from "./breakTurns.ts"
import type { Mutant } from "./Mutant.ts"

/** Every mutant. */
export const all: ReadonlyArray<Mutant> = [
  ...logMutants,
  ...turnMutants,
  ...stepMutants,
  ...callMutants,
  ...inboxMutants,
]

/** The mutants that break this rule, those that break it alone first. */
export const of = (rule: string): ReadonlyArray<Mutant> =>
  all
    .filter(({ rules }) => rules.includes(rule))
    .sort((left, right) => left.rules.length - right.rules.length)
