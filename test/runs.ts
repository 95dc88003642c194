/**
 * How often properties try: as often as the test says, times RUNS_FACTOR.
 *
 * A hundred in the nightly run, a quarter against mutants, one otherwise.
 */
export const runsFactor = Number(process.env["RUNS_FACTOR"] ?? 1)

if (!(runsFactor > 0))
  throw new Error(`RUNS_FACTOR is to be a number above 0, not ${process.env["RUNS_FACTOR"]}`)

/** The number of runs that stands for `count`; one at the least. */
export const runs = (count: number): number => Math.max(1, Math.round(count * runsFactor))
