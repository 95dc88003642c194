/**
 * What a store keeps: every event, whole, in order, as durable as was asked.
 *
 * Not here: who may write (`holdCases.ts`), crashes (`crashCases.ts`).
 */
import { Effect, Exit, Scope } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Durability } from "../store/SessionStore.ts"
import { type Duty, expectEvents, expectThat, failureOf } from "./expectSame.ts"
import {
  chunk,
  drawIds,
  extension,
  makeEvents,
  makeOfEveryType,
  oddPayloads,
  oddTexts,
  said,
} from "./makeEvents.ts"

const durabilities: ReadonlyArray<Durability> = ["accepted", "written", "synced"]

const keepsOrder: Duty = {
  name: "gives back what was appended, whole and in order, however it was cut into appends",
  check: Effect.fnUntraced(function* (store) {
    const idOf = drawIds()
    const events = makeEvents(11, 60)
    for (const size of [1, 7, events.length]) {
      const id = idOf(`by-${size}`)
      const write = Effect.gen(function* () {
        const writer = yield* store.create(id)
        for (let at = 0; at < events.length; at += size)
          yield* writer.append(events.slice(at, at + size), durabilities[at % 3] ?? "written")
      })
      yield* Effect.scoped(write)
      expectEvents(`read ${id}`, yield* store.read(id), events)
      expectEvents(`open ${id}`, (yield* store.open(id)).events, events)
    }
  }),
}

const goesOn: Duty = {
  name: "goes on with a log that is opened again, any number of times",
  check: Effect.fnUntraced(function* (store) {
    const id = drawIds()("again")
    const events = makeEvents(12, 12)
    yield* Effect.scoped(
      Effect.flatMap(store.create(id), (writer) => writer.append(events.slice(0, 3), "synced")),
    )
    for (const at of [3, 6, 9]) {
      const more = Effect.gen(function* () {
        const log = yield* store.open(id)
        yield* log.writer.append(events.slice(at, at + 3), "written")
        expectEvents("what was there when it was opened", log.events, events.slice(0, at))
      })
      yield* Effect.scoped(more)
    }
    expectEvents("read", yield* store.read(id), events)
  }),
}

const flushes: Duty = {
  name: "writes what it took as accepted with the next stronger append, an empty one included",
  check: Effect.fnUntraced(function* (store) {
    const idOf = drawIds()
    const events = makeEvents(13, 6)
    for (const durability of ["written", "synced"] as const) {
      for (const last of [[], events.slice(4)]) {
        const id = idOf(`${durability}-${last.length}`)
        const writer = yield* store.create(id)
        yield* writer.append(events.slice(0, 4), "accepted")
        yield* writer.append(last, durability)
        expectEvents("read", yield* store.read(id), [...events.slice(0, 4), ...last])
      }
    }
  }),
}

const flushesAtClose: Duty = {
  name: "writes what it took as accepted when the scope closes",
  check: Effect.fnUntraced(function* (store) {
    const id = drawIds()("closing")
    const events = makeEvents(14, 5)
    yield* Effect.scoped(Effect.flatMap(store.create(id), (writer) => writer.append(events, "accepted")))
    expectEvents("read", yield* store.read(id), events)
  }),
}

const refusesAfterClose: Duty = {
  name: "takes nothing more once the scope has closed, not even as accepted",
  check: Effect.fnUntraced(function* (store) {
    const id = drawIds()("closed")
    const events = makeEvents(15, 2)
    const scope = yield* Scope.make()
    const writer = yield* Scope.provide(store.create(id), scope)
    yield* writer.append(events.slice(0, 1), "written")
    yield* Scope.close(scope, Exit.void)
    for (const durability of durabilities) {
      yield* failureOf(
        `append as ${durability}`,
        "StoreUnavailable",
        writer.append(events.slice(1), durability),
      )
    }
    expectEvents("read", yield* store.read(id), events.slice(0, 1))
  }),
}

const showsReaders: Duty = {
  name: "shows a reader at any time a beginning of the log, with all that was written before",
  check: Effect.fnUntraced(function* (store) {
    const id = drawIds()("watched")
    const events = makeEvents(16, 40)
    const writer = yield* store.create(id)
    let written = 0
    const write = Effect.gen(function* () {
      for (let at = 0; at < events.length; at += 2) {
        yield* writer.append(events.slice(at, at + 2), "written")
        written = at + 2
      }
    })
    const look = Effect.gen(function* () {
      const before = written
      const seen = yield* store.read(id)
      expectThat("a reader sees all that was written before", seen.length >= before, [seen.length, before])
      expectEvents("what a reader sees", seen, events.slice(0, seen.length))
    })
    const looks = Effect.forEach([1, 2, 3, 4, 5, 6], () => look, { discard: true })
    yield* Effect.all([write, looks, looks, looks], { concurrency: "unbounded", discard: true })
    yield* look
  }),
}

const keepsMany: Duty = {
  name: "keeps a large append, and a large event",
  check: Effect.fnUntraced(function* (store) {
    const id = drawIds()("large")
    const start = makeEvents(17, 1)
    const run = Array.from({ length: 5_000 }, (_, n) => chunk(n + 1, 1 + Math.floor(n / 500), `piece ${n}`))
    const large = said(5_001, "\u4f60 and \u2028 ".repeat(60_000))
    const events: ReadonlyArray<SessionEvent> = [...start, ...run, large]
    yield* Effect.scoped(Effect.flatMap(store.create(id), (writer) => writer.append(events, "synced")))
    expectEvents("open", (yield* store.open(id)).events, events)
  }),
}

const keepsText: Duty = {
  name: "keeps text that is hard to write down",
  check: Effect.fnUntraced(function* (store) {
    const id = drawIds()("text")
    const texts = oddTexts.flatMap((text, n) => [said(2 * n + 1, text), chunk(2 * n + 2, 1 + n, text)])
    const events = [...makeEvents(18, 1), ...texts]
    const writer = yield* store.create(id)
    yield* writer.append(events, "written")
    expectEvents("read", yield* store.read(id), events)
  }),
}

const keepsExtensions: Duty = {
  name: "keeps what an extension logged as it is, with its version and the order of its keys",
  check: Effect.fnUntraced(function* (store) {
    const id = drawIds()("extension")
    const notes = oddPayloads.flatMap((data, n) => [
      extension(2 * n + 1, data),
      extension(2 * n + 2, data, 7),
    ])
    const events = [...makeEvents(19, 1), ...notes]
    yield* Effect.scoped(Effect.flatMap(store.create(id), (writer) => writer.append(events, "synced")))
    expectEvents("open", (yield* store.open(id)).events, events)
  }),
}

const keepsTypes: Duty = {
  name: "keeps every type of event with all that it can hold",
  check: Effect.fnUntraced(function* (store) {
    const idOf = drawIds()
    for (const [n, events] of makeOfEveryType().entries()) {
      const id = idOf(`type-${n}`)
      yield* Effect.scoped(Effect.flatMap(store.create(id), (writer) => writer.append(events, "synced")))
      expectEvents("read", yield* store.read(id), events)
      expectEvents("open", (yield* store.open(id)).events, events)
    }
  }),
}

export const keepCases: ReadonlyArray<Duty> = [
  keepsOrder,
  goesOn,
  flushes,
  flushesAtClose,
  refusesAfterClose,
  showsReaders,
  keepsMany,
  keepsText,
  keepsExtensions,
  keepsTypes,
]
