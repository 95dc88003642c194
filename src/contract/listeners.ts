/**
 * Find the rules that look at an event, by its type.
 *
 * In:  rules.      Out: those that are told an event, in their order, each with its place among all.
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Rule } from "./Rule.ts"

export interface Entry<In> {
  readonly rule: Rule<In>
  readonly at: number
}

export const entriesOf = <In>(rules: ReadonlyArray<Rule<In>>): ReadonlyArray<Entry<In>> =>
  rules.map((rule, at) => ({ rule, at }))

type Listeners = (event: SessionEvent) => ReadonlyArray<Entry<SessionEvent>>

export const listenersOf = (rules: ReadonlyArray<Rule>): Listeners => {
  const all = entriesOf(rules)
  const ofType = (type?: string) =>
    all.filter(({ rule: { on } }) => on === undefined || (type !== undefined && on.has(type)))
  const named = new Set(rules.flatMap(({ on }) => [...(on ?? [])]))
  const byType = new Map([...named].map((type) => [type, ofType(type)]))
  const toEverything = ofType()
  return ({ type }) => byType.get(type) ?? toEverything
}
