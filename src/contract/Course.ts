/**
 * Many rules in progress over one log or one session.
 *
 * In:  rules, then one input at a time.      Out: the course after it; what broke, rule by rule, in the order of the rules.
 * Fails with: what `onBroken` throws; the course given stays good, so a batch that is refused leaves nothing behind.
 * Not here: the rules; the always-on ones at append (`Admission.ts`).
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import { type Entry, entriesOf, listenersOf } from "./listeners.ts"
import * as Place from "./Place.ts"
import type { Fold, Rule } from "./Rule.ts"

export interface Course<In> {
  readonly advance: (input: In, onBroken: (rule: Rule<In>, message: string) => void) => Course<In>
}

/** Begin before the first event of a log. A rule is only told the events whose types it names. */
export const ofLog = (rules: ReadonlyArray<Rule>): Course<SessionEvent> => {
  const listeners = listenersOf(rules)
  const isPiece = ({ type }: SessionEvent) => type === "assistant/chunk"
  return new Stage({ listeners, move: Place.next, isPiece }, foldsOf(rules), Place.nowhere)
}

/** Begin with a session that has done nothing yet. Every rule is told everything. */
export const ofSession = <In>(rules: ReadonlyArray<Rule<In>>): Course<In> => {
  const all = entriesOf(rules)
  const plan: Plan<In> = { listeners: () => all, move: (place) => place, isPiece: () => false }
  return new Stage(plan, foldsOf(rules), Place.nowhere)
}

interface Plan<In> {
  readonly listeners: (input: In) => ReadonlyArray<Entry<In>>
  readonly move: (place: Place.Place, input: In) => Place.Place
  /** One of many that may all be bad in the same way: a rule tells the same of such a run once. */
  readonly isPiece: (input: In) => boolean
}

const foldsOf = <In>(rules: ReadonlyArray<Rule<In>>): ReadonlyArray<Fold<In>> => rules.map(({ fold }) => fold)

type Said = ReadonlyMap<string, string>

class Stage<In> implements Course<In> {
  readonly #plan: Plan<In>
  readonly #folds: ReadonlyArray<Fold<In>>
  readonly #place: Place.Place
  /** By rule id, what was last told of a piece. */
  readonly #said: Said

  constructor(
    plan: Plan<In>,
    folds: ReadonlyArray<Fold<In>>,
    place: Place.Place,
    said: Said = new Map<string, string>(),
  ) {
    this.#plan = plan
    this.#folds = folds
    this.#place = place
    this.#said = said
  }

  advance(input: In, onBroken: (rule: Rule<In>, message: string) => void): Course<In> {
    let folds: Array<Fold<In>> | undefined
    let said = this.#said
    for (const { rule, at } of this.#plan.listeners(input)) {
      const fold = this.#folds[at] ?? rule.fold
      const after = fold.step(input, this.#place)
      if (after === fold) continue
      folds ??= this.#folds.slice()
      folds[at] = after
      if (after.broken.length > 0) said = this.#tell(rule, after.broken, input, said, onBroken)
    }
    const place = this.#plan.move(this.#place, input)
    if (folds === undefined && place === this.#place) return this
    return new Stage(this.#plan, folds ?? this.#folds, place, said)
  }

  #tell(
    rule: Rule<In>,
    broken: ReadonlyArray<string>,
    input: In,
    said: Said,
    onBroken: (rule: Rule<In>, message: string) => void,
  ): Said {
    const words = broken.join("\n")
    const isPiece = this.#plan.isPiece(input)
    if (isPiece && said.get(rule.id) === words) return said
    for (const message of broken) onBroken(rule, message)
    return isPiece ? new Map(said).set(rule.id, words) : said
  }
}
