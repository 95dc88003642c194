/**
 * What a step costs at a point of a session, measured from inside: CPU time between two requests of the model.
 *
 * In:  how to run a session of so many steps, telling of each request.      Out: microseconds a step.
 */
import type { Work } from "../Row.ts"

/** `onStep` is told of each request of the model, which waits for what it gives. */
export type OnStep = (step: number) => Promise<void> | void
export type RunSession = (steps: number, onStep: OnStep) => Promise<unknown>

/** The mean cost of the steps from `from` to `to`, over `sessions` sessions. */
const costBetween = async (
  run: RunSession,
  { from, sessions, to }: { readonly from: number; readonly to: number; readonly sessions: number },
): Promise<number> => {
  let micros = 0
  for (let session = 0; session < sessions; session++) {
    let began = process.cpuUsage()
    await run(to, (step) => {
      if (step === from) began = process.cpuUsage()
      if (step !== to) return
      const { system, user } = process.cpuUsage(began)
      micros += user + system
    })
  }
  return micros / sessions / (to - from)
}

/** How many times as much late steps cost as early ones: steps 450–500 over 1–50, of five sessions unless they are long. */
export const growthOf = async (run: RunSession): Promise<number> => {
  let early = 0
  let late = 0
  const began = performance.now()
  for (let session = 0; session < 5 && performance.now() - began < 5000; session++) {
    const marks = new Map<number, number>()
    await run(500, (step) => {
      if (![1, 50, 450, 500].includes(step)) return
      const { system, user } = process.cpuUsage()
      marks.set(step, user + system)
    })
    const at = (step: number) => marks.get(step) ?? Number.NaN
    early += (at(50) - at(1)) / 49
    late += (at(500) - at(450)) / 50
  }
  return late / early
}

/** A window of the steps after the length, and as many sessions as make two hundred steps of it. */
const windowAt = (length: number) => {
  const size = Math.max(20, Math.round(length * 0.04))
  return { from: length, to: length + size, sessions: Math.ceil(200 / size) }
}

/** The cost of a step at this length; so long a session as ten thousand steps warms itself up. */
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
