/**
 * What an example of a rule is: two short logs that differ in one thing.
 *
 * Not here: the examples (`Examples.ts`).
 */
export interface Example<In> {
  /** What is wrong in the unlawful one, in words: "turn 1 ends twice". */
  readonly what: string
  readonly lawful: ReadonlyArray<In>
  /** Breaks the rule once, and no other but those in `also`. */
  readonly unlawful: ReadonlyArray<In>
  /** Rules that cannot but break with it. */
  readonly also?: ReadonlyArray<string>
}
