/**
 * Measure one work in this process: the median of several rounds, after it has warmed up.
 *
 * In:  a `Work`, how long a round works, how many rounds.      Out: `Figures`, of one operation.
 * Order: garbage of the round before is collected between rounds, so that nobody pays for another's.
 */
import type { Figures, Work } from "./Row.ts"

/** Units: milliseconds of CPU time. */
export interface Effort {
  readonly rounds: number
  readonly roundMillis: number
  /** Spent before the first round that counts: compilers are slow to make up their minds. */
  readonly warmMillis: number
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

/** How often the work has to run to fill a round; what this takes warms it up. */
const calibrate = async (run: (times: number) => unknown, { roundMillis, warmMillis }: Effort) => {
  let times = 1
  for (let warm = 0; ; ) {
    const millis = worked(await spent(() => run(times)))
    warm += millis
    const share = millis / roundMillis
    if (share > 0.7 && warm >= warmMillis) return Math.max(1, Math.round(times / share))
    times = Math.max(1, Math.ceil(times * Math.min(10, 1 / Math.max(share, 0.1))))
  }
}

const repeat = async (run: (times: number) => unknown, effort: Effort) => {
  const times = await calibrate(run, effort)
  const samples: Array<Figures> = []
  for (let round = 0; round < effort.rounds; round++) {
    collect()
    const { cpuMicros, wallMicros } = await spent(() => run(times))
    samples.push({ cpuMicros: cpuMicros / times, wallMicros: wallMicros / times })
  }
  return samples
}

const sampleAll = async (sample: () => Figures | Promise<Figures>, { rounds, warmMillis }: Effort) => {
  for (let warm = 0; warm < warmMillis; ) warm += worked(await spent(sample))
  const samples: Array<Figures> = []
  for (let round = 0; round < rounds; round++) {
    collect()
    samples.push(await sample())
  }
  return samples
}

const sampleBy = async (work: Work, effort: Effort): Promise<ReadonlyArray<Figures>> => {
  if (work.kind === "repeated") return repeat(work.run, effort)
  return work.kind === "once" ? [await work.sample()] : sampleAll(work.sample, effort)
}

/** `peakBytes`: how far the memory of the process rose above what it held before the work began. */
export const measure = async (work: Work, effort: Effort): Promise<Figures> => {
  collect()
  const before = process.memoryUsage.rss()
  const samples = await sampleBy(work, effort)
  const peakBytes = Math.max(0, process.resourceUsage().maxRSS * 1024 - before)
  return { peakBytes, ...medians(samples) }
}
