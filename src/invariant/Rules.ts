/**
 * The table of every rule, always-on or not, and the way to pick from it.
 *
 * In:  nothing, or the rules somebody picks and brings.      Out: `logRules`, `liveRules`, `select`, `withOwn`.
 * Fails with: `UnknownInvariant` when an id or a group is given that no rule has, or no rule is left.
 * Not here: the rules (one file a group; those marked A in `contract/`), what a break leads to (`DevInvariants.ts`, `Verifier.ts`).
 * Source: PROTOCOL "Rules"; docs/reference/invariants.md is this table.
 */
import { Result } from "effect"
import { alwaysOn } from "../contract/AlwaysOn.ts"
import * as OwnRule from "../contract/OwnRule.ts"
import type { Rule } from "../contract/Rule.ts"
import { nearest } from "../text/Nearest.ts"
import * as call from "./call.ts"
import * as chunk from "./chunk.ts"
import * as history from "./history.ts"
import { UnknownInvariant } from "./InvariantError.ts"
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

export interface Selection {
  /** Ids (`turn.nests`) or whole groups (`turn`); all rules when absent. */
  readonly only?: ReadonlyArray<string>
  readonly except?: ReadonlyArray<string>
  /** One's own rules, after ours. */
  readonly rules?: ReadonlyArray<Rule>
}

export interface Selected {
  readonly log: ReadonlyArray<Rule>
  readonly live: ReadonlyArray<Rule<Observation>>
}

/**
 * Put one's own rules behind ours. One that throws is broken there, and silent behind.
 *
 * Errors: throws when two rules have one id, or one's own has none of the form group.name.
 */
export const withOwn = (own: ReadonlyArray<Rule>): ReadonlyArray<Rule> => {
  const ids = [...logRules, ...liveRules, ...own].map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) throw new Error(`two rules have the id ${JSON.stringify(twice)}`)
  return [...logRules, ...own.map(OwnRule.contain)]
}

/** Pick rules. Errors: UnknownInvariant when a name fits none, because a misspelt one would check nothing; nor may nothing be left. */
export const select = ({
  only,
  except = [],
  rules = [],
}: Selection): Result.Result<Selected, UnknownInvariant> => {
  const log = withOwn(rules)
  const ids = [...log, ...liveRules].map(({ id }) => id)
  const unknown = [...(only ?? []), ...except].find((name) => !ids.some((id) => fits(id, name)))
  if (unknown !== undefined) return Result.fail(unknownInvariant(unknown, ids))
  const isPicked = ({ id }: { readonly id: string }) =>
    (only === undefined || only.some((name) => fits(id, name))) && !except.some((name) => fits(id, name))
  const selected = { log: log.filter(isPicked), live: liveRules.filter(isPicked) }
  return selected.log.length + selected.live.length === 0 ? Result.fail(noneLeft) : Result.succeed(selected)
}

const noneLeft = new UnknownInvariant({
  name: "",
  nearest: [],
  message: "no invariant is left: `only` names none, or `except` takes all that it names",
})

const fits = (id: string, name: string): boolean => id === name || id.startsWith(`${name}.`)

const unknownInvariant = (name: string, ids: ReadonlyArray<string>): UnknownInvariant => {
  const groups = new Set(ids.map((id) => id.split(".", 1).join()))
  const near = nearest(name, [...ids, ...groups])
  const hint =
    near.length === 0 ? "" : `; did you mean ${near.map((one) => JSON.stringify(one)).join(" or ")}?`
  const message = `no invariant has the id or the group ${JSON.stringify(name)}${hint}`
  return new UnknownInvariant({ name, nearest: near, message })
}
