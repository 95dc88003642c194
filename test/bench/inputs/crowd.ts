/** A thousand sessions at once, and what a step of them costs; the same for every contender. */
import { median, spent } from "../measure.ts"
import type { Work } from "../Row.ts"
import type { RunSession } from "./growth.ts"

const agents = 1000
const steps = 10

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? 0

export const crowd = (run: RunSession): Work => ({
  kind: "sampled",
  sample: async () => {
    const latencies: Array<number> = []
    const rss: Array<number> = []
    const before = process.memoryUsage.rss()
    const one = (): Promise<unknown> => {
      let last = 0
      return run(steps, (step) => {
        const now = performance.now()
        if (step > 1) latencies.push((now - last) * 1000)
        last = now
        if (latencies.length % 1000 === 0) rss.push(process.memoryUsage.rss())
      })
    }
    const { cpuMicros, wallMicros } = await spent(() => Promise.all(Array.from({ length: agents }, one)))
    const sorted = Float64Array.from(latencies).sort()
    return {
      cpuMicros: cpuMicros / (agents * steps),
      throughput: (agents * steps * 1e6) / wallMicros,
      p50Micros: median(latencies),
      p99Micros: quantile(sorted, 0.99),
      agentBytes: Math.max(0, Math.max(...rss) - before) / agents,
    }
  },
})
