/**
 * Judge a whole log at rest: every break of every rule that a stored log is enough for.
 *
 * In:  parsed events of any log, at once or one by one.
 * Out: violations, in seq order and then in the order of the table.
 * Fails with: nothing. Lines that cannot be read are the store's to name (`CorruptLog`).
 * Not here: the running process (`DevInvariants.ts`), the command line (`cli/`).
 */
import { beginning } from "../contract/AlwaysOn.ts"
import * as Course from "../contract/Course.ts"
import type { Rule } from "../contract/Rule.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import * as Rules from "./Rules.ts"

/** One break of one rule. */
export interface LogViolation {
  readonly rule: string
  readonly seq: number
  readonly message: string
  readonly hint?: string
}

export interface Options {
  /** One's own rules, checked after ours. */
  readonly rules?: ReadonlyArray<Rule>
}

/** A log that is read piece by piece. */
export interface Verification {
  /** Judge the next event. */
  readonly take: (event: SessionEvent) => ReadonlyArray<LogViolation>
}

/** Every prefix of a log is lawful, but what was never begun is no log. */
export const unbegun: LogViolation = {
  rule: beginning.id,
  seq: 0,
  message: "the log holds no event; a log begins with session/start",
  hint: beginning.hint,
}

/** Begin before the first event. Errors: throws when two rules have one id, or one's own has none of the form group.name. */
export const begin = ({ rules = [] }: Options = {}): Verification => {
  let course = Course.ofLog(Rules.withOwn(rules))
  return {
    take: (event) => {
      const violations: Array<LogViolation> = []
      course = course.advance(event, ({ id, hint }, message) => {
        violations.push({ rule: id, seq: event.seq, message, hint })
      })
      return violations
    },
  }
}

/** Read the log once, from its first event, and tell everything that is wrong with it. */
export const verify = (
  events: Iterable<SessionEvent>,
  options: Options = {},
): ReadonlyArray<LogViolation> => {
  const { take } = begin(options)
  const violations: Array<LogViolation> = []
  let isBegun = false
  for (const event of events) {
    isBegun = true
    violations.push(...take(event))
  }
  return isBegun ? violations : [unbegun]
}
