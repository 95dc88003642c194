/**
 * What a run found out, and whether the aims are met.
 *
 * In:  a line and the figures of its contenders.      Out: ratios and verdicts.
 * Not here: how they are shown (`tell.ts`, `page.ts`), kept (`baseline.ts`).
 */
import { type Aim, type Figures, figureOf, type Line } from "./Row.ts"

/** Of one contender; either figures, or why it has none. */
export interface Entry {
  readonly contender: string
  readonly figures?: Figures
  /** How far apart the processes were: largest over smallest, less one. */
  readonly spread?: number
  readonly failure?: string
}

export interface Outcome {
  readonly row: string
  readonly line: string
  /** `floor` and `ours` first. */
  readonly entries: ReadonlyArray<Entry>
}

export interface Verdict {
  readonly aim: Aim
  /** Whom it is against, with the name of the best peer. */
  readonly against: string
  /** Not a number when one of the two has no figure. */
  readonly value: number
  /** Undefined while nobody can tell. */
  readonly isMet: boolean | undefined
}

export const hasFigures = <E extends Entry>(entry: E): entry is E & { readonly figures: Figures } =>
  entry.figures !== undefined

export const valueOf = (line: Line, { entries }: Outcome, contender: string): number =>
  entries.find((entry) => entry.contender === contender)?.figures?.[figureOf(line)] ?? Number.NaN

/** Ours over the floor; not a number where there is no floor. */
export const ratioOf = (line: Line, outcome: Outcome, contender = "ours"): number =>
  valueOf(line, outcome, contender) / valueOf(line, outcome, "floor")

const isPeer = ({ contender }: Entry): boolean => !["floor", "ours", "without-hook"].includes(contender)

/** The peer with the smallest figure, or the largest where more is better. */
export const bestPeer = (line: Line, outcome: Outcome): string | undefined => {
  const sign = line.unit === "rate" ? -1 : 1
  return outcome.entries
    .filter((entry) => isPeer(entry) && Number.isFinite(valueOf(line, outcome, entry.contender)))
    .sort((a, b) => sign * (valueOf(line, outcome, a.contender) - valueOf(line, outcome, b.contender)))[0]
    ?.contender
}

const opponentOf = (aim: Aim, line: Line, outcome: Outcome): string => {
  if (typeof aim.against === "object") return aim.against.contender
  return aim.against === "best peer" ? (bestPeer(line, outcome) ?? aim.against) : aim.against
}

/** One for each aim, so that none is missed out without a word. */
export const verdictsOf = (line: Line, outcome: Outcome): ReadonlyArray<Verdict> =>
  (line.aims ?? []).map((aim) => {
    const against = opponentOf(aim, line, outcome)
    const ours = valueOf(line, outcome, "ours")
    const value = against === "nothing" ? ours : ours / valueOf(line, outcome, against)
    return { aim, against, value, isMet: Number.isNaN(value) ? undefined : value <= aim.atMost }
  })
