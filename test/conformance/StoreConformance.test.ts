/** The conformance of stores finds what is wrong: each store here breaks one duty, and the case of that duty says so. */
import { it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Scope } from "effect"
import { describe, expect } from "vitest"
import { makeOfEveryType } from "../../src/conformance/makeEvents.ts"
import * as StoreConformance from "../../src/conformance/StoreConformance.ts"
import { payloads, type SessionEvent } from "../../src/event/SessionEvent.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { type LogWriter, type OpenLog, SessionStore } from "../../src/store/SessionStore.ts"
import { SessionExists, StoreUnavailable } from "../../src/store/StoreError.ts"

type Store = SessionStore["Service"]

const broken = (change: (store: Store) => Store) =>
  Layer.effect(SessionStore, Effect.map(SessionStore, change)).pipe(
    Layer.provide(Layer.fresh(MemoryStore.layer)),
  )

/** The names of the cases that a store fails, and what they say. */
const failuresOf = (options: StoreConformance.Options<never>) =>
  Effect.gen(function* () {
    const failed: Array<{ readonly name: string; readonly error: unknown }> = []
    for (const { name, effect } of StoreConformance.cases(options)) {
      const exit = yield* Effect.exit(effect)
      if (Exit.isFailure(exit)) failed.push({ name, error: Cause.squash(exit.cause) })
    }
    return failed
  })

/** Change what is read, everywhere. */
const onRead =
  (change: (event: SessionEvent) => SessionEvent) =>
  (store: Store): Store => ({
    ...store,
    read: (id) => Effect.map(store.read(id), (events) => events.map(change)),
    open: (id) => Effect.map(store.open(id), (log) => ({ ...log, events: log.events.map(change) })),
  })

/** Change the writers, everywhere. */
const onWrite =
  (change: (writer: LogWriter) => LogWriter) =>
  (store: Store): Store => ({
    ...store,
    create: (id) => Effect.map(store.create(id), change),
    open: (id) => Effect.map(store.open(id), (log): OpenLog => ({ ...log, writer: change(log.writer) })),
  })

const throughText = (change: (text: string) => string) =>
  onRead((event) => JSON.parse(change(JSON.stringify(event))) as SessionEvent)

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  )
}

/** Keeps accepted events to itself until a stronger append; what is left when the scope closes is lost. */
const keepAccepted =
  (isFlush: (events: ReadonlyArray<SessionEvent>) => boolean) =>
  (writer: LogWriter): LogWriter => {
    let kept: ReadonlyArray<SessionEvent> = []
    return {
      append: (events, durability) => {
        const all = [...kept, ...events]
        const isWritten = durability !== "accepted" && isFlush(events)
        kept = isWritten ? [] : all
        return isWritten ? writer.append(all, durability) : Effect.void
      },
    }
  }

/** Nobody ever closes this scope. */
const forEver = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) =>
  Effect.flatMap(Scope.make(), (scope) => Scope.provide(effect, scope))

