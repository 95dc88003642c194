/**
 * What a store tells of the logs that it has.
 *
 * Order: the clock of a store may be coarse, or that of another machine: a log is written again until it is the later one.
 * Not here: what is in the logs (`keepCases.ts`).
 */
import { Clock, Effect } from "effect"
import type { LogSummary, SessionStore } from "../store/SessionStore.ts"
import { type Duty, expectSame, expectThat } from "./expectSame.ts"
import { drawIds, makeEvents, said } from "./makeEvents.ts"

type Store = SessionStore["Service"]

/** Units: milliseconds between two writes; and how many there are at the most, which is more than a second of a coarse clock. */
const [pauseMillis, maxWrites] = [20, 100]

const begin = (store: Store, id: string, count: number) =>
  Effect.scoped(Effect.flatMap(store.create(id), (writer) => writer.append(makeEvents(25, count), "synced")))

/** The time of the event is the present one, for stores that have their times from there. */
const goOn = Effect.fnUntraced(function* (store: Store, id: string) {
  const { events, writer } = yield* store.open(id)
  yield* writer.append([said(events.length, "again", yield* Clock.currentTimeMillis)], "synced")
}, Effect.scoped)

/** The logs of these ids, as they are listed: all that are listed must be in order. */
const list = Effect.fnUntraced(function* (store: Store, ids: ReadonlyArray<string>) {
  const all = yield* store.list
  const times = all.map(({ updatedAt }) => updatedAt)
  expectSame(
    "times",
    times,
    times.toSorted((a, b) => b - a),
  )
  return all.filter(({ id }) => ids.includes(id))
})

const timeOf = (logs: ReadonlyArray<LogSummary>, id: string): number =>
  logs.find((log) => log.id === id)?.updatedAt ?? Number.NaN

/** Write to a log until it is later than the other, and see that it is listed first then. */
const overtake = Effect.fnUntraced(function* (store: Store, id: string, other: string) {
  for (let writes = 1; ; writes++) {
    yield* goOn(store, id)
    const logs = yield* list(store, [id, other])
    const isLater = timeOf(logs, id) > timeOf(logs, other)
    if (isLater) {
      expectSame(
        "the order of two logs",
        logs.map((log) => log.id),
        [id, other],
      )
      return
    }
    expectThat("the log that was written last is the later one", writes < maxWrites, logs)
    yield* Effect.sleep(pauseMillis)
  }
})

const lists: Duty = {
  name: "lists what it has, the latest first, with where it lies and how large it is",
  check: Effect.fnUntraced(function* (store) {
    const idOf = drawIds()
    const [one, two] = [idOf("one"), idOf("two")]
    yield* begin(store, one, 3)
    yield* begin(store, two, 300)
    const mine = yield* list(store, [one, two])
    expectSame("ids", mine.map(({ id }) => id).toSorted(), [one, two].toSorted())
    for (const log of mine) expectSame("location", log.location, store.locate(log.id))
    const sizeOf = (id: string) => mine.find((log) => log.id === id)?.sizeBytes ?? 0
    expectThat("the longer log is the larger", sizeOf(two) > sizeOf(one), mine)
    yield* overtake(store, two, one)
    yield* overtake(store, one, two)
    yield* overtake(store, two, one)
    expectThat("ids have places of their own", store.locate("a") !== store.locate("b"), store.locate("a"))
  }),
}

export const listCases: ReadonlyArray<Duty> = [lists]
