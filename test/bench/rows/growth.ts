/**
 * Whether a step costs more the longer the session is: at 10, 100, 1,000 and 10,000 steps of history.
 *
 * Units: CPU microseconds of one step at that length; bytes of heap that a step of history leaves behind.
 */
import { Effect, Layer } from "effect"
import * as MemoryStore from "../../../src/store/MemoryStore.ts"
import { modelOf, runSession } from "../inputs/agent.ts"
import { costAt, type OnStep, type RunSession } from "../inputs/growth.ts"
import { heapOf } from "../inputs/heap.ts"
import { plainLoop } from "../inputs/plainLoop.ts"
import type { Line, Row, Work, Works } from "../Row.ts"

export const lengths = [10, 100, 1000, 10_000] as const

type Keep = (alive: unknown) => Promise<void>

const ours: RunSession = (steps, onStep) => keepOurs(steps, onStep)
const keepOurs = (steps: number, onStep?: OnStep, keep?: Keep): Promise<void> =>
  Effect.runPromise(
    Effect.provide(
      runSession((session) => Effect.promise(async () => keep?.(session))),
      Layer.merge(Layer.fresh(MemoryStore.layer), modelOf(steps, onStep)),
    ),
  )

const keepFloor = async (steps: number, onStep?: OnStep, keep?: Keep): Promise<void> => {
  const messages = await plainLoop(steps, onStep)
  await keep?.(messages)
}

/** So many sessions at once that they have a thousand steps together: what a short one leaves is lost in the noise. */
const heapAt = (run: typeof keepOurs, length: number) => (): Work => ({
  kind: "sampled",
  sample: async () => {
    const sessions = Math.max(1, 1000 / length)
    const begin = (left: number, keep: Keep): Promise<void> =>
      run(length, undefined, (alive) =>
        left === 1 ? keep(alive) : begin(left - 1, (others) => keep([alive, others])),
      )
    const { heapBytes = 0 } = await heapOf((keep) => begin(sessions, keep))
    return { heapBytes: heapBytes / length / sessions }
  },
})

const worksOf = (run: RunSession, keep: typeof keepOurs): Works =>
  Object.fromEntries(
    lengths.flatMap((length) => [
      [`growth/${length}`, costAt(run, length)],
      [`growth/heap ${length}`, heapAt(keep, length)],
    ]),
  )

const count = (length: number): string => length.toLocaleString("en")

export const growth: Row = {
  name: "growth",
  title: "Growth with the length of the history",
  floorIs: "the plain loop",
  lines: [
    ...lengths.map(
      (length): Line => ({ name: `growth/${length}`, title: `a step after ${count(length)} steps` }),
    ),
    ...lengths.map(
      (length): Line => ({
        name: `growth/heap ${length}`,
        title: `memory a step, after ${count(length)}`,
        figure: "heapBytes",
        unit: "bytes",
      }),
    ),
  ],
  floor: worksOf(keepFloor, keepFloor),
  ours: worksOf(ours, keepOurs),
}
