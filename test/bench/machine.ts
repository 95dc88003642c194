/** The machine and the moment, as far as they say something about figures: no name, no path. */
import { availableParallelism, cpus, loadavg, totalmem } from "node:os"

export interface Circumstances {
  readonly date: string
  readonly cpu: string
  readonly cores: number
  readonly memoryBytes: number
  readonly node: string
  readonly platform: string
  /** How many processes a contender had, and how many rounds each. */
  readonly passes: number
  readonly rounds: number
  /** Units: processes that wanted to run in the minute before, at the beginning and at the end. */
  readonly load: readonly [number, number]
}

export const loadNow = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10

export const circumstances = (
  loadBefore: number,
  { passes, rounds }: Pick<Circumstances, "passes" | "rounds">,
): Circumstances => ({
  passes,
  rounds,
  date: new Date().toISOString().slice(0, 10),
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: availableParallelism(),
  memoryBytes: totalmem(),
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
  load: [loadBefore, loadNow()],
})
