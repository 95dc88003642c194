import { describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Logger, Result, Schema, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import * as EventType from "../../src/event/EventType.ts"
import type { EventDraft, SessionEvent } from "../../src/event/SessionEvent.ts"
import * as Ids from "../../src/message/Ids.ts"
import { Observer, type SessionObserver } from "../../src/session/Observer.ts"
import type { Session } from "../../src/session/Session.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as LogFile from "../../src/store/LogFile.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import { badPayloads } from "../event/badPayloads.ts"
import * as Draft from "./drafts.ts"
import * as StubStore from "./stubStore.ts"

const inMemory = <A, E>(body: Effect.Effect<A, E, SessionStore | Scope.Scope>) =>
  Effect.scoped(body).pipe(Effect.provide(MemoryStore.layer))

/** Run with an open session over a store that lets the first write through, session/start. */
const overStub = <A, E>(
  body: (session: Session, writes: ReadonlyArray<StubStore.Write>) => Effect.Effect<A, E, Scope.Scope>,
) => {
  const { writes, layer } = StubStore.make(1)
  return Effect.scoped(Effect.flatMap(SessionLog.create(), (session) => body(session, writes))).pipe(
    Effect.provide(layer),
  )
}

const snapshot = (session: Session) => ({
  log: session.log(),
  state: session.state(),
  messages: session.messages(),
  status: session.status(),
})

const seqs = (events: ReadonlyArray<SessionEvent>) => events.map((event) => event.seq)

describe("SessionLog", () => {
  it.effect("begins a log with its id and version, drawn from Ids", () =>
    inMemory(
      Effect.gen(function* () {
        yield* TestClock.setTime(5_000)
        const session = yield* SessionLog.create()
        const data = { version: 1, id: "session-1", createdAt: 5_000 }
        expect(session.log()).toEqual([{ seq: 0, at: 5_000, type: "session/start", data }])
        expect(session.location).toBe("memory:session-1")
      }),
    ).pipe(Effect.provideService(Ids.Ids, Ids.sequential())),
  )

  it.effect("stamps the time of the clock, also when it steps back", () =>
    inMemory(
      Effect.gen(function* () {
        const session = yield* SessionLog.create()
        yield* TestClock.setTime(900)
        session.accept(Draft.user("m1"))
        yield* TestClock.setTime(300)
        session.accept(Draft.user("m2"))
        expect(session.log().map((event) => event.at)).toEqual([0, 900, 300])
      }),
    ),
  )

  it.effect("accepts a batch whole or not at all", () =>
    inMemory(
      Effect.gen(function* () {
        const session = yield* SessionLog.create()
        const before = snapshot(session)
        const error = yield* Effect.flip(session.append("written", () => [Draft.user("m"), Draft.user("m")]))
        expect(error).toMatchObject({ _tag: "EventRejected", rule: "inbox.unique", type: "user/message" })
        expect(snapshot(session)).toEqual(before)
        expect(seqs(yield* session.append("written", () => [Draft.user("m")]))).toEqual([1])
      }),
    ),
  )

  it.effect.each(badPayloads)("refuses %s and goes on", ([, type, data]) =>
    inMemory(
      Effect.gen(function* () {
        const session = yield* SessionLog.create()
        const before = snapshot(session)
        const refused = Result.getOrThrow(Result.flip(session.accept({ type, data } as EventDraft)))
        expect(refused).toMatchObject({ _tag: "EventRejected", rule: "log.version" })
        expect(snapshot(session)).toEqual(before)
        expect(Result.isSuccess(session.accept(Draft.user("m")))).toBe(true)
      }),
    ),
  )

  it.effect("refuses a log that append would have refused, and opens no session on it", () =>
    inMemory(
      Effect.gen(function* () {
        const store = yield* SessionStore
        const start = { type: "session/start", data: { version: 1, id: "s", createdAt: 0 } } as const
        yield* Effect.scoped(
          Effect.flatMap(store.create("s"), (writer) =>
            writer.append(
              [
                { seq: 0, at: 0, ...start },
                { seq: 1, at: 0, ...start },
              ],
              "synced",
            ),
          ),
        )
        const error = yield* Effect.flip(Effect.scoped(SessionLog.open("s")))
        expect(error).toMatchObject({ _tag: "CorruptLog", rule: "log.start" })
        expect((yield* store.open("s")).events).toHaveLength(2)
      }),
    ),
  )

  it.effect("names line and byte of the event that a rule refuses", () => {
    const at = (seq: number) => ({ seq, at: 0 })
    const events: ReadonlyArray<SessionEvent> = [
      { ...at(0), type: "session/start", data: { version: 1, id: "s", createdAt: 0 } },
      { ...at(1), type: "step/end", data: { turn: 1, step: 1 } },
      { ...at(3), type: "step/end", data: { turn: 1, step: 1 } },
    ]
    const file = LogFile.encode(events)
    const { placeOf } = Result.getOrThrow(LogFile.parse(new TextEncoder().encode(file)))
    const { layer } = StubStore.make(0, { events, placeOf })
    return Effect.gen(function* () {
      expect(yield* Effect.flip(SessionLog.open("s"))).toMatchObject({
        _tag: "CorruptLog",
        rule: "log.seq",
        line: 3,
        byteOffset: file.lastIndexOf('{"seq":3'),
        message: expect.stringMatching(/^line 3 \(byte \d+\): log\.seq: .*effect-harness check/),
      })
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.effect("has no session in a log that was never begun", () =>
    inMemory(
      Effect.gen(function* () {
        yield* Effect.scoped(Effect.flatMap(SessionStore, (store) => store.create("s")))
        expect((yield* Effect.flip(SessionLog.open("s")))._tag).toBe("SessionNotFound")
      }),
    ),
  )

  // bug-074 (log/unknown-event)
  it.effect("refuses an unregistered extension type, and keeps one that another process wrote", () => {
    const Note = EventType.make({ name: "acme:note", version: 1, schema: Schema.Struct({ x: Schema.Int }) })
    const draft = EventType.draft(Note, { x: 1 })
    const write = Effect.gen(function* () {
      const session = yield* SessionLog.create({ id: "s" })
      yield* session.append("synced", () => [draft])
    })
    return inMemory(
      Effect.gen(function* () {
        yield* Effect.scoped(write).pipe(Effect.provide(EventType.layer([Note])))
        const session = yield* SessionLog.open("s")
        expect(session.log().at(-1)).toMatchObject({ seq: 1, type: "acme:note", data: { x: 1 } })
        const refused = Result.getOrThrow(Result.flip(session.accept(draft)))
        expect(refused.message).toBe("log.version: event type acme:note is not registered")
      }),
    )
  })

  it.effect("detaches what it accepts from the caller's objects", () =>
    inMemory(
      Effect.gen(function* () {
        const session = yield* SessionLog.create()
        const data = { messageId: "m", content: [{ type: "text" as const, text: "said" }], source: "user" }
        session.accept({ type: "user/message", data })
        Object.assign(data.content[0] ?? {}, { text: "changed" })
        expect(session.log().at(-1)?.data).toMatchObject({ content: [{ text: "said" }] })
      }),
    ),
  )

  // bug-078 (history/mutation)
  it.effect("lets nothing that is done to a request reach the log or a later history", () =>
    inMemory(
      Effect.gen(function* () {
        const session = yield* SessionLog.create()
        yield* session.append("written", () => [Draft.user("m", "secret"), Draft.turnStart(1, "m")])
        const before = JSON.stringify(session.log())
        const request = session.messages() as Array<unknown>
        const [message] = session.messages()
        expect(() => Object.assign(message?.content[0] ?? {}, { text: "REDACTED" })).toThrow(TypeError)
        expect(() => request.push("more")).toThrow(TypeError)
        expect(JSON.stringify(session.log())).toBe(before)
        expect(session.messages()).toEqual([{ role: "user", content: [{ type: "text", text: "secret" }] }])
      }),
    ),
  )

  it.effect("decides and accepts in one step, so that no append comes between", () =>
    inMemory(
      Effect.gen(function* () {
        const session = yield* SessionLog.create()
        const add = session.append("written", (state) => [Draft.user(`m${state.nextSeq}`)])
        const appended = yield* Effect.all(
          Array.from({ length: 50 }, () => add),
          { concurrency: "unbounded" },
        )
        expect(appended.flat().map((event) => [event.seq, event.data])).toEqual(
          appended.flat().map((_, n) => [n + 1, expect.objectContaining({ messageId: `m${n + 1}` })]),
        )
      }),
    ),
  )
})

describe("what a session tells", () => {
  it.effect("tells events in seq order, each when the durability it asked for is reached", () =>
    overStub((session, writes) =>
      Effect.gen(function* () {
        const told: Array<number> = []
        session.subscribe((event) => told.push(event.seq))
        session.accept(Draft.delta(1, 1, "told at once"))
        expect(told).toEqual([1])
        const first = yield* Effect.forkChild(
          session.append("written", () => [Draft.user("a")]),
          { startImmediately: true },
        )
        session.accept(Draft.delta(1, 1, "waits behind a"))
        const second = yield* Effect.forkChild(
          session.append("synced", () => [Draft.user("b")]),
          { startImmediately: true },
        )
        expect(told).toEqual([1])
        yield* StubStore.nth(writes, 1).finish
        yield* Fiber.join(first)
        expect(told).toEqual([1, 2, 3])
        yield* StubStore.nth(writes, 2).finish
        yield* Fiber.join(second)
        expect(told).toEqual([1, 2, 3, 4])
      }),
    ),
  )

  it.effect("writes what was accepted during a write together, as durable as anybody asked", () =>
    overStub((session, writes) =>
      Effect.gen(function* () {
        const start = (id: string, durability: "written" | "synced") =>
          Effect.forkChild(
            session.append(durability, () => [Draft.user(id)]),
            { startImmediately: true },
          )
        const fibers = [
          yield* start("a", "written"),
          yield* start("b", "written"),
          yield* start("c", "synced"),
        ]
        session.accept(Draft.delta(1, 1, "x"))
        expect(writes.map((write) => write.seqs)).toEqual([[0], [1]])
        yield* StubStore.nth(writes, 1).finish
        yield* Effect.yieldNow
        expect(writes.map((write) => [write.seqs, write.durability])).toEqual([
          [[0], "synced"],
          [[1], "written"],
          [[2, 3, 4], "synced"],
        ])
        yield* StubStore.nth(writes, 2).finish
        yield* Effect.forEach(fibers, Fiber.join)
      }),
    ),
  )

  it.effect("goes on writing when the one who waits is interrupted", () =>
    overStub((session, writes) =>
      Effect.gen(function* () {
        const told: Array<number> = []
        session.subscribe((event) => told.push(event.seq))
        const fiber = yield* Effect.forkChild(
          session.append("synced", () => [Draft.user("a")]),
          { startImmediately: true },
        )
        yield* Fiber.interrupt(fiber)
        expect(seqs(session.log())).toEqual([0, 1])
        yield* StubStore.nth(writes, 1).finish
        yield* Effect.yieldNow
        expect(told).toEqual([1])
      }),
    ),
  )

  it.effect("syncs and tells everything when it closes, ends its events, and takes nothing more", () =>
    Effect.gen(function* () {
      const { writes, layer } = StubStore.make(9)
      const scope = yield* Scope.make()
      const session = yield* SessionLog.create().pipe(Scope.provide(scope), Effect.provide(layer))
      const events = yield* Effect.forkChild(Stream.runCollect(session.events), { startImmediately: true })
      yield* session.append("accepted", () => [Draft.user("a"), Draft.user("b")])
      session.accept(Draft.delta(1, 1, "x"))
      yield* Scope.close(scope, Exit.void)
      expect(seqs(yield* Fiber.join(events))).toEqual([1, 2, 3])
      expect(writes.map((write) => [write.seqs, write.durability])).toEqual([
        [[0], "synced"],
        [[1, 2, 3], "synced"],
      ])
      expect(session.status()).toBe("disposed")
      expect((yield* Effect.flip(session.append("written", () => [Draft.user("c")])))._tag).toBe(
        "SessionPoisoned",
      )
      expect(yield* Stream.runCollect(session.events)).toEqual([])
    }),
  )

  it.effect("loses nothing for a slow reader, and begins a late one at the moment it comes", () =>
    inMemory(
      Effect.gen(function* () {
        const session = yield* SessionLog.create()
        const slow = yield* Effect.forkChild(
          Stream.runCollect(Stream.tap(Stream.take(session.events, 1000), () => Effect.yieldNow)),
          { startImmediately: true },
        )
        for (let n = 0; n < 500; n++) session.accept(Draft.delta(1, 1, `${n}`))
        const late = yield* Effect.forkChild(Stream.runCollect(Stream.take(session.events, 1)), {
          startImmediately: true,
        })
        for (let n = 500; n < 1000; n++) session.accept(Draft.delta(1, 1, `${n}`))
        expect(seqs(yield* Fiber.join(slow))).toEqual(Array.from({ length: 1000 }, (_, n) => n + 1))
        expect(seqs(yield* Fiber.join(late))).toEqual([501])
      }),
    ),
  )

  it.effect("drops a listener that throws and goes on telling the others", () =>
    inMemory(
      Effect.gen(function* () {
        const session = yield* SessionLog.create()
        const told: Array<string> = []
        session.subscribe((event) => {
          told.push(`bad ${event.seq}`)
          throw new Error("broken listener")
        })
        const stop = session.subscribe((event) => told.push(`good ${event.seq}`))
        session.accept(Draft.user("a"))
        session.accept(Draft.user("b"))
        stop()
        session.accept(Draft.user("c"))
        expect(told).toEqual(["bad 1", "good 1", "good 2"])
      }),
    ).pipe(Effect.provide(Logger.layer([]))),
  )

  it.effect("keeps the order for a listener that appends", () =>
    inMemory(
      Effect.gen(function* () {
        const session = yield* SessionLog.create()
        const told: Array<number> = []
        session.subscribe((event) => {
          if (event.seq < 4) session.accept(Draft.user(`m${event.seq}`))
        })
        session.subscribe((event) => told.push(event.seq))
        session.accept(Draft.user("m"))
        expect(told).toEqual([1, 2, 3, 4])
      }),
    ),
  )
})

describe("a session whose write fails", () => {
  it.effect("fails those who wait with the store's error and everybody after with SessionPoisoned", () =>
    overStub((session, writes) =>
      Effect.gen(function* () {
        const told: Array<number> = []
        session.subscribe((event) => told.push(event.seq))
        const append = (id: string) => Effect.exit(session.append("synced", () => [Draft.user(id)]))
        const waiting = [
          yield* Effect.forkChild(append("a"), { startImmediately: true }),
          yield* Effect.forkChild(append("b"), { startImmediately: true }),
        ]
        yield* StubStore.nth(writes, 1).fail
        const exits = yield* Effect.forEach(waiting, Fiber.join)
        expect(exits).toEqual([Exit.fail(StubStore.enospc), Exit.fail(StubStore.enospc)])
        expect(session.status()).toBe("disposed")
        expect((yield* Effect.flip(session.append("accepted", () => [])))._tag).toBe("SessionPoisoned")
        expect(Result.getOrThrow(Result.flip(session.accept(Draft.user("c"))))._tag).toBe("SessionPoisoned")
        expect(told).toEqual([])
        expect(writes).toHaveLength(2)
        expect(yield* Stream.runCollect(session.events)).toEqual([])
      }),
    ),
  )

  it.effect("answers those who wait also when the store's write breaks off past all its handlers", () => {
    let writes = 0
    // What JavaScript may give: a callback that returns no Effect ends its fiber at once.
    const slip: Effect.Effect<void> = Effect.flatMap(Effect.void, () => JSON.parse("null"))
    const store = Layer.mock(SessionStore)({
      create: () => Effect.succeed({ append: () => (++writes === 1 ? Effect.void : slip) }),
      locate: (id) => id,
    })
    const asked = Effect.gen(function* () {
      const session = yield* SessionLog.create()
      const exit = yield* Effect.exit(session.append("written", () => [Draft.user("a")]))
      expect(Exit.hasDies(exit)).toBe(true)
      expect((yield* Effect.flip(session.append("accepted", () => [])))._tag).toBe("SessionPoisoned")
    })
    return Effect.scoped(asked).pipe(Effect.provide(store))
  })
})

describe("the observer of a session", () => {
  const observed = (observer: Partial<SessionObserver>) =>
    Layer.succeed(Observer, {
      watch: () => ({
        onAppend: () => {},
        onStatus: () => {},
        onAcknowledge: () => {},
        onRequest: () => {},
        ...observer,
      }),
    })

  it.effect("keeps events out of log, state and history by throwing, and its defect passes", () =>
    inMemory(
      Effect.gen(function* () {
        const session = yield* SessionLog.create()
        const before = snapshot(session)
        const exit = yield* Effect.exit(session.append("written", () => [Draft.user("a"), Draft.user("bad")]))
        expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(new Error("unlawful"))
        expect(() => session.accept(Draft.user("bad"))).toThrow("unlawful")
        expect(snapshot(session)).toEqual(before)
        expect(seqs(yield* session.append("written", () => [Draft.user("a")]))).toEqual([1])
      }),
    ).pipe(
      Effect.provide(
        observed({
          onAppend: (events) => {
            if (events.some((event) => event.type === "user/message" && event.data.messageId === "bad")) {
              throw new Error("unlawful")
            }
          },
        }),
      ),
    ),
  )

  it.effect("is told every move of the status, once", () => {
    const moves: Array<string> = []
    return Effect.gen(function* () {
      yield* inMemory(
        Effect.gen(function* () {
          const session = yield* SessionLog.create()
          yield* session.append("written", () => [Draft.user("m"), Draft.turnStart(1, "m"), Draft.turnEnd(1)])
          yield* session.append("written", () => [Draft.turnStart(2)])
          expect(session.status()).toBe("running")
        }),
      )
      expect(moves).toEqual(["idle>running", "running>idle", "idle>running", "running>disposed"])
    }).pipe(Effect.provide(observed({ onStatus: (from, to) => void moves.push(`${from}>${to}`) })))
  })

  it.effect("hears of no acknowledgement above what the store holds", () => {
    const acks: Array<unknown> = []
    return overStub((session, writes) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(
          session.append("written", () => [Draft.user("a")]),
          { startImmediately: true },
        )
        expect(acks).toHaveLength(1)
        yield* StubStore.nth(writes, 1).finish
        yield* Fiber.join(fiber)
        expect(acks).toEqual([
          { told: "synced", seq: 0, writtenSeq: 0, syncedSeq: 0 },
          { told: "written", seq: 1, writtenSeq: 1, syncedSeq: 0 },
        ])
        const closing = yield* Effect.forkChild(
          session.append("synced", () => []),
          { startImmediately: true },
        )
        yield* StubStore.nth(writes, 2).finish
        yield* Fiber.join(closing)
        expect(acks.at(-1)).toEqual({ told: "synced", seq: 1, writtenSeq: 1, syncedSeq: 1 })
      }),
    ).pipe(Effect.provide(observed({ onAcknowledge: (ack) => void acks.push(ack) })))
  })
})
