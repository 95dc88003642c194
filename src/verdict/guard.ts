/**
 * Keep a fault of a user's rule from ending the check.
 *
 * In:  a rule.      Out: one that, when its step throws or gives what is no outcome, breaks once in those words and is silent from then on.
 */
import type { Place } from "../contract/Place.ts"
import type { Fold, Rule } from "../contract/Rule.ts"
import * as Foreign from "../error/Foreign.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"

/** No rule of the user's is always on, whatever it says of itself. */
export const guard = (rule: Rule): Rule => ({
  ...rule,
  mode: rule.mode === "A" ? "D" : rule.mode,
  fold: new Guarded(rule.fold, none),
})

const none: ReadonlyArray<string> = []

class Guarded implements Fold<SessionEvent> {
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
      return new Guarded(after, after.broken.length === 0 ? none : after.broken.map(String))
    } catch (cause) {
      return new Silent([
        `the rule itself failed, and is not asked again: ${Foreign.normalise(cause).message}`,
      ])
    }
  }
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
