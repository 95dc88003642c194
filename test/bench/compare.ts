/**
 * What has become worse since the baseline was kept.
 *
 * In:  a baseline, lines and what was found of them now.      Out: how many were compared, what was passed over and
 *      why, and what is much worse.
 * Order: a line is compared by the ratios that its aims name, to a fixed value too; one without aims by that to its floor.
 */
import type { Baseline } from "./baseline.ts"
import { type Outcome, ratioOf, verdictsOf } from "./Outcome.ts"
import type { Line } from "./Row.ts"

/** How many times a stored ratio may be exceeded before it is more than the noise of a shared machine. */
const tolerance = 1.6

export interface Worse {
  readonly line: string
  /** A contender, or `nothing` where the figure itself is compared. */
  readonly against: string
  readonly was: number
  readonly is: number
}

export interface Comparison {
  /** How many lines were compared, in one ratio at least. */
  readonly compared: number
  readonly passedOver: ReadonlyArray<{ readonly line: string; readonly reason: string }>
  readonly worse: ReadonlyArray<Worse>
}

interface Ratio {
  readonly against: string
  readonly value: number
}

const ratiosOf = (line: Line, outcome: Outcome): ReadonlyArray<Ratio> =>
  line.aims === undefined
    ? [{ against: "floor", value: ratioOf(line, outcome) }]
    : verdictsOf(line, outcome).map(({ against, value }) => ({ against, value }))

/** Why two ratios say nothing. */
const obstacleOf = (was: Ratio, is: Ratio): string | undefined => {
  if (was.against !== is.against) return `kept against ${was.against}, now against ${is.against}`
  if (Number.isNaN(was.value)) return `no kept figure against ${was.against}`
  if (Number.isNaN(is.value)) return `no figure against ${is.against} now`
  return was.value > 0 ? undefined : "the kept figure is not above zero"
}

const compareLine = (line: Line, stored: Outcome | undefined, outcome: Outcome): Comparison => {
  const name = line.name
  if (stored === undefined)
    return { compared: 0, passedOver: [{ line: name, reason: "not kept" }], worse: [] }
  const now = ratiosOf(line, outcome)
  const pairs = ratiosOf(line, stored).flatMap((was, at) => {
    const is = now[at]
    return is === undefined ? [] : [{ was, is, reason: obstacleOf(was, is) }]
  })
  const compared = pairs.filter(({ reason }) => reason === undefined)
  const isWorse = (was: number, is: number) =>
    line.unit === "rate" ? is * tolerance < was : is > was * tolerance
  return {
    compared: compared.length === 0 ? 0 : 1,
    passedOver: pairs.flatMap(({ reason }) => (reason === undefined ? [] : [{ line: name, reason }])),
    worse: compared
      .filter(({ is, was }) => isWorse(was.value, is.value))
      .map(({ is, was }) => ({ line: name, against: was.against, was: was.value, is: is.value })),
  }
}

export const compare = (
  { outcomes }: Baseline,
  lines: ReadonlyArray<readonly [Line, Outcome]>,
): Comparison => {
  const each = lines.map(([line, outcome]) => {
    const stored = outcomes.find((one) => one.line === line.name)
    return compareLine(line, stored, outcome)
  })
  return {
    compared: each.reduce((sum, { compared }) => sum + compared, 0),
    passedOver: each.flatMap(({ passedOver }) => passedOver),
    worse: each.flatMap(({ worse }) => worse),
  }
}
