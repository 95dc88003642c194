/**
 * Who may write to a store, in which order, and under which names.
 *
 * Not here: what becomes of the events (`keepCases.ts`).
 */
import { Effect, Exit, Scope } from "effect"
import type { SessionStore } from "../store/SessionStore.ts"
import { type Duty, expectEvents, expectSame, failureOf } from "./expectSame.ts"
import { drawIds, makeEvents } from "./makeEvents.ts"

type Store = SessionStore["Service"]

const begun = (store: Store, id: string, count = 1) =>
  Effect.scoped(Effect.flatMap(store.create(id), (writer) => writer.append(makeEvents(21, count), "synced")))

const isBusy: Duty = {
  name: "is busy for everybody else until the holder lets go",
  check: Effect.fnUntraced(function* (store) {
    const id = drawIds()("busy")
    const events = makeEvents(22, 3)
    const scope = yield* Scope.make()
    const writer = yield* Scope.provide(store.create(id), scope)
    yield* writer.append(events.slice(0, 1), "written")
    yield* failureOf("open", "SessionBusy", store.open(id))
    yield* failureOf("create", ["SessionBusy", "SessionExists"], store.create(id))
    yield* writer.append(events.slice(1), "written")
    yield* Scope.close(scope, Exit.void)
    const second = yield* Scope.make()
    const log = yield* Scope.provide(store.open(id), second)
    expectEvents("open", log.events, events)
    yield* failureOf("open", "SessionBusy", store.open(id))
    yield* Scope.close(second, Exit.void)
    expectEvents("open", (yield* store.open(id)).events, events)
  }),
}

const isHeldByOne: Duty = {
  name: "is held by one when many want it at once",
  check: Effect.fnUntraced(function* (store) {
    const idOf = drawIds()
    yield* begun(store, idOf("open"))
    const takes: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }, Scope.Scope>> = [
      store.create(idOf("create")),
      store.open(idOf("open")),
    ]
    for (const take of takes) {
      const answers = yield* Effect.forEach(
        [1, 2, 3, 4, 5],
        () => Effect.match(take, { onFailure: (error) => error._tag, onSuccess: () => "held" }),
        { concurrency: "unbounded" },
      )
      const busy = ["SessionBusy", "SessionBusy", "SessionBusy", "SessionBusy"]
      expectSame("answers", answers.toSorted(), [...busy, "held"])
    }
  }),
}

const beginsOnce: Duty = {
  name: "begins a log once, and holds nothing where it refuses to; what got no event can be created again",
  check: Effect.fnUntraced(function* (store) {
    const idOf = drawIds()
    yield* begun(store, idOf("begun"))
    yield* failureOf("create", "SessionExists", store.create(idOf("begun")))
    expectEvents("open", (yield* store.open(idOf("begun"))).events, makeEvents(21, 1))
    yield* Effect.scoped(store.create(idOf("empty")))
    expectEvents("read", yield* store.read(idOf("empty")), [])
    yield* begun(store, idOf("empty"), 2)
    expectEvents("read", yield* store.read(idOf("empty")), makeEvents(21, 2))
  }),
}

const refusesConflicts: Duty = {
  name: "refuses a seq that is not the next one, writes nothing of that append, and then takes the right one",
  check: Effect.fnUntraced(function* (store) {
    const id = drawIds()("conflict")
    const events = makeEvents(23, 6)
    const writer = yield* store.create(id)
    yield* writer.append(events.slice(0, 2), "accepted")
    const wrong = [events.slice(3), events.slice(1, 3), [...events.slice(2, 3), ...events.slice(4)]]
    for (const [at, batch] of wrong.entries()) {
      const error = yield* failureOf("append", "SeqConflict", writer.append(batch, "written"))
      if (error._tag === "SeqConflict")
        expectSame(
          "seqs",
          [error.expected, error.got],
          [
            [2, 3],
            [2, 1],
            [3, 4],
          ][at],
        )
    }
    yield* writer.append([], "written")
    expectEvents("read", yield* store.read(id), events.slice(0, 2))
    yield* writer.append(events.slice(2), "synced")
    expectEvents("read", yield* store.read(id), events)
  }),
}

const waitsInLine: Duty = {
  name: "keeps appends in order that are made while others are still on their way",
  check: Effect.fnUntraced(function* (store) {
    const id = drawIds()("line")
    const events = makeEvents(24, 30)
    const writer = yield* store.create(id)
    yield* Effect.forEach(
      events,
      (event) => writer.append([event], event.seq % 4 === 3 ? "synced" : "written"),
      { concurrency: "unbounded" },
    )
    expectEvents("read", yield* store.read(id), events)
  }),
}

const keepsApart: Duty = {
  name: "keeps sessions apart that are written at once, whatever their ids have in common",
  check: Effect.fnUntraced(function* (store) {
    const idOf = drawIds()
    const ids = ["a", "a.b", "a-b", "a_b", "a.", "ab", "a.jsonl", "x".repeat(119)].map(idOf)
    const write = (id: string, n: number) =>
      Effect.gen(function* () {
        const writer = yield* store.create(id)
        for (const event of makeEvents(100 + n, 8)) yield* writer.append([event], "written")
      })
    yield* Effect.forEach(ids.entries(), ([n, id]) => Effect.scoped(write(id, n)), {
      concurrency: "unbounded",
    })
    for (const [n, id] of ids.entries())
      expectEvents(`read ${id}`, yield* store.read(id), makeEvents(100 + n, 8))
  }),
}

const refusesIds: Duty = {
  name: "has no session of an id that is none, and creates none",
  check: Effect.fnUntraced(function* (store) {
    const id = drawIds()("known")
    yield* begun(store, id)
    const none = [
      "",
      ".",
      "..",
      ".hidden",
      `../${id}`,
      `x/../${id}`,
      `${id}~1`,
      `${id}\u0000`,
      ` ${id}`,
      "\ud800",
    ]
    for (const odd of [...none, "x".repeat(129)]) {
      yield* failureOf(`create ${odd}`, "SessionIdInvalid", store.create(odd))
      yield* failureOf(`open ${odd}`, "SessionNotFound", store.open(odd))
      yield* failureOf(`read ${odd}`, "SessionNotFound", store.read(odd))
    }
    yield* failureOf("open", "SessionNotFound", store.open(`${id}-not`))
    yield* failureOf("read", "SessionNotFound", store.read(`${id}-not`))
  }),
}

export const holdCases: ReadonlyArray<Duty> = [
  isBusy,
  isHeldByOne,
  beginsOnce,
  refusesConflicts,
  waitsInLine,
  keepsApart,
  refusesIds,
]
