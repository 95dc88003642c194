/**
 * The parts of docs/explain/performance.md that a run writes, and its charts.
 *
 * In:  a baseline.      Out: Markdown by the name of the part, SVG by the name of the file.
 * Not here: the words around them, which are written by hand.
 */
import { table } from "../docs/Generated.ts"
import { type Absence, absences } from "./absences.ts"
import type { Baseline } from "./baseline.ts"
import { toSvg } from "./chart.ts"
import { format } from "./format.ts"
import { bestPeer, hasFigures, type Outcome, ratioOf, valueOf, verdictsOf } from "./Outcome.ts"
import { type Line, type Row, unitOf, workOf } from "./Row.ts"
import { lengths } from "./rows/growth.ts"
import { rows } from "./rows.ts"
import { aimText, verdictText } from "./tell.ts"

export const path = "docs/explain/performance.md"

type Found = readonly [Row, Line, Baseline["outcomes"][number]]

const allFound = ({ outcomes }: Baseline): ReadonlyArray<Found> =>
  rows.flatMap((row) =>
    row.lines.flatMap((line) => {
      const outcome = outcomes.find((one) => one.line === line.name)
      return outcome === undefined ? [] : [[row, line, outcome] as const]
    }),
  )

const show = (line: Line, outcome: Outcome, contender: string | undefined): string =>
  contender === undefined ? "–" : format(valueOf(line, outcome, contender), unitOf(line))

const times = (ratio: number): string => (Number.isNaN(ratio) ? "–" : format(ratio, "ratio"))

/** A row for every aim. */
const aims = (baseline: Baseline): string =>
  table(
    ["work", "floor", "ours", "best peer", "ours is", "aim", "met"],
    allFound(baseline).flatMap(([row, line, outcome]) =>
      verdictsOf(line, outcome).map(({ against, aim, isMet, value }) => {
        const peer = bestPeer(line, outcome)
        const best = peer === undefined ? "–" : `${peer} ${show(line, outcome, peer)}`
        return [
          `${row.title}: ${line.title}`,
          show(line, outcome, "floor"),
          show(line, outcome, "ours"),
          best,
          verdictText(line, against, value),
          aimText(aim, against, unitOf(line)),
          isMet === undefined ? "not measured" : isMet ? "yes" : "**no**",
        ]
      }),
    ),
  )

const toCells = ([, line, outcome]: Found): ReadonlyArray<ReadonlyArray<string>> =>
  outcome.entries
    .filter(hasFigures)
    .map(({ contender, figures, spread = 0 }, at) => [
      at === 0 ? line.title : "",
      contender,
      show(line, outcome, contender),
      contender === "floor" ? "" : times(ratioOf(line, outcome, contender)),
      figures["wallMicros"] === undefined ? "–" : format(figures["wallMicros"], "time"),
      format(figures["processBytes"] ?? figures["peakBytes"] ?? Number.NaN, "bytes"),
      `${Math.round(spread * 100)} %`,
    ])

/** By the work, which several lines may share. */
const failuresOf = ([, line, outcome]: Found): ReadonlyArray<string> =>
  outcome.entries.flatMap(({ contender, failure }) =>
    failure === undefined
      ? []
      : [`- Without ${contender} in \`${workOf(line)}\`, which did not end: ${failure}.`],
  )

const absenceOf = ({ peers, reason }: Absence, found: ReadonlyArray<Found>): ReadonlyArray<string> => {
  const present = found.flatMap(([, , { entries }]) => entries.map(({ contender }) => contender))
  const absent = peers.filter((peer) => !present.includes(peer))
  return absent.length === 0 ? [] : [`- Without ${absent.join(", ")}: ${reason}.`]
}

/** Who is not in the tables of a row, and why. */
const notesOf = (row: Row, found: ReadonlyArray<Found>): ReadonlyArray<string> => [
  ...row.lines
    .filter((line) => !found.some(([, one]) => one === line))
    .map(({ title }) => `- Not measured in the kept run: ${title}.`),
  ...new Set(found.flatMap(failuresOf)),
  ...absences.filter((one) => one.row === row.name).flatMap((one) => absenceOf(one, found)),
]

/** A section a row of the bench, a table row a contender of each line. */
const sections = (baseline: Baseline): string =>
  rows
    .map((row) => {
      const found = allFound(baseline).filter(([of]) => of === row)
      const head = ["work", "contender", "cost", "× floor", "wall", "peak memory", "spread"]
      const figures = found.length === 0 ? [] : [table(head, found.flatMap(toCells))]
      const notes = notesOf(row, found).join("\n")
      return [
        `### ${row.title}`,
        `The floor: ${row.floorIs}.`,
        ...figures,
        ...(notes === "" ? [] : [notes]),
      ].join("\n\n")
    })
    .join("\n\n")

/** The names of the lines with an aim that is missed; the page has to say of each what the physics says. */
export const missedOf = (baseline: Baseline): ReadonlyArray<string> =>
  allFound(baseline)
    .filter(([, line, outcome]) => verdictsOf(line, outcome).some(({ isMet }) => isMet === false))
    .map(([, line]) => line.name)

const runs = ({ outcomes, runs, versions }: Baseline): string => {
  const told = runs.map(({ cores, cpu, date, load, memoryBytes, node, passes, platform, rounds }, at) => {
    const found = outcomes.filter((outcome) => outcome.run === at)
    const of = runs.length === 1 ? "All rows" : [...new Set(found.map(({ row }) => `\`${row}\``))].join(", ")
    const [before, after] = load
    const memory = format(memoryBytes / 1024, "bytes").replace("MB", "GB")
    return `- ${of}: ${date}, Node ${node}, ${platform}, ${cpu}, ${cores} cores, ${memory}; processes a contender: ${passes}, rounds in each: ${rounds}; load average ${before} before and ${after} after.`
  })
  const peers = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [...told, `- Compared with ${peers.length === 0 ? "nobody" : peers.join(", ")}.`].join("\n")
}

export const parts = (baseline: Baseline): Readonly<Record<string, string>> => ({
  aims: aims(baseline),
  rows: sections(baseline),
  runs: runs(baseline),
})

const seriesOf = (baseline: Baseline, prefix: string) => {
  const found = allFound(baseline).filter(([, line]) => line.name.startsWith("growth/"))
  const names = [...new Set(found.flatMap(([, , { entries }]) => entries.map(({ contender }) => contender)))]
  return names.flatMap((name) => {
    const points = lengths.flatMap((length) => {
      const [, line, outcome] = found.find(([, line]) => line.name === `${prefix}${length}`) ?? []
      const value = line && outcome ? valueOf(line, outcome, name) : Number.NaN
      return value > 0 ? [[length, value] as const] : []
    })
    return points.length === 0 ? [] : [{ name, points }]
  })
}

/** By path. */
export const charts = (baseline: Baseline): Readonly<Record<string, string>> => ({
  "docs/explain/growth-time.svg": toSvg({
    title: "CPU time of a step, by the length of the history",
    across: "steps before it",
    unit: "time",
    series: seriesOf(baseline, "growth/"),
  }),
  "docs/explain/growth-memory.svg": toSvg({
    title: "Memory that a step leaves behind",
    across: "steps of the session",
    unit: "bytes",
    series: seriesOf(baseline, "growth/heap "),
  }),
})
