/**
 * The table of every rule, always-on or not, and the way to run many of them at once.
 *
 * In:  nothing, or the rules somebody picks.      Out: `logRules`, `liveRules`, `select`, `start`, `advance`.
 * Fails with: `select` throws when it is given an id or a group that no rule has.
 * Not here: the rules (one file a group; those marked A in `contract/`), what a break leads to (`DevInvariants.ts`, `Verifier.ts`).
 * Source: PROTOCOL "Rules"; docs/reference/invariants.md is this table.
 */
import { alwaysOn } from "../contract/AlwaysOn.ts"
import type { Fold, Rule } from "../contract/Rule.ts"
import * as call from "./call.ts"
import * as chunk from "./chunk.ts"
import * as history from "./history.ts"
import * as inbox from "./inbox.ts"
import * as log from "./log.ts"
import type { Observation } from "./Observation.ts"
import * as status from "./status.ts"
import * as step from "./step.ts"
import * as turn from "./turn.ts"

/** Rules that a stored log is enough for, in the order in which breaks of one event are told. */
export const logRules: ReadonlyArray<Rule> = [
  ...alwaysOn,
  ...turn.rules,
  ...step.rules,
  ...chunk.rules,
  ...call.rules,
  ...inbox.rules,
  ...history.rules,
]

/** Rules that need the running process. */
export const liveRules: ReadonlyArray<Rule<Observation>> = [
  ...log.rules,
  ...status.rules,
  ...history.liveRules,
]

/** Ids (`turn.nests`) or whole groups (`turn`). */
export interface Selection {
  readonly only?: ReadonlyArray<string>
  readonly except?: ReadonlyArray<string>
}

export interface Selected {
  readonly log: ReadonlyArray<Rule>
  readonly live: ReadonlyArray<Rule<Observation>>
}

/** Pick rules. Errors: throws when a name fits no rule, because a misspelt one would check nothing. */
export const select = ({ only, except = [] }: Selection): Selected => {
  const ids = [...logRules, ...liveRules].map((rule) => rule.id)
  const unknown = [...(only ?? []), ...except].find((name) => !ids.some((id) => fits(id, name)))
  if (unknown !== undefined)
    throw new Error(`no invariant has the id or the group ${JSON.stringify(unknown)}`)
  const isPicked = ({ id }: { readonly id: string }) =>
    (only === undefined || only.some((name) => fits(id, name))) && !except.some((name) => fits(id, name))
  return { log: logRules.filter(isPicked), live: liveRules.filter(isPicked) }
}

const fits = (id: string, name: string): boolean => id === name || id.startsWith(`${name}.`)

/** The folds of rules before their first input. */
export const start = <In>(rules: ReadonlyArray<Rule<In>>): ReadonlyArray<Fold<In>> =>
  rules.map((rule) => rule.fold)

/** Step every rule once and tell what is broken. The folds given stay as they are, also when `onBroken` throws. */
export const advance = <In>(
  rules: ReadonlyArray<Rule<In>>,
  folds: ReadonlyArray<Fold<In>>,
  input: In,
  onBroken: (rule: Rule<In>, message: string) => void,
): ReadonlyArray<Fold<In>> => {
  let after: Array<Fold<In>> | undefined
  for (const [at, rule] of rules.entries()) {
    const fold = folds[at] ?? rule.fold
    const { next, broken } = fold.step(input)
    for (const message of broken) onBroken(rule, message)
    if (next !== fold) {
      after ??= [...folds]
      after[at] = next
    }
  }
  return after ?? folds
}
