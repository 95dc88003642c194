import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import { lawful, note } from "../../src/arbitrary/Logs.ts"
import * as EventType from "../../src/event/EventType.ts"
import type { EventDraft, SessionEvent } from "../../src/event/SessionEvent.ts"
import * as DevInvariants from "../../src/invariant/DevInvariants.ts"
import { deriveMessages } from "../../src/session/History.ts"
import { create, open } from "../../src/session/SessionLog.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"

const world = Layer.mergeAll(MemoryStore.layer, DevInvariants.layer(), EventType.layer([note]))

const bare = (log: ReadonlyArray<SessionEvent>) => log.map(({ type, data }) => ({ type, data }))

describe("DevInvariants over a session", () => {
  it("lets every lawful log be written, in batches of any size and over two processes, and asked about", async () => {
    const run = (log: ReadonlyArray<SessionEvent>, sizes: ReadonlyArray<number>) =>
      Effect.gen(function* () {
        const rest: Array<EventDraft> = log.slice(1)
        yield* Effect.scoped(
          Effect.flatMap(create({ id: "s" }), (session) => session.append("synced", () => rest.splice(0, 5))),
        )
        const session = yield* open("s")
        for (let at = 0; rest.length > 0; at++) {
          yield* session.append("written", () => rest.splice(0, sizes[at % sizes.length]))
          session.observeRequest(session.messages())
        }
        expect(bare(session.log()).slice(1)).toEqual(bare(log).slice(1))
        expect(session.messages()).toEqual(deriveMessages(log))
      }).pipe(Effect.scoped, Effect.provide(world), Effect.runPromise)
    const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 })
    await fc.assert(fc.asyncProperty(lawful, sizes, run), { numRuns: 50 })
  })
})
