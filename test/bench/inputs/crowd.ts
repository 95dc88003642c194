/** A thousand sessions at once, and what a step of them costs; the same for every contender. */
import { median, spent } from "../measure.ts"
import type { Work } from "../Row.ts"
import type { RunSession } from "./growth.ts"
import { heapOf } from "./heap.ts"

const agents = 1000
const steps = 10

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? 0

const all = (run: () => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: agents }, run))

/** The model answers in the next turn of the event loop: every agent has to wait for the others. */
export const crowd = (run: RunSession): Work => ({
  kind: "sampled",
  sample: async () => {
    const latencies: Array<number> = []
    const one = (): Promise<unknown> => {
      let last = 0
      return run(steps, (step) => {
        const now = performance.now()
        if (step > 1) latencies.push((now - last) * 1000)
        last = now
        return new Promise((resolve) => setImmediate(resolve))
      })
    }
    const { cpuMicros, wallMicros } = await spent(() => all(one))
    return {
      cpuMicros: cpuMicros / (agents * steps),
      throughput: (agents * steps * 1e6) / wallMicros,
      p50Micros: median(latencies),
      p99Micros: quantile(Float64Array.from(latencies).sort(), 0.99),
    }
  },
})

/** What an agent holds when it has done half of its steps and waits for its model, as all others do. */
export const crowdHeap = (run: RunSession): Work => ({
  kind: "once",
  sample: async () => {
    const { heapBytes = 0 } = await heapOf(async (keep) => {
      let waiting = 0
      let open = (): void => {}
      const gate = new Promise<void>((resolve) => {
        open = resolve
      })
      const arrive = (): Promise<void> => {
        waiting++
        if (waiting === agents) void keep(gate).then(open)
        return gate
      }
      await all(() => run(steps, (step) => (step === steps / 2 ? arrive() : undefined)))
    })
    return { heapBytes: heapBytes / agents }
  },
})
