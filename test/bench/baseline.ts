/**
 * What the last written run found: the source of docs/explain/performance.md, and what `--check` compares with.
 *
 * Order: a run of some rows replaces those rows only, circumstances with them. A line is never replaced by one that
 *        compares with fewer: figures of one line come from one run, so those of a contender that is not in the run
 *        could not stay.
 * Not here: the comparison with it (`compare.ts`).
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import type { Circumstances } from "./machine.ts"
import { type Entry, hasFigures, type Outcome } from "./Outcome.ts"

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

/** Without whose figures a line is not written: ours, the floor where there is one, and whoever the kept line has. */
export const missingOf = ({ outcomes }: Baseline, { entries, line }: Outcome): ReadonlyArray<string> => {
  const kept = outcomes.find((one) => one.line === line)?.entries.filter(hasFigures) ?? []
  const own = entries.filter(({ contender }) => contender === "floor" || contender === "ours")
  const needed = new Set(["ours", ...own.map(toName), ...kept.map(toName)])
  const measured = entries.filter(hasFigures).map(toName)
  return [...needed].filter((name) => !measured.includes(name))
}

const toName = ({ contender }: Entry): string => contender

/** Of a failure the first line, without the paths that it may name. */
const toKept = ({ failure, ...entry }: Entry): Entry =>
  failure === undefined
    ? entry
    : {
        ...entry,
        failure: (failure.split("\n")[0] ?? "").replace(/(?:file:\/\/)?(?:[A-Z]:)?[\\/][^\s'",)]+/g, "…"),
      }

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
        entries: entries.map(toKept),
      })),
    ],
  }
}
