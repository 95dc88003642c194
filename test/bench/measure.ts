/**
 * Measure one work in this process: the median of several rounds, after it has warmed up.
 *
 * In:  a `Work`, how long a round works, how many rounds.      Out: `Figures`, of one operation.
 * Order: garbage is collected once, before the work begins. A collection between rounds throws away code that was made
 *        for objects of the round before: programs of any size then cost four times as much, and no process does it.
 */
import type { Figures, Work } from "./Row.ts"

/** Units: milliseconds of CPU time. */
export interface Effort {
  readonly rounds: number
  readonly roundMillis: number
  /** No round begins after so long, except the first: where one is long, there are fewer. */
  readonly roundsMillis: number
  /** Spent at least and at most before the first round that counts: compilers are slow to make up their minds. */
  readonly warmMillis: readonly [least: number, most: number]
}

interface Spent {
  readonly cpuMicros: number
  readonly wallMicros: number
}

/** CPU is user and system time of the whole process, its collector and compiler included. */
export const spent = async (run: () => unknown): Promise<Spent> => {
  const cpu = process.cpuUsage()
  const began = performance.now()
  await run()
  const { user, system } = process.cpuUsage(cpu)
  return { cpuMicros: user + system, wallMicros: (performance.now() - began) * 1000 }
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

/** The median of every figure by itself. */
export const medians = (samples: ReadonlyArray<Figures>): Figures =>
  Object.fromEntries(
    Object.keys(samples[0] ?? {}).map((name) => [
      name,
      median(samples.map((one) => one[name] ?? Number.NaN)),
    ]),
  )

const collect = (): void => globalThis.gc?.()

/** By CPU time, which other processes do not stretch; by wall time only for work that mostly waits. */
const worked = ({ cpuMicros, wallMicros }: Spent): number => Math.max(cpuMicros, wallMicros / 10) / 1000

/** Costs that differ by less are the same. */
const tolerance = 0.04

/**
 * Warm: the least was spent, two rounds in a row cost the same, and the last third of the time has brought no cheaper
 * round; or the most was spent. Two like rounds alone come about before a compiler is done.
 */
const watchWarmth = ({ warmMillis: [least, most] }: Effort) => {
  let spentMillis = 0
  let last = Number.NaN
  let best = { each: Number.POSITIVE_INFINITY, atMillis: 0 }
  return (millis: number, each: number): boolean => {
    spentMillis += millis
    if (each < best.each * (1 - tolerance)) best = { each, atMillis: spentMillis }
    const isSettled = Math.abs(each / last - 1) < tolerance && spentMillis >= best.atMillis * 1.5
    last = each
    return spentMillis >= most || (spentMillis >= least && isSettled)
  }
}

/** How often the work has to run to fill a round; what this takes warms it up. */
const calibrate = async (run: (times: number) => unknown, effort: Effort) => {
  const isWarm = watchWarmth(effort)
  let times = 1
  for (;;) {
    const cost = await spent(() => run(times))
    const share = worked(cost) / effort.roundMillis
    if (isWarm(worked(cost), share > 0.7 ? cost.cpuMicros / times : Number.NaN))
      return Math.max(1, Math.round(times / share))
    times = Math.max(1, Math.ceil(times * Math.min(10, 1 / Math.max(share, 0.1))))
  }
}

/** A round after another. */
const inRounds = async (round: () => Promise<Figures>, { rounds, roundsMillis }: Effort) => {
  const samples: Array<Figures> = []
  for (let millis = 0; samples.length < rounds && (samples.length === 0 || millis < roundsMillis); ) {
    millis += worked(await spent(async () => samples.push(await round())))
  }
  return samples
}

const repeat = async (run: (times: number) => unknown, operations: number, effort: Effort) => {
  const times = await calibrate(run, effort)
  return inRounds(async () => {
    const { cpuMicros, wallMicros } = await spent(() => run(times))
    const count = times * operations
    return { cpuMicros: cpuMicros / count, wallMicros: wallMicros / count }
  }, effort)
}

/** A sample that takes longer than any warm-up has warmed itself up, and counts. */
const sampleAll = async (sample: () => Promise<Figures>, effort: Effort) => {
  const isWarm = watchWarmth(effort)
  for (;;) {
    let found: Figures = {}
    const millis = worked(
      await spent(async () => {
        found = await sample()
      }),
    )
    if (millis >= effort.warmMillis[1]) return [found]
    if (isWarm(millis, millis)) return inRounds(sample, effort)
  }
}

const sampleBy = async (work: Work, effort: Effort): Promise<ReadonlyArray<Figures>> => {
  if (work.kind === "repeated") return repeat(work.run, work.operations ?? 1, effort)
  const sample = async () => work.sample()
  if (work.kind === "once") return [await sample()]
  return work.kind === "cold" ? inRounds(sample, effort) : sampleAll(sample, effort)
}

/** `peakBytes`: how far the memory of the process rose above what it held before the work began. */
export const measure = async (work: Work, effort: Effort): Promise<Figures> => {
  collect()
  const before = process.memoryUsage.rss()
  const samples = await sampleBy(work, effort)
  const peakBytes = Math.max(0, process.resourceUsage().maxRSS * 1024 - before)
  return { peakBytes, ...medians(samples) }
}
