/** The store in a database keeps the contract of the port, run against a real engine. */
import { Effect, Layer, Redacted } from "effect"
import { afterAll, beforeAll, describe, it } from "vitest"
import * as PostgresStore from "../../src/store/PostgresStore.ts"
import * as StoreConformance from "../../src/testing/StoreConformance.ts"
import { type Database, startDatabase } from "./database.ts"

let database: Database = { url: "", stop: () => Promise.resolve() }
beforeAll(async () => {
  database = await startDatabase()
})
afterAll(() => database.stop())

const layer = (options: PostgresStore.LeaseOptions = {}) =>
  Layer.fresh(
    Layer.unwrap(
      Effect.sync(() =>
        PostgresStore.layer({ url: Redacted.make(database.url), maxConnections: 4, ...options }),
      ),
    ),
  )

describe("the store in a database", () => {
  const crash = Effect.succeed(layer({ force: true }))
  for (const { name, effect } of StoreConformance.cases({ store: layer(), crash })) {
    it(name, () => Effect.runPromise(effect))
  }
})
