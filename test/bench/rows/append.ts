/**
 * The log and the history that it derives: 100,000 events appended in memory, the history read at every step.
 *
 * Ours is `Session`: numbered, checked against the contract, folded to state and history, kept, published.
 */
import { Effect, Layer } from "effect"
import * as DevInvariants from "../../../src/invariant/DevInvariants.ts"
import * as SessionLog from "../../../src/session/SessionLog.ts"
import * as MemoryStore from "../../../src/store/MemoryStore.ts"
import { appendAll, batchesOf, countOf } from "../inputs/log.ts"
import { makePlainLog } from "../inputs/plainLog.ts"
import { spent } from "../measure.ts"
import type { Row, Work } from "../Row.ts"

const events = 100_000

const floor = (): Work => ({
  kind: "sampled",
  sample: async () => {
    const batches = batchesOf(events)
    const log = makePlainLog()
    const { cpuMicros, wallMicros } = await spent(() => {
      for (const { drafts, endsStep } of batches) {
        for (const draft of drafts) log.push(draft)
        if (endsStep && log.messages().length === 0) throw new Error("no history")
      }
    })
    return { cpuMicros: cpuMicros / countOf(batches), wallMicros: wallMicros / countOf(batches) }
  },
})

const ours = (layer: Layer.Layer<never>) => (): Work => ({
  kind: "sampled",
  sample: () => {
    const batches = batchesOf(events)
    const sample = Effect.gen(function* () {
      const session = yield* SessionLog.create()
      const { cpuMicros, wallMicros } = yield* Effect.promise(() =>
        spent(() => Effect.runPromise(appendAll(session, batches))),
      )
      return { cpuMicros: cpuMicros / countOf(batches), wallMicros: wallMicros / countOf(batches) }
    })
    const services = Layer.merge(Layer.fresh(MemoryStore.layer), layer)
    return Effect.runPromise(sample.pipe(Effect.scoped, Effect.provide(services)))
  },
})

export const append: Row = {
  name: "append",
  title: "Append to the log, and derive the history",
  floorIs: "the event made and pushed, its message pushed, the messages copied at every step",
  lines: [
    {
      name: "append/off",
      title: "an event, no DevInvariants",
      aims: [
        { against: "floor", atMost: 2 },
        { against: { contender: "without-hook" }, atMost: 1.02 },
      ],
    },
    { name: "append/on", title: "an event, DevInvariants", aims: [{ against: "floor", atMost: 4 }] },
  ],
  floor: { "append/off": floor, "append/on": floor },
  ours: { "append/off": ours(Layer.empty), "append/on": ours(DevInvariants.layer()) },
  builds: { "without-hook": ["append/off"] },
}
