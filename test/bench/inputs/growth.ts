/**
 * What a step costs at a point of a session, measured from inside: CPU time between two requests of the model.
 *
 * In:  how to run a session of so many steps, telling of each request.      Out: microseconds a step.
 */
import { median } from "../measure.ts"
import type { Work } from "../Row.ts"

/** `onStep` is told of each request of the model, which waits for what it gives. */
export type OnStep = (step: number) => Promise<void> | void
export type RunSession = (steps: number, onStep: OnStep) => Promise<unknown>

const cpuMicros = (): number => {
  const { system, user } = process.cpuUsage()
  return user + system
}

/** CPU time at which one session asked for each of these steps. */
const marksOf = async (run: RunSession, steps: number, marked: ReadonlyArray<number>) => {
  const marks = new Map<number, number>()
  await run(steps, (step) => {
    if (marked.includes(step)) marks.set(step, cpuMicros())
  })
  return (from: number, to: number): number =>
    ((marks.get(to) ?? Number.NaN) - (marks.get(from) ?? Number.NaN)) / (to - from)
}

/** The cost of a step from `from` to `to`: the median of `sessions` sessions, so that a collection in one is not it. */
const costBetween = async (
  run: RunSession,
  { from, sessions, to }: { readonly from: number; readonly to: number; readonly sessions: number },
): Promise<number> => {
  const costs: Array<number> = []
  for (let session = 0; session < sessions; session++)
    costs.push((await marksOf(run, to, [from, to]))(from, to))
  return median(costs)
}

/** Units: milliseconds of CPU time. What is slow makes fewer than `fewest` sessions once `patience` is over, but one. */
const span = { warm: 2000, measure: 5000, fewest: 5, patience: 20_000 } as const

/** From 500 to 750 steps, in no order that comes back soon. */
const lengthOf = (session: number): number => 500 + ((session * 89) % 250)

/**
 * How many times as much late steps cost as early ones: steps 450–500 over 1–50, the median of each over many sessions.
 *
 * Order: whole sessions come first that do not count. A window is so short that one collection in it is most of it:
 * means, and ratios within a session, tell where the collections fell. So do sessions of one length, which a collector
 * keeps time with.
 */
const growthOf = async (run: RunSession): Promise<number> => {
  const early: Array<number> = []
  const late: Array<number> = []
  const began = cpuMicros()
  const millis = () => (cpuMicros() - began) / 1000
  do await run(500, () => {})
  while (millis() < span.warm)
  const warmed = millis()
  do {
    const cost = await marksOf(run, lengthOf(early.length), [1, 50, 450, 500])
    early.push(cost(1, 50))
    late.push(cost(450, 500))
  } while (millis() - warmed < (early.length < span.fewest ? span.patience : span.measure))
  return median(late) / median(early)
}

/** Measured once a process: it warms itself up, and takes as many sessions as there is time for. */
export const growing = (run: RunSession) => (): Work => ({
  kind: "once",
  sample: async () => ({ growth: await growthOf(run) }),
})

/** A window of the steps after the length, and as many sessions as make two hundred steps of it. */
const windowAt = (length: number) => {
  const size = Math.max(20, Math.round(length * 0.04))
  return { from: length, to: length + size, sessions: Math.ceil(200 / size) }
}

/**
 * The cost of a step at this length.
 *
 * A session of ten thousand steps warms itself up, and is the only one: the mean of its four hundred steps, what is
 * collected among them included.
 */
export const costAt = (run: RunSession, length: number) => (): Work => ({
  kind: length < 10_000 ? "sampled" : "once",
  sample: async () => ({ cpuMicros: await costBetween(run, windowAt(length)) }),
})

const stepsOfSession = 50

/** Whole sessions of fifty steps; the cost of a step. */
export const inSessions = (run: (steps: number) => Promise<unknown>): Work => ({
  kind: "repeated",
  operations: stepsOfSession,
  run: async (times) => {
    for (let time = 0; time < times; time++) await run(stepsOfSession)
  },
})
