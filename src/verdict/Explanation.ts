/**
 * Explain a rule: what it asks, what to do about a break, and two short logs that show it.
 *
 * In:  ids of rules or names of groups; the user's own rules.      Out: explanations; all rules by group; as text or JSON.
 * Fails with: `WrongUsage` for a name that fits no rule, with the nearest that do.
 * Not here: the rules and their examples (`invariant/`, `rulebook/`).
 */
import { Effect } from "effect"
import type { Rule } from "../contract/Rule.ts"
import type { Observation } from "../invariant/Observation.ts"
import * as Rules from "../invariant/Rules.ts"
import * as Verifier from "../invariant/Verifier.ts"
import type { Example } from "../rulebook/Example.ts"
import * as Examples from "../rulebook/Examples.ts"
import * as Row from "../rulebook/Row.ts"
import { WrongUsage } from "../setup/CliFailure.ts"
import type { Paint } from "../terminal/Paint.ts"

export interface Explanation {
  readonly rule: string
  readonly statement: string
  /** A: always on. D: in development and offline. O: offline only. */
  readonly mode: Rule["mode"]
  /** Whether a stored log is enough, or it needs the running process. */
  readonly sees: Rule["sees"]
  readonly hint: string
  readonly example?: Shown
  /** Why there is no example. */
  readonly whyNone?: string
}

interface Shown {
  /** What is wrong in the unlawful one. */
  readonly what: string
  readonly lawful: ReadonlyArray<Row.Row>
  readonly unlawful: ReadonlyArray<Row.Row>
  /** What check says of the unlawful one; nothing when a stored log is not enough. */
  readonly says: ReadonlyArray<Verifier.LogViolation>
}

/** Every rule there is, one's own between those of a stored log and those of a running process. */
export const all = (own: ReadonlyArray<Rule> = []): ReadonlyArray<Explanation> => [
  ...Rules.withOwn(own).map(explainLog),
  ...Rules.liveRules.map(explainLive),
]

/** Those that the names stand for: ids, or whole groups. */
export const find = Effect.fnUntraced(function* (
  names: ReadonlyArray<string>,
  own: ReadonlyArray<Rule> = [],
) {
  const { log, live } = yield* select({ only: names, rules: own })
  return [...log.map(explainLog), ...live.map(explainLive)]
})

/** Pick rules by what a person writes. */
export const select = (selection: Rules.Selection) =>
  Effect.mapError(
    Effect.fromResult(Rules.select(selection)),
    ({ message }) => new WrongUsage({ message: `${message} (check --explain lists them all)` }),
  )

const groupOf = (id: string): string => id.slice(0, id.indexOf("."))

const explain = (
  { id, statement, mode, sees, hint }: Rule<never>,
  example: Example<Row.Row> | undefined,
  says: Shown["says"],
  whyNone?: string,
): Explanation => ({
  rule: id,
  statement,
  mode,
  sees,
  hint,
  ...(example !== undefined && {
    example: { what: example.what, lawful: example.lawful, unlawful: example.unlawful, says },
  }),
  ...(whyNone !== undefined && { whyNone }),
})

const noneOfOwn = "It comes from --rules. Examples are kept of the rules that come with the package."

const explainLog = (rule: Rule): Explanation => {
  const example = Examples.ofLog(rule.id)
  const says = example === undefined ? [] : Verifier.verify(example.unlawful)
  return explain(rule, example, says, example === undefined ? noneOfOwn : undefined)
}

const explainLive = (rule: Rule<Observation>): Explanation => {
  const example = Examples.ofLive(rule.id)
  const rows = example && {
    ...example,
    lawful: example.lawful.map(Row.ofObservation),
    unlawful: example.unlawful.map(Row.ofObservation),
  }
  return explain(rule, rows, [], Examples.whyNone(rule.id))
}

const whenChecked: { readonly [mode in Rule["mode"]]: string } = {
  A: "always on: at every append, when a log is opened, and by check",
  D: "by DevInvariants, and by check",
  O: "by check",
}

/** One rule in full. */
export const toText = (explanation: Explanation, paint: Paint): string => {
  const { rule, statement, mode, sees, hint, example, whyNone } = explanation
  const when =
    sees === "log" ? whenChecked[mode] : "by DevInvariants; it needs the running process, so check cannot"
  const head = `${paint.bold(rule)}\n  ${statement}\n  ${hint}\n  ${paint.dim(`Checked ${when}.`)}\n`
  if (example === undefined) return whyNone === undefined ? head : `${head}\n  ${whyNone}\n`
  const { what, lawful, unlawful, says } = example
  const shared = sharedRows(lawful, unlawful)
  const verdicts = says.map(
    ({ rule: id, seq, message }) => `    ${paint.red(id)} at seq ${seq}: ${message}\n`,
  )
  return [
    head,
    shared === 0 ? "" : `\n  ${paint.dim("both logs begin")}\n${rows(lawful.slice(0, shared))}`,
    `\n  ${paint.green("lawful")}\n${rows(lawful.slice(shared))}`,
    `\n  ${paint.red("unlawful")}: ${what}\n${rows(unlawful.slice(shared))}`,
    verdicts.length === 0 ? "" : `\n  ${paint.dim("check says")}\n${verdicts.join("")}`,
  ].join("")
}

const sharedRows = (one: ReadonlyArray<Row.Row>, other: ReadonlyArray<Row.Row>): number => {
  const differs = one.findIndex((row, at) => JSON.stringify(row) !== JSON.stringify(other[at]))
  return differs === -1 ? one.length : differs
}

const rows = (some: ReadonlyArray<Row.Row>): string =>
  some.length === 0 ? "    and ends there\n" : some.map((row) => `    ${Row.toText(row)}\n`).join("")

/** All of them, a line each, by group. */
export const listText = (explanations: ReadonlyArray<Explanation>, paint: Paint): string => {
  const groups = new Map<string, Array<string>>()
  const width = Math.max(...explanations.map(({ rule }) => rule.length))
  for (const { rule, statement } of explanations) {
    const lines = groups.get(groupOf(rule)) ?? []
    lines.push(`  ${rule.padEnd(width)}  ${paint.dim(statement)}\n`)
    groups.set(groupOf(rule), lines)
  }
  return [...groups].map(([group, lines]) => `${paint.bold(group)}\n${lines.join("")}`).join("")
}
