/**
 * Histories of one session, generated: whatever happens to it, a store answers as the one in memory does.
 *
 * In:  a seed.      Out: duties; and `playHistory`, which tells what was seen at every step.
 */
import { Effect, Exit, Layer, Scope } from "effect"
import * as MemoryStore from "../store/MemoryStore.ts"
import { type Durability, type LogWriter, type OpenLog, SessionStore } from "../store/SessionStore.ts"
import { type Duty, expectSame } from "./expectSame.ts"
import { drawIds, makeEvents, pick, type Random, randomOf } from "./makeEvents.ts"

type Step =
  | { readonly kind: "append"; readonly count: number; readonly durability: Durability }
  | { readonly kind: "skip" | "close" | "open" | "create" | "read" }

const durabilities: ReadonlyArray<Durability> = ["accepted", "accepted", "written", "synced"]

const makeStep = (random: Random): Step => {
  const kind = random()
  if (kind < 0.5) {
    const durability = durabilities[pick(random, durabilities.length)] ?? "written"
    return { kind: "append", count: pick(random, 6), durability }
  }
  const others = ["skip", "close", "open", "open", "create", "read"] as const
  return { kind: others[pick(random, others.length)] ?? "read" }
}

/** Play a history; a step that does not fit is seen as such. Seen is what the port lets one see of it. */
export const playHistory = Effect.fnUntraced(function* (store: SessionStore["Service"], seed: number) {
  const random = randomOf(seed)
  const id = drawIds()("history")
  const events = makeEvents(seed, 200)
  const seen: Array<unknown> = []
  let due = 0
  let scope = yield* Scope.make()
  let writer: LogWriter | undefined

  const see = <A>(effect: Effect.Effect<A, { readonly _tag: string }>, show: (value: A) => unknown) =>
    Effect.match(effect, { onFailure: (error) => error._tag, onSuccess: show })

  const append = (from: number, count: number, durability: Durability) =>
    Effect.suspend(() => {
      if (writer === undefined) return Effect.succeed<unknown>("closed")
      return see(writer.append(events.slice(from, from + count), durability), () => (due = from + count))
    })
  const close = Effect.suspend(() => {
    writer = undefined
    return Scope.close(scope, Exit.void)
  })
  const hold = Effect.fnUntraced(function* (kind: "open" | "create") {
    const next = yield* Scope.fork(yield* Scope.Scope)
    const isHeld = writer !== undefined
    const create = store.create(id).pipe(
      Effect.map((writer): Pick<OpenLog, "writer" | "events"> => ({ writer, events: [] })),
      // Of a log that somebody holds, not all stores know whether it has begun.
      Effect.mapError(({ _tag }) => ({ _tag: isHeld && _tag === "SessionBusy" ? "SessionExists" : _tag })),
    )
    const taken: Effect.Effect<
      Pick<OpenLog, "writer" | "events">,
      { readonly _tag: string },
      Scope.Scope
    > = kind === "open" ? store.open(id) : create
    return yield* see(Scope.provide(taken, next), (log) => {
      scope = next
      writer = log.writer
      return log.events
    })
  })

  const take = Effect.fnUntraced(function* (step: Step) {
    if (step.kind === "append") return yield* append(due, step.count, step.durability)
    if (step.kind === "skip") return yield* append(due + 1, 1, "written")
    if (step.kind === "close") return yield* close
    if (step.kind !== "read") return yield* hold(step.kind)
    yield* append(due, 0, "written")
    return yield* see(store.read(id), (events) => events)
  })

  for (let n = 0; n < 30; n++) {
    const step = makeStep(random)
    seen.push({ step, saw: (yield* take(step)) ?? null })
  }
  yield* close
  seen.push(yield* see(store.read(id), (events) => events))
  return seen
})

/** Units: generated histories. */
const histories = 12

export const historyCases = (seed: number): ReadonlyArray<Duty> =>
  Array.from({ length: histories }, (_, n) => ({
    name: `answers as the store in memory does, whatever happens (history ${seed + n})`,
    check: Effect.fnUntraced(function* (store) {
      const memory = SessionStore.use((reference) => playHistory(reference, seed + n))
      const owed = yield* Effect.provide(memory, Layer.fresh(MemoryStore.layer))
      const seen = yield* playHistory(store, seed + n)
      for (const [index, one] of seen.entries()) expectSame(`step ${index}`, one, owed[index])
    }),
  }))
