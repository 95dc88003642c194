/**
 * Many rules in progress over one log or one session.
 *
 * In:  rules, then one input at a time.      Out: the course after it; what broke, rule by rule, in the order of the rules.
 * Fails with: what `onBroken` throws; the course given stays good, so a batch that is refused leaves nothing behind.
 * One that nothing branches off may be owned, and is then moved in place: test/contract/Course.prop.test.ts holds both together.
 * Not here: the rules; the always-on ones at append (`Admission.ts`).
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import { type Entry, entriesOf, listenersOf } from "./listeners.ts"
import * as Place from "./Place.ts"
import type { Fold, Rule } from "./Rule.ts"

type OnBroken<In> = (rule: Rule<In>, message: string) => void

export interface Course<In> {
  readonly advance: (input: In, onBroken: OnBroken<In>) => Course<In>
  /** The same for one owner; this one stays where it is. */
  readonly owned: () => Owned<In>
}

/** A course that is moved in place, because a new one at every event is most of what an event costs. */
export interface Owned<In> {
  /** Mark what `undo` goes back to. */
  readonly begin: () => void
  readonly move: (input: In, onBroken: OnBroken<In>) => void
  /** Be again as at the latest `begin`, also after a `move` that threw. */
  readonly undo: () => void
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

const unsaid: Said = new Map<string, string>()

class Stage<In> implements Course<In>, Owned<In> {
  readonly #plan: Plan<In>
  readonly #folds: Array<Fold<In>>
  #place: Place.Place
  /** By rule id, what was last told of a piece. */
  #said: Said
  /** Where it stood at the latest `begin`; missing before the first. */
  #kept: Kept<In> | undefined

  constructor(plan: Plan<In>, folds: ReadonlyArray<Fold<In>>, place: Place.Place, said: Said = unsaid) {
    this.#plan = plan
    this.#folds = folds.slice()
    this.#place = place
    this.#said = said
  }

  owned(): Stage<In> {
    return new Stage(this.#plan, this.#folds, this.#place, this.#said)
  }

  advance(input: In, onBroken: OnBroken<In>): Course<In> {
    const next = this.owned()
    next.move(input, onBroken)
    return next
  }

  begin(): void {
    this.#kept ??= { folds: this.#folds.slice(), changed: [], place: this.#place, said: this.#said }
    takeOver(this.#folds, this.#kept.folds, this.#kept.changed)
    this.#kept.place = this.#place
    this.#kept.said = this.#said
  }

  undo(): void {
    if (this.#kept === undefined) return
    takeOver(this.#kept.folds, this.#folds, this.#kept.changed)
    this.#place = this.#kept.place
    this.#said = this.#kept.said
  }

  move(input: In, onBroken: OnBroken<In>): void {
    for (const { rule, at } of this.#plan.listeners(input)) {
      const fold = this.#folds[at] ?? rule.fold
      const after = fold.step(input, this.#place)
      if (after === fold) continue
      this.#kept?.changed.push(at)
      this.#folds[at] = after
      if (after.broken.length > 0) this.#tell(rule, after.broken, input, onBroken)
    }
    this.#place = this.#plan.move(this.#place, input)
  }

  #tell(rule: Rule<In>, broken: ReadonlyArray<string>, input: In, onBroken: OnBroken<In>): void {
    const words = broken.join("\n")
    const isPiece = this.#plan.isPiece(input)
    if (isPiece && this.#said.get(rule.id) === words) return
    for (const message of broken) onBroken(rule, message)
    if (isPiece) this.#said = new Map(this.#said).set(rule.id, words)
  }
}

interface Kept<In> {
  readonly folds: Array<Fold<In>>
  /** Where `folds` may differ from those now. */
  readonly changed: Array<number>
  place: Place.Place
  said: Said
}

/** Popped one by one: an array whose length is set to 0 loses its storage, and is asked to grow at the next event. */
const takeOver = <In>(from: ReadonlyArray<Fold<In>>, to: Array<Fold<In>>, changed: Array<number>): void => {
  for (let at = changed.pop(); at !== undefined; at = changed.pop()) {
    const fold = from[at]
    if (fold !== undefined) to[at] = fold
  }
}
