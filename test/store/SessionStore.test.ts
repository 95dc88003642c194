import { describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { expect } from "vitest"
import * as Contained from "../../src/error/Contained.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import { small } from "./logs.ts"
import { stores } from "./stores.ts"

describe.each(stores)("a %s store", (_, layer) => {
  const withStore = <A, E>(body: (store: SessionStore["Service"]) => Effect.Effect<A, E, Scope.Scope>) =>
    Effect.scoped(Effect.flatMap(SessionStore, body)).pipe(Effect.provide(layer))

  it.effect("gives back what was written, in one append or in many", () =>
    withStore((store) =>
      Effect.gen(function* () {
        yield* Effect.scoped(Effect.flatMap(store.create("one"), (writer) => writer.append(small, "synced")))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const writer = yield* store.create("many")
            for (const event of small)
              yield* writer.append([event], event.seq % 3 === 0 ? "written" : "accepted")
          }),
        )
        expect(yield* store.read("one")).toEqual(small)
        expect(yield* store.read("many")).toEqual(small)
        expect((yield* store.open("many")).events).toEqual(small)
      }),
    ),
  )

  it.effect("takes what an append holds when it is run, not when it is made, and by any way to run it", () =>
    withStore((store) =>
      Effect.gen(function* () {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const writer = yield* store.create("s")
            const late = writer.append(small.slice(2), "written")
            yield* Contained.begin(() => writer.append(small.slice(0, 2), "written"))
            yield* late
            const twice = yield* Effect.exit(Contained.begin(() => late))
            expect(Exit.isFailure(twice)).toBe(true)
          }),
        )
        expect(yield* store.read("s")).toEqual(small)
      }),
    ),
  )

  it.effect("goes on with a log that is opened again", () =>
    withStore((store) =>
      Effect.gen(function* () {
        yield* Effect.scoped(
          Effect.flatMap(store.create("s"), (writer) => writer.append(small.slice(0, 3), "synced")),
        )
        yield* Effect.scoped(
          Effect.flatMap(store.open("s"), (log) => log.writer.append(small.slice(3), "written")),
        )
        expect(yield* store.read("s")).toEqual(small)
      }),
    ),
  )

  it.effect("is busy for a second holder until the first lets go, and for an id that is taken", () =>
    withStore((store) =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        yield* Scope.provide(store.create("s"), scope)
        const tag = Effect.map(Effect.flip(store.open("s")), (error) => error._tag)
        expect(yield* tag).toBe("SessionBusy")
        yield* Scope.close(scope, Exit.void)
        expect((yield* store.open("s")).events).toEqual([])
        expect((yield* Effect.flip(store.create("s")))._tag).toBe("SessionBusy")
      }),
    ),
  )

  it.effect("refuses a seq that is not the next one and writes nothing of that append", () =>
    withStore((store) =>
      Effect.gen(function* () {
        const writer = yield* store.create("s")
        const error = yield* Effect.flip(
          writer.append([...small.slice(0, 1), ...small.slice(2, 3)], "written"),
        )
        expect(error).toMatchObject({ _tag: "SeqConflict", expected: 1, got: 2 })
        expect(yield* store.read("s")).toEqual([])
      }),
    ),
  )

  it.effect("has no session of an unknown id", () =>
    withStore((store) =>
      Effect.gen(function* () {
        expect((yield* Effect.flip(store.open("nobody")))._tag).toBe("SessionNotFound")
        expect((yield* Effect.flip(store.read("../nobody")))._tag).toBe("SessionNotFound")
      }),
    ),
  )

  it.effect("lists what it has, with where it lies and how large it is", () =>
    withStore((store) =>
      Effect.gen(function* () {
        for (const id of ["a", "b"]) {
          yield* Effect.scoped(Effect.flatMap(store.create(id), (writer) => writer.append(small, "synced")))
        }
        const list = yield* store.list
        expect(list.map((log) => log.id).sort()).toEqual(["a", "b"])
        for (const log of list) {
          expect(log.location).toBe(store.locate(log.id))
          expect(log.sizeBytes).toBeGreaterThan(500)
        }
      }),
    ),
  )
})
