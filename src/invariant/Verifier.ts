/**
 * Judge a whole log at rest: every break of every rule that a stored log is enough for.
 *
 * In:  parsed events of any log.      Out: violations, in seq order and then in the order of the table.
 * Fails with: nothing. Lines that cannot be read are the store's to name (`CorruptLog`).
 * Not here: the running process (`DevInvariants.ts`), the command line (`cli/`).
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import * as Rules from "./Rules.ts"

/** One break of one rule. */
export interface LogViolation {
  readonly rule: string
  readonly seq: number
  readonly message: string
  readonly hint?: string
}

/** Read the log once, from its first event, and tell everything that is wrong with it. */
export const verify = (events: Iterable<SessionEvent>): ReadonlyArray<LogViolation> => {
  const violations: Array<LogViolation> = []
  let folds = Rules.start(Rules.logRules)
  for (const event of events) {
    folds = Rules.advance(Rules.logRules, folds, event, (rule, message) => {
      violations.push({ rule: rule.id, seq: event.seq, message, hint: rule.hint })
    })
  }
  return violations
}