const mutants: ReadonlyArray<readonly [what: string, change: (store: Store) => Store, finds: string]> = [
  [
    "halves lone surrogates",
    throughText((text) => text.replaceAll(/\\ud[89a-f]../g, "\ufffd")),
    "keeps text that is hard",
  ],
  ["drops NUL", throughText((text) => text.replaceAll("\\u0000", "")), "keeps text that is hard"],
  [
    "breaks lines at U+2028",
    throughText((text) => text.replaceAll("\u2028", "\\n")),
    "keeps text that is hard",
  ],
  [
    "trims a byte order mark",
    throughText((text) => text.replaceAll("\ufeff", "")),
    "keeps text that is hard",
  ],
  ["composes letters", throughText((text) => text.normalize("NFC")), "keeps text that is hard"],
  ["sorts keys", onRead((event) => sortKeys(event) as SessionEvent), "keeps what an extension logged"],
  [
    "forgets the version of a payload",
    throughText((text) => text.replace('"v":7,', "")),
    "keeps what an extension logged",
  ],
  [
    "loses the end of a long append",
    onWrite((writer) => ({ append: (events, d) => writer.append(events.slice(0, 2_000), d) })),
    "keeps a large append",
  ],
  [
    "takes an event twice",
    (store) => ({ ...store, read: (id) => Effect.map(store.read(id), (all) => [...all, ...all.slice(-1)]) }),
    "gives back what was appended",
  ],
  [
    "writes nothing of an empty append",
    onWrite(keepAccepted((events) => events.length > 0)),
    "writes what it took as accepted with the next",
  ],
  ["forgets at close", onWrite(keepAccepted(() => true)), "writes what it took as accepted when"],
  [
    "takes more after its scope",
    onWrite((writer) => ({
      append: (events, d) =>
        Effect.catchIf(
          writer.append(events, d),
          (error) => error._tag === "StoreUnavailable",
          () => Effect.void,
        ),
    })),
    "takes nothing more once the scope",
  ],
  [
    "is never busy",
    (store) => ({
      ...store,
      open: (id) =>
        Effect.catchTag(store.open(id), "SessionBusy", () =>
          Effect.map(Effect.orDie(store.read(id)), (events) => ({
            events,
            writer: { append: () => Effect.void },
          })),
        ),
    }),
    "is busy for everybody else",
  ],
  [
    "holds what it opened for ever",
    (store) => ({ ...store, open: (id) => forEver(store.open(id)) }),
    "goes on with a log that is opened again",
  ],
  [
    "begins nothing anew",
    (store) => ({
      ...store,
      create: (id) =>
        Effect.flatMap(Effect.exit(store.read(id)), (seen) =>
          Exit.isSuccess(seen) ? Effect.fail(new SessionExists({ id, message: id })) : store.create(id),
        ),
    }),
    "begins a log once",
  ],
  [
    "poisons a writer by a conflict",
    onWrite((writer) => {
      let isOver = false
      return {
        append: (events, d) =>
          isOver
            ? Effect.fail(new StoreUnavailable({ operation: "append", message: "over" }))
            : Effect.tapError(writer.append(events, d), () => Effect.sync(() => (isOver = true))),
      }
    }),
    "refuses a seq that is not the next",
  ],
  [
    "takes every seq",
    onWrite((writer) => ({
      append: (events, d) => Effect.catchTag(writer.append(events, d), "SeqConflict", () => Effect.void),
    })),
    "refuses a seq that is not the next",
  ],
  [
    "takes any id for another",
    (store) => ({ ...store, read: (id) => store.read(id.trim()) }),
    "has no session of an id",
  ],
  [
    "lists the oldest first",
    (store) => ({
      ...store,
      list: Effect.map(store.list, (logs) => logs.map((log, updatedAt) => ({ ...log, updatedAt }))),
    }),
    "lists what it has",
  ],
  [
    "lists in reverse",
    (store) => ({ ...store, list: Effect.map(store.list, (logs) => logs.toReversed()) }),
    "lists what it has",
  ],
  [
    "lists in the order of ids",
    (store) => ({
      ...store,
      list: Effect.map(store.list, (logs) => logs.toSorted((a, b) => (a.id < b.id ? -1 : 1))),
    }),
    "lists what it has",
  ],
  [
    "never tells another time",
    (store) => ({
      ...store,
      list: Effect.map(store.list, (logs) => logs.map((log) => ({ ...log, updatedAt: 1 }))),
    }),
    "lists what it has",
  ],
  ["puts all in one place", (store) => ({ ...store, locate: () => "here" }), "lists what it has"],
]

/** What is there is copied into a store in memory, which is that of the next process. */
const copying = (change: (events: ReadonlyArray<SessionEvent>) => ReadonlyArray<SessionEvent>) =>
  Effect.map(SessionStore, (store) => {
    const copy = Effect.fnUntraced(function* (next: Store) {
      for (const { id } of yield* store.list) {
        const events = change(yield* store.read(id))
        yield* Effect.scoped(Effect.flatMap(next.create(id), (writer) => writer.append(events, "synced")))
      }
      return next
    })
    return Layer.effect(SessionStore, SessionStore.use(copy)).pipe(
      Layer.provide(Layer.fresh(MemoryStore.layer)),
    )
  })

