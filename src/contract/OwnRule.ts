/**
 * Take a rule of the user's among ours, and keep a fault of it from ending whoever asks it.
 *
 * In:  a rule.      Out: one that, when its step throws or gives what is no outcome, breaks once in those words and is silent from then on.
 * Fails with: throws a TypeError when the id has not the form group.name.
 * Not here: what is refused while a rule is made (`Rule.ts`).
 */
import * as Foreign from "../error/Foreign.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Place } from "./Place.ts"
import { checkId, type Fold, type Rule } from "./Rule.ts"

/** No rule of the user's is always on, whatever it says of itself. */
export const contain = (rule: Rule): Rule => {
  checkId(rule.id)
  return { ...rule, mode: rule.mode === "A" ? "D" : rule.mode, fold: new Contained(rule.fold, none) }
}

const none: ReadonlyArray<string> = []

class Contained implements Fold<SessionEvent> {
  readonly broken: ReadonlyArray<string>
  readonly #inner: Fold<SessionEvent>

  constructor(inner: Fold<SessionEvent>, broken: ReadonlyArray<string>) {
    this.#inner = inner
    this.broken = broken
  }

  step(event: SessionEvent, place: Place): Fold<SessionEvent> {
    try {
      const after = this.#inner.step(event, place)
      if (after === this.#inner && this.broken === none) return this
      return new Contained(after, after.broken.length === 0 ? none : after.broken.map(String))
    } catch (cause) {
      return new Silent([failed(cause)])
    }
  }
}

/** Where the event is refused for it, nothing follows: the rule is asked about the next one as if this had not been. */
const failed = (cause: unknown): string => {
  const { name, message } = Foreign.normalise(cause)
  return `the rule itself failed, and what follows is not held to it: ${name}: ${message}`
}

class Silent implements Fold<SessionEvent> {
  readonly broken: ReadonlyArray<string>

  constructor(broken: ReadonlyArray<string>) {
    this.broken = broken
  }

  step(): Fold<SessionEvent> {
    return this.broken === none ? this : new Silent(none)
  }
}
