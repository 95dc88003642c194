/**
 * What the last written run found: the source of docs/explain/performance.md, and what `--check` compares with.
 *
 * Order: a run of some rows replaces those rows only, circumstances with them.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import type { Circumstances } from "./machine.ts"
import { type Outcome, ratioOf } from "./Outcome.ts"
import type { Line } from "./Row.ts"

const path = "test/bench/baseline.json"

/** The index of the run that found it stands beside each outcome. */
export interface Baseline {
  readonly runs: ReadonlyArray<Circumstances>
  readonly versions: Readonly<Record<string, string>>
  readonly outcomes: ReadonlyArray<Outcome & { readonly run: number }>
}

const empty: Baseline = { runs: [], versions: {}, outcomes: [] }

export const read = (): Baseline => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : empty)

export const write = (baseline: Baseline): void =>
  writeFileSync(path, `${JSON.stringify(baseline, rounded, 2)}\n`)

/** Four digits are more than any figure here means. */
const rounded = (_key: string, value: unknown): unknown =>
  typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value

/** Put new outcomes in the place of the old ones of the same lines; runs that nothing refers to any more are forgotten. */
export const merge = (
  old: Baseline,
  run: Circumstances,
  versions: Baseline["versions"],
  outcomes: ReadonlyArray<Outcome>,
): Baseline => {
  const lines = new Set(outcomes.map(({ line }) => line))
  const kept = old.outcomes.filter(({ line }) => !lines.has(line))
  const used = [...new Set(kept.map(({ run }) => run))].sort((a, b) => a - b)
  return {
    runs: [...used.flatMap((at) => old.runs[at] ?? []), run],
    versions: { ...old.versions, ...versions },
    outcomes: [
      ...kept.map((outcome) => ({ ...outcome, run: used.indexOf(outcome.run) })),
      ...outcomes.map(({ entries, line, row }) => ({
        row,
        line,
        run: used.length,
        // Why a contender failed is told on the terminal; it may name paths.
        entries: entries.filter(({ figures }) => figures !== undefined),
      })),
    ],
  }
}

/** How many times a stored ratio may be exceeded before it is more than the noise of a shared machine. */
const tolerance = 1.6

export interface Worse {
  readonly line: string
  readonly was: number
  readonly is: number
}

/** Ratios of ours to the floor that have become much worse; lines without a floor, or not stored, are left out. */
export const compare = (
  old: Baseline,
  lines: ReadonlyArray<readonly [Line, Outcome]>,
): ReadonlyArray<Worse> =>
  lines.flatMap(([line, outcome]) => {
    const stored = old.outcomes.find((one) => one.line === line.name)
    if (stored === undefined) return []
    const moreIsBetter = line.unit === "rate"
    const was = ratioOf(line, stored)
    const is = ratioOf(line, outcome)
    const isWorse = moreIsBetter ? is * tolerance < was : is > was * tolerance
    return isWorse ? [{ line: line.name, was, is }] : []
  })
