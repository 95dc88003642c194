/**
 * A thousand agents at once in one process, ten steps each. The model of each answers after a turn of the event loop, so
 * that all of them are under way at the same time.
 *
 * Units: steps a second of wall time; how long a step takes from one request of its model to the next.
 */
import { Effect, Layer } from "effect"
import * as MemoryStore from "../../../src/store/MemoryStore.ts"
import { modelOf, runSession } from "../inputs/agent.ts"
import { crowd, crowdHeap } from "../inputs/crowd.ts"
import type { OnStep } from "../inputs/growth.ts"
import { plainLoop } from "../inputs/plainLoop.ts"
import type { Row } from "../Row.ts"

const run = (steps: number, onStep: OnStep): Promise<void> =>
  Effect.runPromise(
    Effect.provide(runSession(), Layer.merge(Layer.fresh(MemoryStore.layer), modelOf(steps, onStep))),
  )

export const many: Row = {
  name: "many",
  title: "A thousand agents in one process",
  floorIs: "a thousand plain loops",
  lines: [
    { name: "many/step", title: "a step, CPU" },
    {
      name: "many/throughput",
      work: "many/step",
      title: "steps a second",
      figure: "throughput",
      unit: "rate",
    },
    { name: "many/p50", work: "many/step", title: "a step, p50", figure: "p50Micros" },
    { name: "many/p99", work: "many/step", title: "a step, p99", figure: "p99Micros" },
    {
      name: "many/memory",
      title: "memory an agent, half-way",
      figure: "heapBytes",
      unit: "bytes",
    },
  ],
  floor: { "many/step": () => crowd(plainLoop), "many/memory": () => crowdHeap(plainLoop) },
  ours: { "many/step": () => crowd(run), "many/memory": () => crowdHeap(run) },
}
