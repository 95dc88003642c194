/**
 * A process that writes to a session in a database until it is killed, and says what was acknowledged.
 *
 * In:  the address of the database, and an id.      Out: lines on stdout: `ack <seq>`.
 */
import { writeSync } from "node:fs"
import { Effect, Redacted } from "effect"
import { makeEvents } from "../../src/conformance/makeEvents.ts"
import * as PostgresStore from "../../src/store/PostgresStore.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"

const [url = "", id = ""] = process.argv.slice(2)
const store = PostgresStore.layer({ url: Redacted.make(url), maxConnections: 2, leaseTime: "300 millis" })

const write = Effect.gen(function* () {
  const writer = yield* (yield* SessionStore).create(id)
  for (const event of makeEvents(31, 100_000)) {
    const durability = event.seq % 3 === 0 ? "accepted" : "written"
    yield* writer.append([event], durability)
    if (durability === "written") writeSync(1, `ack ${event.seq}\n`)
  }
})

await Effect.runPromise(write.pipe(Effect.scoped, Effect.provide(store)))
