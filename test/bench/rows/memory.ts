/**
 * What stays in memory: an open session of 100,000 events, and an agent that waits.
 *
 * Units: bytes of the heap, after the garbage is collected.
 */
import { Effect, Layer } from "effect"
import * as Agent from "../../../src/loop/Agent.ts"
import * as SessionLog from "../../../src/session/SessionLog.ts"
import * as MemoryStore from "../../../src/store/MemoryStore.ts"
import { modelOf } from "../inputs/agent.ts"
import { heapOf } from "../inputs/heap.ts"
import { appendAll, batchesOf } from "../inputs/log.ts"
import { makePlainLog } from "../inputs/plainLog.ts"
import { toolbox } from "../inputs/tools.ts"
import type { Row, Work } from "../Row.ts"

const events = 100_000
const agents = 1000

const plainLog = (): Work => ({
  kind: "once",
  sample: () =>
    heapOf(async (keep) => {
      const log = makePlainLog()
      for (const { drafts } of batchesOf(events)) for (const draft of drafts) log.push(draft)
      await keep(log)
    }),
})

const session = (): Work => ({
  kind: "once",
  sample: () =>
    heapOf((keep) =>
      Effect.gen(function* () {
        const session = yield* SessionLog.create()
        yield* appendAll(session, batchesOf(events))
        yield* Effect.promise(() => keep(session))
      }).pipe(Effect.scoped, Effect.provide(Layer.fresh(MemoryStore.layer)), Effect.runPromise),
    ),
})

const idleAgents = (): Work => ({
  kind: "once",
  sample: async () => {
    const { heapBytes = 0 } = await heapOf((keep) =>
      Effect.gen(function* () {
        const one = Effect.gen(function* () {
          return yield* Agent.make({ session: yield* SessionLog.create(), tools: toolbox })
        })
        const all = yield* Effect.forEach(Array.from({ length: agents }), () => one)
        yield* Effect.promise(() => keep(all))
      }).pipe(
        Effect.scoped,
        Effect.provide(Layer.merge(Layer.fresh(MemoryStore.layer), modelOf(0))),
        Effect.runPromise,
      ),
    )
    return { heapBytes: heapBytes / agents }
  },
})

export const memory: Row = {
  name: "memory",
  title: "Memory",
  floorIs: "the events in an array, the messages in another",
  lines: [
    {
      name: "memory/session",
      title: "an open session of 100,000 events",
      figure: "heapBytes",
      unit: "bytes",
    },
    {
      name: "memory/agent",
      title: "an idle agent, its session included",
      figure: "heapBytes",
      unit: "bytes",
    },
  ],
  floor: { "memory/session": plainLog },
  ours: { "memory/session": session, "memory/agent": idleAgents },
}
