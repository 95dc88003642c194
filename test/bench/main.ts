/**
 * The bench: every contender of every line, side by side, each in a process of its own.
 *
 * In:  names of rows or lines, none for all, and
 *        --quick   fewer and shorter rounds, for a first look
 *        --alone   floor and ours only
 *        --peers   install the neighbours first; without it, those that are installed take part
 *        --write   keep what was found in baseline.json and write docs/explain/performance.md; a kept line that
 *                  compares with more contenders than this run stays as it was, and the bench ends with 2
 *        --check   compare with baseline.json; ends with 1 when a ratio has become much worse
 * Out: a table a line, on stdout; on a terminal, what goes on, on stderr. A word that means nothing ends it with 2.
 * Order: the contenders of a line take turns, so that what else the machine does meets them all.
 */
import { writeFileSync } from "node:fs"
import { partOf } from "../docs/Generated.ts"
import { type Baseline, merge, missingOf, read, write } from "./baseline.ts"
import { type Command, toCommand } from "./command.ts"
import { compare } from "./compare.ts"
import type { Job } from "./contender.ts"
import { launch } from "./launch.ts"
import { type Circumstances, circumstances, loadNow } from "./machine.ts"
import { medians } from "./measure.ts"
import type { Entry, Outcome } from "./Outcome.ts"
import { charts, parts, path } from "./page.ts"
import { install, loadPeers, type Neighbour } from "./peers.ts"
import { type Figures, figureOf, type Line, type Row, workOf } from "./Row.ts"
import { murmur, say, tell } from "./tell.ts"

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
      murmur(`${job.work}: ${name}, process ${pass + 1} of ${passes} … `)
      const answer = await launch(script, { ...job, ...effort })
      const lasted = (performance.now() - began) / 1000
      murmur(`${lasted.toFixed(1)} s\n`)
      taken.set(name, seconds + lasted)
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

/** Gives the exit code: 1 when something failed or is worse, 2 when what was asked for cannot be done. */
export const main = async (argv: ReadonlyArray<string>, built: string): Promise<number> => {
  const command = toCommand(argv)
  if (typeof command === "string") {
    process.stderr.write(`${command}\n`)
    return 2
  }
  const { flags, selected } = command
  if (flags.peers) install()
  const peers = flags.alone ? [] : await loadPeers()
  for (const { peer, version } of peers)
    say(`${peer.name} ${version ?? "is not installed: npm run bench -- --peers"}`)
  const loadBefore = loadNow()
  const effort = flags.quick ? efforts.quick : efforts.whole
  const lines = await measureAll(selected, built, peers, effort)
  const outcomes = lines.map(([, outcome]) => outcome)
  const failed = outcomes.flatMap(({ entries }) => entries.filter(({ failure }) => failure !== undefined))
  for (const { contender, failure } of failed) say(`\n${contender} failed: ${failure}`)
  const isWorse = flags.check && check(lines)
  const isKept = !flags.write || keep(circumstances(loadBefore, effort), versionsOf(peers), outcomes)
  return failed.length > 0 || isWorse ? 1 : isKept ? 0 : 2
}

const measureAll = async (
  selected: Command["selected"],
  built: string,
  peers: ReadonlyArray<Neighbour>,
  effort: Effort,
): Promise<ReadonlyArray<readonly [Line, Outcome]>> => {
  const lines: Array<readonly [Line, Outcome]> = []
  const done = new Map<string, Found>()
  for (const [row, line] of selected) {
    const work = workOf(line)
    const found = done.get(work) ?? (await compete(contendersOf(built, row, work, peers), effort))
    done.set(work, found)
    const outcome = toOutcome(row, line, found)
    tell(row.title, line, outcome)
    lines.push([line, outcome])
  }
  return lines
}

const versionsOf = (peers: ReadonlyArray<Neighbour>): Baseline["versions"] =>
  Object.fromEntries(
    peers.flatMap(({ peer, version }) => (version === undefined ? [] : [[peer.name, version] as const])),
  )

/** Whether something is much worse than what is kept. */
const check = (lines: ReadonlyArray<readonly [Line, Outcome]>): boolean => {
  const { compared, passedOver, worse } = compare(read(), lines)
  say(`\ncompared with what is kept: ${compared} of ${lines.length} lines`)
  for (const { line, reason } of passedOver) say(`  passed over ${line}: ${reason}`)
  for (const { against, is, line, was } of worse) {
    const of = against === "nothing" ? "" : ` × ${against}`
    say(`  worse: ${line} is ${is.toFixed(2)}${of}, and was ${was.toFixed(2)}${of}`)
  }
  return worse.length > 0
}

/** Keep the figures, and write the page from them. Says whether every line was kept. */
const keep = (
  run: Circumstances,
  versions: Baseline["versions"],
  outcomes: ReadonlyArray<Outcome>,
): boolean => {
  const old = read()
  const whole = outcomes.filter((outcome) => missingOf(old, outcome).length === 0)
  for (const outcome of outcomes.filter((outcome) => !whole.includes(outcome)))
    say(`\n${outcome.line} stays as it was: this run is without ${missingOf(old, outcome).join(", ")}`)
  if (whole.length > 0) {
    write(merge(old, run, versions, whole))
    // Rounded as it was kept, which is what the page is held to.
    const kept = read()
    process.env["UPDATE_DOCS"] = "1"
    for (const [name, text] of Object.entries(parts(kept))) partOf(path, name, text)
    for (const [chart, svg] of Object.entries(charts(kept))) writeFileSync(chart, svg)
  }
  return whole.length === outcomes.length
}
