/**
 * Hold the lines of one log to the rules, one after the other.
 *
 * In:  lines as `LogFile.Reader` gives them.      Out: what was found so far.
 * Not here: where the lines come from (`Judge.ts`).
 * What it holds grows with the log only as the rules' own states do, which the page of the command line names.
 */
import { Result } from "effect"
import { aboutOne } from "../contract/AlwaysOn.ts"
import * as Course from "../contract/Course.ts"
import type { Rule } from "../contract/Rule.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { LogViolation } from "../invariant/Verifier.ts"
import type { Line } from "../store/LogFile.ts"
import type { Place } from "../store/SessionStore.ts"
import type { Violation } from "./Verdict.ts"

export interface Tally {
  /** Take the next line; false when nothing behind it can be understood. */
  readonly take: (line: Line) => boolean
  readonly report: (violation: LogViolation, place: Place) => void
  readonly found: () => Found
}

export interface Found {
  readonly events: number
  readonly violations: ReadonlyArray<Violation>
  readonly broken: ReadonlyMap<string, number>
  /** The seq that the event behind the last one would have. */
  readonly due: number
  /** Of the last line. */
  readonly place: Place
  readonly openTurn: number | undefined
  readonly first: SessionEvent | undefined
}

export const beginning: Place = { line: 1, byteOffset: 0 }

/** `limit` violations are kept, all are counted. */
export const make = (rules: ReadonlyArray<Rule>, limit: number): Tally => {
  const violations: Array<Violation> = []
  const broken = new Map<string, number>()
  // Who read the line has decided what one event alone can break.
  let course = Course.ofLog(rules.filter((rule) => !aboutOne.includes(rule)))
  let events = 0
  let due = 0
  let place = beginning
  let openTurn: number | undefined
  let first: SessionEvent | undefined

  const report = (violation: LogViolation, at: Place): void => {
    broken.set(violation.rule, (broken.get(violation.rule) ?? 0) + 1)
    if (violations.length < limit) violations.push({ ...violation, ...at })
  }

  const judge = (event: SessionEvent): void => {
    first ??= event
    events++
    due = event.seq + 1
    if (event.type === "turn/start") openTurn = event.data.turn
    if (event.type === "turn/end") openTurn = undefined
    course = course.advance(event, ({ id: rule, hint }, message) =>
      report({ rule, seq: event.seq, message, hint }, place),
    )
  }

  const take = (line: Line): boolean => {
    place = line.place
    if (Result.isSuccess(line.read)) {
      for (const event of line.read.success) judge(event)
      return true
    }
    const { failure } = line.read
    const isRefusal = "rule" in failure
    report({ rule: isRefusal ? failure.rule : "log.version", seq: due, message: failure.message }, place)
    return isRefusal
  }

  return { take, report, found: () => ({ events, violations, broken, due, place, openTurn, first }) }
}
