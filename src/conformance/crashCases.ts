/**
 * What is left when the process of a store is killed, at every point of a history.
 *
 * In:  the way to die.      Out: duties.
 * Source: PROTOCOL "Durability": accepted may be lost, written and synced survive the process.
 */
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { type Durability, SessionStore } from "../store/SessionStore.ts"
import { type Duty, expectEvents, expectThat } from "./expectSame.ts"
import { drawIds, makeEvents, pick, randomOf } from "./makeEvents.ts"

type Store = SessionStore["Service"]
type Crash = Effect.Effect<Layer.Layer<SessionStore, unknown>, unknown, SessionStore | Scope.Scope>

/** Units: appends before a crash, at the most. */
const points = 8

interface Batch {
  readonly from: number
  readonly to: number
  readonly durability: Durability
}

const plan = (seed: number): ReadonlyArray<Batch> => {
  const random = randomOf(seed)
  let at = 0
  return Array.from({ length: points }, () => {
    const from = at
    at += 1 + pick(random, 5)
    const durability = (["accepted", "written", "synced"] as const)[pick(random, 3)] ?? "written"
    return { from, to: at, durability }
  })
}

/** Die after `point` appends, go on as the next process, and see that nothing of the dead one comes after it. */
const dieAt = Effect.fnUntraced(function* (store: Store, crash: Crash, seed: number, point: number) {
  const id = drawIds()(`crash-${point}`)
  const events = makeEvents(seed, points * 6)
  const dying = yield* Scope.make()
  const writer = yield* Scope.provide(store.create(id), dying)
  const batches = plan(seed).slice(0, point)
  for (const { from, to, durability } of batches) yield* writer.append(events.slice(from, to), durability)
  const owed = batches.findLast(({ durability }) => durability !== "accepted")?.to ?? 0

  const next = Context.get(yield* Layer.build(Layer.fresh(yield* crash)), SessionStore)
  const log = yield* next.open(id)
  const left = log.events.length
  expectThat("what was told as written is there", left >= owed, { left, owed })
  expectEvents("what is left", log.events, events.slice(0, left))

  yield* log.writer.append(events.slice(left), "synced")
  yield* Scope.close(dying, Exit.void)
  expectEvents("what the next process has made of it", yield* next.read(id), events)
})

export const crashCases = (crash: Crash, seed: number): ReadonlyArray<Duty<SessionStore>> =>
  Array.from({ length: points + 1 }, (_, point) => ({
    name: `has all that was written when the process is killed after ${point} appends, and goes on from there`,
    check: (store) => Effect.scoped(dieAt(store, crash, seed, point)),
  }))
