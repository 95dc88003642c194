/** The stores without a server keep the contract of the port; that of Postgres is in `PostgresStore.test.ts`. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { afterAll, describe } from "vitest"
import * as StoreConformance from "../../src/conformance/StoreConformance.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import { quickDirectory } from "./scale.ts"
import { jsonlIn } from "./stores.ts"

const directory = mkdtempSync(join(quickDirectory, "conformance-"))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe("the store in memory", () => {
  /** What it has is all written: it is copied into another. */
  const copy = (store: SessionStore["Service"]) =>
    Effect.fnUntraced(function* (next: SessionStore["Service"]) {
      for (const { id } of yield* store.list) {
        const events = yield* store.read(id)
        yield* Effect.scoped(Effect.flatMap(next.create(id), (writer) => writer.append(events, "synced")))
      }
      return next
    })
  const crash = Effect.map(SessionStore, (store) =>
    Layer.effect(SessionStore, SessionStore.use(copy(store))).pipe(
      Layer.provide(Layer.fresh(MemoryStore.layer)),
    ),
  )

  for (const { name, effect } of StoreConformance.cases({ store: MemoryStore.layer, crash })) {
    it.live(name, () => effect)
  }
})

describe("the store in files", () => {
  const sessions = join(directory, "sessions")
  let deaths = 0
  /** What is on the disk is left, and the leases of a process that is no more. */
  const crash = Effect.sync(() => {
    const copy = join(directory, `after-${deaths++}`)
    cpSync(sessions, copy, { recursive: true })
    for (const name of readdirSync(copy).filter((name) => name.endsWith(".lease")))
      rmSync(join(copy, name), { recursive: true })
    return jsonlIn(copy)
  })

  for (const { name, effect } of StoreConformance.cases({ store: jsonlIn(sessions), crash })) {
    it.live(name, () => effect)
  }
})
