/** What the one hook costs a session: it is read when the session opens, and asked once an append. */
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import { drafts } from "../../src/mutant/Story.ts"
import { Observer, type SessionObserver } from "../../src/session/Observer.ts"
import { create } from "../../src/session/SessionLog.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"

const silent: SessionObserver = {
  onAppend: () => {},
  onStatus: () => {},
  onAcknowledge: () => {},
  onRequest: () => {},
}

/** Note every property that is read. */
const noting = <A extends object>(target: A, reads: Array<PropertyKey>): A =>
  new Proxy(target, {
    get: (object, key) => {
      reads.push(key)
      return Reflect.get(object, key)
    },
  })

const count = (reads: ReadonlyArray<PropertyKey>, key: PropertyKey) =>
  reads.filter((one) => one === key).length

describe("the hook of a session", () => {
  it.effect("is looked up once a session, and asked once an append, however many events that has", () => {
    const reads: Array<PropertyKey> = []
    const observer = noting<Observer>({ watch: () => noting(silent, reads) }, reads)
    return Effect.gen(function* () {
      const session = yield* create({ id: "s" })
      const opened = count(reads, "onAppend")
      for (const draft of drafts.slice(1, 11)) yield* session.append("accepted", () => [draft])
      expect(count(reads, "onAppend") - opened).toBe(10)
      yield* session.append("accepted", () => drafts.slice(11))
      expect(count(reads, "onAppend") - opened).toBe(11)
      expect(count(reads, "watch")).toBe(1)
      // Moves of the status are told through what was read at the start.
      expect(count(reads, "onStatus")).toBe(1)
    }).pipe(Effect.scoped, Effect.provide([MemoryStore.layer, Layer.succeed(Observer, observer)]))
  })

  it.effect("is nobody unless a layer provides one", () =>
    Effect.gen(function* () {
      expect(yield* Observer).toBe(undefined)
    }),
  )
})
