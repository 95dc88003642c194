/** Tell a terminal what was found, a line of the bench at a time. */
import { format } from "./format.ts"
import { type Entry, type Outcome, ratioOf, verdictsOf } from "./Outcome.ts"
import { figureOf, type Line, type Unit, unitOf } from "./Row.ts"

export const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** What goes on, for somebody who waits at a terminal; files and pipes are spared it. */
export const murmur = (text: string): void => void (process.stderr.isTTY && process.stderr.write(text))

/** An aim in words: `≤ 1.15 × floor`. */
export const aimText = ({ atMost }: { readonly atMost: number }, against: string, unit: Unit): string =>
  against === "nothing" ? `≤ ${format(atMost, unit)}` : `≤ ${atMost} × ${against}`

/** Its value in words. */
export const verdictText = (line: Line, against: string, value: number): string => {
  if (Number.isNaN(value)) return "–"
  return against === "nothing" ? format(value, unitOf(line)) : `${value.toFixed(2)} ×`
}

const shown = (line: Line): ReadonlyArray<readonly [string, Unit]> => [
  [figureOf(line), unitOf(line)],
  ...Object.entries(line.also ?? {}),
  ...(unitOf(line) === "time" ? ([["wallMicros", "time"]] as const) : []),
  ["peakBytes", "bytes"],
]

const names: Readonly<Record<string, string>> = { wallMicros: "wall", peakBytes: "peak +" }

const tellEntry = (
  line: Line,
  outcome: Outcome,
  { contender, failure, figures, spread = 0 }: Entry,
): string => {
  const head = `  ${contender.padEnd(16)}`
  if (figures === undefined) return `${head}– ${failure?.split("\n")[0] ?? ""}`
  const ratio = ratioOf(line, outcome, contender)
  const [first, ...others] = shown(line).map(([name, unit], at) => {
    const value = format(figures[name] ?? Number.NaN, unit)
    return at === 0 ? value.padStart(9) : `${names[name] ?? name} ${value}`
  })
  const times = contender === "floor" || Number.isNaN(ratio) ? "" : format(ratio, "ratio")
  return `${head}${first} ${times.padStart(8)}  ±${Math.round(spread * 100)} %  ${others.join(" · ")}`
}

export const tell = (title: string, line: Line, outcome: Outcome): void => {
  say(`\n${title}: ${line.title}  [${line.name}]`)
  for (const entry of outcome.entries) say(tellEntry(line, outcome, entry))
  for (const { against, aim, isMet, value } of verdictsOf(line, outcome)) {
    const of = verdictText(line, against, value)
    const sign = isMet === undefined ? "?" : isMet ? "✓" : "✗"
    say(`  ${sign} ${of}, aim ${aimText(aim, against, unitOf(line))}`)
  }
}
