/**
 * The bench: every contender of every line, side by side, each in a process of its own.
 *
 * In:  names of rows or lines, none for all, and
 *        --quick   fewer and shorter rounds, for a first look
 *        --alone   floor and ours only
 *        --peers   install the neighbours first; without it, those that are installed take part
 *        --write   keep what was found in baseline.json and write docs/explain/performance.md
 *        --check   compare with baseline.json; ends with 1 when a ratio has become much worse
 * Out: a table a line, on stdout.
 * Order: the contenders of a line take turns, so that what else the machine does meets them all.
 */
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { partOf } from "../docs/Generated.ts"
import { type Baseline, compare, merge, read, write } from "./baseline.ts"
import type { Job } from "./contender.ts"
import { launch } from "./launch.ts"
import { circumstances, loadNow } from "./machine.ts"
import { medians } from "./measure.ts"
import type { Entry, Outcome } from "./Outcome.ts"
import { charts, parts, path } from "./page.ts"
import { install, loadPeers, type Neighbour } from "./peers.ts"
import { type Figures, figureOf, type Line, type Row, workOf } from "./Row.ts"
import { rows } from "./rows.ts"
import { say, tell } from "./tell.ts"

const efforts = {
  whole: { passes: 3, rounds: 5, roundMillis: 250, roundsMillis: 3000, warmMillis: [700, 8000] },
  quick: { passes: 1, rounds: 3, roundMillis: 60, roundsMillis: 1000, warmMillis: [400, 6000] },
} as const

type Effort = (typeof efforts)[keyof typeof efforts]

/** A contender of one line, and how its process is started. */
interface Contender {
  readonly name: string
  readonly script: string
  readonly job: Pick<Job, "row" | "work" | "contender">
}

const contendersOf = (built: string, row: Row, work: string, peers: ReadonlyArray<Neighbour>) => {
  const place = { row: row.name, work }
  const script = `${built}/contender.js`
  const own = (["floor", "ours"] as const)
    .filter((contender) => row[contender][work] !== undefined)
    .map((contender): Contender => ({ name: contender, script, job: { ...place, contender } }))
  const builds = Object.entries(row.builds ?? {})
    .filter(([, works]) => works.includes(work))
    .map(([name]): Contender => {
      return { name, script: `${built}/${name}/contender.js`, job: { ...place, contender: "ours" } }
    })
  const others = peers
    .filter(({ peer, version }) => peer.works[work] !== undefined && version !== undefined)
    .map(
      ({ path, peer }): Contender => ({
        name: peer.name,
        script,
        job: { ...place, contender: { peer: path } },
      }),
    )
  return [...own, ...builds, ...others]
}

/** What each process of a contender found, or why one found nothing. */
type Found = Map<string, ReadonlyArray<Figures> | string>

/** One that has taken so long gets no further process. */
const mostSeconds = 12

const compete = async (
  contenders: ReadonlyArray<Contender>,
  { passes, ...effort }: Effort,
): Promise<Found> => {
  const found: Found = new Map()
  const taken = new Map<string, number>()
  for (let pass = 0; pass < passes; pass++) {
    for (const { job, name, script } of contenders) {
      const before = found.get(name) ?? []
      const seconds = taken.get(name) ?? 0
      if (typeof before === "string" || seconds > mostSeconds) continue
      const began = performance.now()
      const answer = await launch(script, { ...job, ...effort })
      taken.set(name, seconds + (performance.now() - began) / 1000)
      found.set(name, "failure" in answer ? answer.failure : [...before, answer.figures])
    }
  }
  return found
}

const spreadOf = (line: Line, figures: ReadonlyArray<Figures>): number => {
  const values = figures.map((one) => one[figureOf(line)] ?? Number.NaN)
  return Math.max(...values) / Math.min(...values) - 1
}

const toOutcome = (row: Row, line: Line, found: Found): Outcome => {
  const entries = Array.from(
    found,
    ([contender, figures]): Entry =>
      typeof figures === "string"
        ? { contender, failure: figures }
        : { contender, figures: medians(figures), spread: spreadOf(line, figures) },
  )
  return { row: row.name, line: line.name, entries }
}

/** Rows by name, lines by the beginning of their names. */
const select = (words: ReadonlyArray<string>): ReadonlyArray<readonly [Row, Line]> => {
  const all = rows.flatMap((row) => row.lines.map((line) => [row, line] as const))
  const means = (word: string, line: Line) => line.name === word || line.name.startsWith(`${word}/`)
  const strange = words.find((word) => !all.some(([, line]) => means(word, line)))
  if (strange !== undefined)
    throw new Error(`there is no row ${strange}; there are ${rows.map(({ name }) => name).join(", ")}`)
  return words.length === 0 ? all : all.filter(([, line]) => words.some((word) => means(word, line)))
}

/** Gives the exit code. */
export const main = async (argv: ReadonlyArray<string>, built: string): Promise<number> => {
  const flag = { type: "boolean", default: false } as const
  const { positionals, values } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { quick: flag, alone: flag, peers: flag, write: flag, check: flag },
  })
  const selected = select(positionals)
  if (values.peers) install()
  const peers = values.alone ? [] : await loadPeers()
  for (const { peer, version } of peers)
    say(`${peer.name} ${version ?? "is not installed: npm run bench -- --peers"}`)
  const lines: Array<readonly [Line, Outcome]> = []
  const loadBefore = loadNow()
  const effort = values.quick ? efforts.quick : efforts.whole
  const done = new Map<string, Found>()
  for (const [row, line] of selected) {
    const work = workOf(line)
    const found = done.get(work) ?? (await compete(contendersOf(built, row, work, peers), effort))
    done.set(work, found)
    const outcome = toOutcome(row, line, found)
    tell(row.title, line, outcome)
    lines.push([line, outcome])
  }
  const outcomes = lines.map(([, outcome]) => outcome)
  const failed = outcomes.flatMap(({ entries }) => entries.filter(({ failure }) => failure !== undefined))
  for (const { contender, failure } of failed) say(`\n${contender} failed: ${failure}`)
  const worse = values.check ? compare(read(), lines) : []
  for (const { is, line, was } of worse)
    say(`\n${line} is ${is.toFixed(2)} × its floor, and was ${was.toFixed(2)} ×`)
  if (values.write) keep(merge(read(), circumstances(loadBefore, effort), versionsOf(peers), outcomes))
  return failed.length + worse.length === 0 ? 0 : 1
}

const versionsOf = (peers: ReadonlyArray<Neighbour>): Baseline["versions"] =>
  Object.fromEntries(
    peers.flatMap(({ peer, version }) => (version === undefined ? [] : [[peer.name, version] as const])),
  )

/** Keep the figures, and write the page from them. */
const keep = (baseline: Baseline): void => {
  write(baseline)
  // Rounded as it was kept, which is what the page is held to.
  const kept = read()
  process.env["UPDATE_DOCS"] = "1"
  for (const [name, text] of Object.entries(parts(kept))) partOf(path, name, text)
  for (const [chart, svg] of Object.entries(charts(kept))) writeFileSync(chart, svg)
}
