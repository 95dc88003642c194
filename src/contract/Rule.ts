/**
 * What a rule over a log is: one pure fold that ends in silence or in violations.
 *
 * In:  an id, a sentence, an initial state and a step.      Out: `Rule`, whose `fold` hides the state's type.
 * Not here: the always-on rules (`AlwaysOn.ts`), all others (`invariant/`).
 */
import type { SessionEvent } from "../event/SessionEvent.ts"

/** A: always on, at append and at load. D: with `DevInvariants` and offline. O: offline only. */
export type Mode = "A" | "D" | "O"

/**
 * A fold in progress. Stepping never changes it, so a batch that is refused leaves nothing behind.
 * `broken` holds one line a violation, usually none; `next` goes on from there in both cases.
 */
export interface Fold<In> {
  readonly step: (input: In) => { readonly next: Fold<In>; readonly broken: ReadonlyArray<string> }
}

export interface Rule<In = SessionEvent> {
  /** `group.name`, stable. */
  readonly id: string
  /** What holds in every lawful log, in one sentence. */
  readonly statement: string
  readonly mode: Mode
  /** `log`: a stored log is enough. `live`: it needs the running process. */
  readonly sees: "log" | "live"
  /** What to do about a violation. */
  readonly hint: string
  readonly fold: Fold<In>
}

/** The outcome of one step: the new state, or the new state with what was broken. */
export class Broken<S> {
  readonly state: S
  readonly messages: ReadonlyArray<string>
  constructor(state: S, messages: ReadonlyArray<string>) {
    this.state = state
    this.messages = messages
  }
}

const none: ReadonlyArray<string> = []

const foldOf = <S, In>(state: S, step: (state: S, input: In) => S | Broken<S>): Fold<In> => {
  const self: Fold<In> = {
    step: (input) => {
      const result = step(state, input)
      if (result instanceof Broken) return { next: foldOf(result.state, step), broken: result.messages }
      return { next: result === state ? self : foldOf(result, step), broken: none }
    },
  }
  return self
}

/** Make a rule. `step` must not change the state it is given. */
export const make = <S, In = SessionEvent>(definition: {
  readonly id: string
  readonly statement: string
  readonly mode: Mode
  readonly sees?: "log" | "live"
  readonly hint: string
  readonly initial: S
  readonly step: (state: S, input: In) => S | Broken<S>
}): Rule<In> => ({
  id: definition.id,
  statement: definition.statement,
  mode: definition.mode,
  sees: definition.sees ?? "log",
  hint: definition.hint,
  fold: foldOf(definition.initial, definition.step),
})
