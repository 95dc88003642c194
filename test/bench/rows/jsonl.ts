/**
 * A log on disk: what writing an event costs in CPU time, with a write per step and an fdatasync per turn.
 *
 * Ours is the writer of `JsonlStore.layerNode`. How long the disk takes is in the wall time only.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import type { SessionEvent } from "../../../src/event/SessionEvent.ts"
import * as JsonlStore from "../../../src/store/JsonlStore.ts"
import { SessionStore } from "../../../src/store/SessionStore.ts"
import { eventsOf } from "../inputs/log.ts"
import { spent } from "../measure.ts"
import type { Row, Work } from "../Row.ts"

const events = 30_000

interface Append {
  readonly events: ReadonlyArray<SessionEvent>
  readonly durability: "written" | "synced"
}

/** Cut a log where a session flushes: at the ends of messages, steps and turns. */
const toAppends = (log: ReadonlyArray<SessionEvent>): ReadonlyArray<Append> => {
  const appends: Array<Append> = []
  let from = 0
  for (const [at, { type }] of log.entries()) {
    const isEnd = type === "turn/end"
    if (!isEnd && type !== "step/end") continue
    appends.push({ events: log.slice(from, at + 1), durability: isEnd ? "synced" : "written" })
    from = at + 1
  }
  return appends
}

const floor = (): Work => {
  const log = eventsOf(events)
  return {
    kind: "sampled",
    sample: async () => {
      let length = 0
      const { cpuMicros, wallMicros } = await spent(() => {
        for (const event of log) length += JSON.stringify(event).length
      })
      if (length === 0) throw new Error("nothing written")
      return { cpuMicros: cpuMicros / log.length, wallMicros: wallMicros / log.length }
    },
  }
}

const ours = (): Work => {
  const appends = toAppends(eventsOf(events))
  const written = appends.reduce((count, { events }) => count + events.length, 0)
  const directory = mkdtempSync(join(tmpdir(), "bench-jsonl-"))
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }))
  let sessions = 0
  const sample = Effect.gen(function* () {
    const store = yield* SessionStore
    const writer = yield* store.create(`session-${sessions++}`)
    const writeAll = Effect.gen(function* () {
      for (const { durability, events } of appends) yield* writer.append(events, durability)
    })
    const { cpuMicros, wallMicros } = yield* Effect.promise(() => spent(() => Effect.runPromise(writeAll)))
    return { cpuMicros: cpuMicros / written, wallMicros: wallMicros / written }
  })
  const services = Layer.provide(JsonlStore.layerNode({ directory }), NodeServices.layer)
  return {
    kind: "sampled",
    sample: () => Effect.runPromise(sample.pipe(Effect.scoped, Effect.provide(services))),
  }
}

export const jsonl: Row = {
  name: "jsonl",
  title: "Write the log to disk",
  floorIs: "`JSON.stringify` of every event, and nothing written",
  lines: [
    {
      name: "jsonl/event",
      title: "an event; a write per step, fdatasync per turn",
      aims: [{ against: "floor", atMost: 2.5 }],
    },
  ],
  floor: { "jsonl/event": floor },
  ours: { "jsonl/event": ours },
}
