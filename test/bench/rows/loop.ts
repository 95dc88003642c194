/**
 * The agent loop in memory: a step in which the model says twenty pieces and makes two calls.
 *
 * Shape: sessions of fifty steps and a last one, opening and closing included.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import * as DevInvariants from "../../../src/invariant/DevInvariants.ts"
import * as JsonlStore from "../../../src/store/JsonlStore.ts"
import * as MemoryStore from "../../../src/store/MemoryStore.ts"
import * as Telemetry from "../../../src/telemetry/Telemetry.ts"
import { modelOf, runSession } from "../inputs/agent.ts"
import { growing, inSessions, type OnStep } from "../inputs/growth.ts"
import { plainLoop } from "../inputs/plainLoop.ts"
import type { Row, Work } from "../Row.ts"

const inMemory = (steps: number, onStep?: OnStep): Promise<void> =>
  Effect.runPromise(
    Effect.provide(runSession(), Layer.merge(Layer.fresh(MemoryStore.layer), modelOf(steps, onStep))),
  )

const observed = (): Work => {
  const directory = mkdtempSync(join(tmpdir(), "bench-loop-"))
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }))
  // The store that the guide names for Node.
  const store = Layer.provide(JsonlStore.layerNode({ directory }), NodeServices.layer)
  const services = Layer.mergeAll(store, DevInvariants.layer(), Telemetry.layer)
  const run = (steps: number) =>
    Effect.runPromise(Effect.provide(runSession(), Layer.merge(services, modelOf(steps))))
  return inSessions(run)
}

export const loop: Row = {
  name: "loop",
  title: "The agent loop",
  floorIs: "a plain async loop over an async generator, tools awaited, messages pushed",
  lines: [
    {
      name: "loop/memory",
      title: "a step of 20 chunks and 2 calls, in memory",
      aims: [{ against: "floor", atMost: 4 }],
    },
    {
      name: "loop/observed",
      title: "the same with DevInvariants, JSONL and spans",
      aims: [{ against: "floor", atMost: 12 }],
    },
    {
      name: "loop/growth",
      title: "growth: steps 450–500 over steps 1–50",
      figure: "growth",
      unit: "ratio",
      aims: [{ against: "nothing", atMost: 1.15 }],
    },
  ],
  floor: {
    "loop/memory": () => inSessions((steps) => plainLoop(steps)),
    "loop/observed": () => inSessions((steps) => plainLoop(steps)),
    "loop/growth": growing(plainLoop),
  },
  ours: {
    "loop/memory": () => inSessions((steps) => inMemory(steps)),
    "loop/observed": observed,
    "loop/growth": growing(inMemory),
  },
}
