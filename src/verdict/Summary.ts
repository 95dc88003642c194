/**
 * What is said of many logs together.
 *
 * In:  a verdict a log, or why it could not be read.      Out: sums, and a table of the rules that are broken; JSON.
 * Not here: one log (`Verdict.ts`).
 */
import type { Unreadable } from "../setup/CliFailure.ts"
import { inline, type Paint } from "../terminal/Paint.ts"
import { count } from "../text/Excerpt.ts"
import * as Verdict from "./Verdict.ts"

/** A log that could not be read has no verdict. */
export interface Unread {
  readonly file: string
  readonly failure: Unreadable
}

export type Outcome = Verdict.Verdict | Unread

export const isUnread = (outcome: Outcome): outcome is Unread => "failure" in outcome

export const isLawful = (outcome: Outcome): boolean => isVerdict(outcome) && Verdict.isLawful(outcome)

const isVerdict = (outcome: Outcome): outcome is Verdict.Verdict => !isUnread(outcome)

export const toJson = (outcomes: ReadonlyArray<Outcome>) => ({
  files: outcomes.map((outcome) =>
    isUnread(outcome)
      ? { file: outcome.file, error: { code: "UNREADABLE", message: outcome.failure.message } }
      : Verdict.toJson(outcome),
  ),
})

/** Nothing for one log: all about it has been said. */
export const toText = (outcomes: ReadonlyArray<Outcome>, paint: Paint): string => {
  if (outcomes.length < 2) return ""
  const verdicts = outcomes.filter(isVerdict)
  const lawful = verdicts.filter(Verdict.isLawful).length
  const events = verdicts.reduce((sum, verdict) => sum + verdict.events, 0)
  const unread = outcomes.length - verdicts.length
  const sums = [
    count(outcomes.length, "log"),
    `${lawful} lawful`,
    ...(lawful < verdicts.length ? [`${verdicts.length - lawful} unlawful`] : []),
    ...(unread > 0 ? [`${unread} unreadable`] : []),
    count(events, "event"),
  ]
  return `\n${paint.bold(sums.join(" · "))}\n${table(verdicts, paint)}`
}

/** The rules that are broken, the most often first. */
const table = (verdicts: ReadonlyArray<Verdict.Verdict>, paint: Paint): string => {
  const sums = new Map<string, { readonly times: number; readonly logs: number }>()
  for (const { broken } of verdicts) {
    for (const [rule, times] of broken) {
      const before = sums.get(rule) ?? { times: 0, logs: 0 }
      sums.set(rule, { times: before.times + times, logs: before.logs + 1 })
    }
  }
  if (sums.size === 0) return ""
  const width = Math.max(...[...sums.keys()].map((rule) => rule.length)) + 2
  const row = (rule: string, times: string, logs: string) =>
    `  ${rule.padEnd(width)}${times.padStart(10)}${logs.padStart(8)}\n`
  const rows = [...sums].sort(([, a], [, b]) => b.times - a.times)
  const body = rows.map(([rule, { times, logs }]) => row(rule, `${times}`, `${logs}`))
  return `${paint.dim(row("rule", "violations", "logs"))}${body.join("")}`
}

/** Sessions that more than one of the logs is of: copies, or two that went on from one. A line each. */
export const doubles = (outcomes: ReadonlyArray<Outcome>): ReadonlyArray<string> => {
  const files = new Map<string, Array<string>>()
  for (const outcome of outcomes) {
    if (isUnread(outcome) || outcome.sessionId === undefined) continue
    const known = files.get(outcome.sessionId)
    if (known === undefined) files.set(outcome.sessionId, [outcome.file])
    else known.push(outcome.file)
  }
  return [...files]
    .filter(([, names]) => names.length > 1)
    .map(([id, names]) => inline(`session ${id} is in ${names.length} logs: ${names.join(", ")}`))
}
