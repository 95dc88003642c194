/**
 * All rules over a stored log of a million events, as `effect-harness check` applies them once it has read it.
 */
import { verify } from "../../../src/invariant/Verifier.ts"
import { eventsOf } from "../inputs/log.ts"
import { spent } from "../measure.ts"
import type { Figures, Row, Work } from "../Row.ts"

const events = 1_000_000

const timed = async (once: () => unknown): Promise<Figures> => ({ ...(await spent(once)) })

const floor = (): Work => {
  const lines = eventsOf(events).map((event) => JSON.stringify(event))
  return {
    kind: "once",
    sample: () =>
      timed(() => {
        for (const line of lines) JSON.parse(line)
      }),
  }
}

const ours = (): Work => {
  const log = eventsOf(events)
  return {
    kind: "once",
    sample: () =>
      timed(() => {
        const [first] = verify(log)
        if (first !== undefined) throw new Error(`${first.rule}: ${first.message}`)
      }),
  }
}

export const check: Row = {
  name: "check",
  title: "Check a log of a million events",
  floorIs: "`JSON.parse` of every line, which comes before any check",
  lines: [{ name: "check/million", title: "every rule of stored logs" }],
  floor: { "check/million": floor },
  ours: { "check/million": ours },
}
