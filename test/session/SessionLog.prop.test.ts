import { describe, it } from "@effect/vitest"
import { Effect, Equal, Result } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import type { EventDraft } from "../../src/event/SessionEvent.ts"
import { deriveMessages } from "../../src/session/History.ts"
import type { Session } from "../../src/session/Session.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import type * as SessionState from "../../src/session/SessionState.ts"
import { type Durability, SessionStore } from "../../src/store/SessionStore.ts"
import { runs } from "../runs.ts"
import { stores } from "../store/stores.ts"
import { arbitrarySession } from "./arbitrarySession.ts"
import * as Draft from "./drafts.ts"

const durability = fc.constantFrom<Durability>("accepted", "written", "synced")

interface Batch {
  readonly drafts: ReadonlyArray<EventDraft>
  readonly durability: Durability
}

/** A session in batches of any size and durability, now and then with a draft that must be refused. */
const batches: fc.Arbitrary<ReadonlyArray<Batch>> = fc
  .tuple(
    arbitrarySession,
    fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), durability), { minLength: 60, maxLength: 60 }),
  )
  .map(([drafts, sizes]) => {
    const rest = [...drafts]
    return sizes.flatMap(([size, durability]) =>
      rest.length === 0 ? [] : [{ drafts: rest.splice(0, size), durability }],
    )
  })

const bad: EventDraft = { type: "session/start", data: { version: 1, id: "again", createdAt: 0 } }

const append = (session: Session, { drafts, durability }: Batch) =>
  Effect.gen(function* () {
    const [only, ...others] = drafts
    if (only !== undefined && others.length === 0 && durability === "accepted") {
      Result.getOrThrow(session.accept(only))
    } else {
      const before = session.state()
      yield* Effect.flip(session.append(durability, () => [...drafts, bad]))
      expect(session.state()).toBe(before)
      yield* session.append(durability, () => drafts)
    }
    expect(session.messages()).toEqual(deriveMessages(session.log()))
  })

const isSameState = (left: SessionState.SessionState, right: SessionState.SessionState) => {
  expect({ ...left, calls: undefined }).toEqual({ ...right, calls: undefined })
  expect(Equal.equals(left.calls, right.calls)).toBe(true)
}

describe.each(stores)("a session over a %s store", (_, layer) => {
  it.effect("opens as it was: same log, same state, same history, however it was appended", () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<SessionStore>()
      let n = 0
      const law = (session: ReadonlyArray<Batch>) =>
        Effect.gen(function* () {
          const id = `session-${n++}`
          const store = yield* SessionStore
          const { log, state, messages } = yield* Effect.scoped(
            Effect.gen(function* () {
              const live = yield* SessionLog.create({ id })
              yield* Effect.forEach(session, (batch) => append(live, batch))
              return { log: live.log(), state: live.state(), messages: live.messages() }
            }),
          )
          expect(yield* store.read(id)).toEqual(log)
          yield* Effect.scoped(
            Effect.gen(function* () {
              const opened = yield* SessionLog.open(id)
              expect(opened.log()).toEqual(log)
              expect(opened.messages()).toEqual(messages)
              isSameState(opened.state(), state)
              expect(opened.status()).toBe(state.turnIsOpen ? "running" : "idle")
              const [next] = yield* opened.append("synced", () => [Draft.user("afterwards")])
              expect(next?.seq).toBe(log.length)
            }),
          )
          expect(yield* store.read(id)).toHaveLength(log.length + 1)
        })
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(batches, (session) => Effect.runPromiseWith(context)(law(session))),
          { numRuns: runs(15) },
        ),
      )
    }).pipe(Effect.provide(layer)),
  )
})
