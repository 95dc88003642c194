/** A store whose writes wait for, or fail at, what a test decides. */
import { Deferred, Effect, Layer } from "effect"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import { type Durability, type OpenLog, SessionStore } from "../../src/store/SessionStore.ts"
import { StoreUnavailable } from "../../src/store/StoreError.ts"

export interface Write {
  readonly seqs: ReadonlyArray<number>
  readonly durability: Durability
  readonly finish: Effect.Effect<void>
  readonly fail: Effect.Effect<void>
}

export const enospc = new StoreUnavailable({
  operation: "write",
  reason: "ENOSPC",
  message: "write failed: ENOSPC",
})

/** Writes come to `writes` in order; the first `free` of them finish by themselves. */
export const make = (free: number, stored: Omit<OpenLog, "writer"> = { events: [] }) => {
  const writes: Array<Write> = []
  const append = (events: ReadonlyArray<SessionEvent>, durability: Durability) =>
    Effect.suspend(() => {
      const answer = Deferred.makeUnsafe<void, StoreUnavailable>()
      writes.push({
        seqs: events.map((event) => event.seq),
        durability,
        finish: Effect.asVoid(Deferred.succeed(answer, undefined)),
        fail: Effect.asVoid(Deferred.fail(answer, enospc)),
      })
      return writes.length <= free ? Effect.void : Deferred.await(answer)
    })
  const store = SessionStore.of({
    create: () => Effect.succeed({ append }),
    open: () => Effect.succeed({ ...stored, writer: { append } }),
    read: () => Effect.die("not in this test"),
    list: Effect.succeed([]),
    locate: (id) => id,
  })
  return { writes, layer: Layer.succeed(SessionStore, store) }
}

/** The nth write, once it has begun. */
export const nth = (writes: ReadonlyArray<Write>, index: number): Write => {
  const write = writes[index]
  if (write === undefined) throw new Error(`write ${index} has not begun; there are ${writes.length}`)
  return write
}