describe("the conformance of stores", () => {
  it.live("finds a store that loses at a crash what it told as written", () =>
    Effect.gen(function* () {
      const crash = copying((events) => events.slice(0, -1))
      const failed = yield* failuresOf({ store: MemoryStore.layer, crash })
      expect(failed.length).toBeGreaterThan(0)
      expect(failed.every(({ name }) => name.startsWith("has all that was written"))).toBe(true)
    }),
  )

  for (const [what, change, finds] of mutants) {
    it.live(`finds a store that ${what}`, () =>
      Effect.gen(function* () {
        const failed = yield* failuresOf({ store: broken(change) })
        expect(failed.map(({ name }) => name.slice(0, finds.length))).toContain(finds)
        for (const { error } of failed) expect(error).toHaveProperty("message", expect.stringMatching(/\w/))
      }),
    )
  }

  it.live("says what was owed where something succeeds that ought to fail", () =>
    Effect.gen(function* () {
      const takesAll = onWrite((writer) => ({
        append: (events, d) => Effect.catchTag(writer.append(events, d), "SeqConflict", () => Effect.void),
      }))
      const failed = yield* failuresOf({ store: broken(takesAll) })
      const found = failed.find(({ name }) => name.startsWith("refuses a seq that is not the next"))
      expect(found?.error).toMatchObject({
        name: "ConformanceError",
        message: "append: expected SeqConflict, found success",
      })
    }),
  )

  it.live("says what differs as test runners show it", () =>
    Effect.gen(function* () {
      const [first] = yield* failuresOf({ store: broken(onRead((event) => ({ ...event, at: 0 }))) })
      expect(first?.error).toMatchObject({
        name: "ConformanceError",
        message: expect.stringMatching(/event 0: expected \{"seq":0,.*, found \{"seq":0,"at":0/),
        actual: { seq: 0, at: 0 },
        expected: { seq: 0 },
      })
    }),
  )
})

/** What holds JSON of any shape is one place. */
const isFree = (key: string): boolean =>
  ["parameters", "sensitive", "meta", "structured", "before", "after"].includes(key)

/** Every place in what is stored; `*` stands for any place of a list. */
const pathsIn = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => {
  const here = path.length === 0 ? [] : [path]
  if (typeof value !== "object" || value === null || isFree(path.at(-1) ?? "")) return here
  const below = Object.entries(value).flatMap(([key, member]) =>
    pathsIn(member, [...path, Array.isArray(value) ? "*" : key]),
  )
  return [...here, ...below]
}

type Damage = (value: unknown) => unknown

const damaged = (value: unknown, [key, ...rest]: ReadonlyArray<string>, damage: Damage): unknown => {
  if (key === undefined) return damage(value)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value)
    .map(
      ([name, member]) =>
        [name, key === "*" || name === key ? damaged(member, rest, damage) : member] as const,
    )
    .filter(([, member]) => member !== undefined)
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries)
}

const changed: Damage = (value) => {
  if (typeof value === "string") return value.slice(0, -1)
  if (typeof value === "number") return value + 2 ** 10 === value ? 0 : value + 1
  if (typeof value === "boolean") return !value
  if (Array.isArray(value)) return value.slice(0, -1)
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value).slice(1)) : 0
}

/** Each store makes its own damage: for one that overwrites, everything is what it saw first. */
const damages: Readonly<Record<string, () => Damage>> = {
  drops: () => () => undefined,
  changes: () => changed,
  overwrites: () => {
    let first: unknown
    return (value) => (first ??= value)
  },
}

describe("the case of every type of event", () => {
  const logs = makeOfEveryType()
  const places = new Map(
    logs
      .flat()
      .flatMap(({ type, data }) =>
        pathsIn(data).map((path) => [`${type} ${path.join(".")}`, { type, path }]),
      ),
  )
  /** Where a schema allows one value only. */
  const constant = ["session/start version", "tool/call starts"]

  it("has every type, and every member of each", () => {
    expect(new Set(logs.flat().map(({ type }) => type))).toEqual(new Set(Object.keys(payloads)))
    expect(places.size).toBeGreaterThan(150)
    for (const known of [
      "session/start parent.digest",
      "tool/result content.*.text",
      "turn/end reason.message",
    ])
      expect([...places.keys()]).toContain(known)
  })

  for (const [how, makeDamage] of Object.entries(damages)) {
    it.live(`finds every store that ${how} what stands at one place of one type`, () =>
      Effect.gen(function* () {
        const unseen: Array<string> = []
        for (const [name, { type, path }] of places) {
          const damage = makeDamage()
          const change = onRead((event) =>
            event.type === type
              ? ({ ...event, data: damaged(event.data, path, damage) } as SessionEvent)
              : event,
          )
          const all = StoreConformance.cases({ store: broken(change) })
          const one = all.find((each) => each.name.startsWith("keeps every type of event"))
          if (one === undefined || Exit.isSuccess(yield* Effect.exit(one.effect))) unseen.push(name)
        }
        expect(unseen).toEqual(how === "overwrites" ? constant : [])
      }),
    )
  }
})
