/**
 * A log that nearly tells the story, and the rules that it breaks.
 *
 * Not here: the logs themselves (`Mutants.ts`).
 */
import type { EventDraft } from "../event/SessionEvent.ts"

export interface Mutant {
  /** Ids of the rules that it breaks: each once, in this order, and no other. */
  readonly rules: ReadonlyArray<string>
  /** What is wrong, in words that name it: "a turn that ends twice". */
  readonly what: string
  /** From its first event; `Story.number` makes events of it. */
  readonly log: ReadonlyArray<EventDraft>
}
