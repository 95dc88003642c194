/** The store in a database keeps the contract of the port, and its own: epochs, signs of life, tables, SQLSTATEs. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import * as PgClient from "@effect/sql-pg/PgClient"
import { it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { makeEvents } from "../../src/conformance/makeEvents.ts"
import * as StoreConformance from "../../src/conformance/StoreConformance.ts"
import * as Migrations from "../../src/postgres/Migrations.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as PostgresStore from "../../src/store/PostgresStore.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import * as Draft from "../session/drafts.ts"
import { cuttingProxy } from "./cuttingProxy.ts"
import { type Database, startDatabase } from "./database.ts"
import { begin as beginning, number, small } from "./logs.ts"

let database: Database = { url: "", stop: () => Promise.resolve() }
beforeAll(async () => {
  database = await startDatabase()
})
afterAll(() => database.stop())

/** A store of its own each time, as another process has it. */
const layer = (options: Partial<PostgresStore.Options> = {}) =>
  Layer.fresh(
    Layer.suspend(() =>
      PostgresStore.layer({ url: Redacted.make(database.url), maxConnections: 4, ...options }),
    ),
  )
const client = Layer.suspend(() => PgClient.layer({ url: Redacted.make(database.url), maxConnections: 1 }))

const storeOf = (options: Partial<PostgresStore.Options> = {}) =>
  Effect.map(Layer.build(layer(options)), (services) => Context.get(services, SessionStore))
const newId = (): string => `t-${globalThis.crypto.randomUUID()}`
/** What another process, a person or a disaster does to the tables. */
const meddle = <A, E>(use: (sql: PgClient.PgClient) => Effect.Effect<A, E>) =>
  Effect.provide(PgClient.PgClient.use(use), Layer.fresh(client))
const begin = (store: SessionStore["Service"], id: string, count = 2) =>
  Effect.gen(function* () {
    const writer = yield* store.create(id)
    yield* writer.append(small.slice(0, count), "synced")
    return writer
  })

const message = (seq: number, text: string) => {
  const [event] = number([Draft.user(`m${seq}`, text)])
  if (event === undefined) throw new Error("no event")
  return { ...event, seq }
}

describe("the store in a database", () => {
  const crash = Effect.succeed(layer({ force: true }))
  for (const { name, effect } of StoreConformance.cases({ store: layer(), crash })) {
    it.live(name, () => effect)
  }
})

describe("a session that is taken over", () => {
  it.live("is read by nobody with what its old holder writes, and not let go by it", () =>
    Effect.gen(function* () {
      const [id, old] = [newId(), yield* Scope.make()]
      const writer = yield* Scope.provide(begin(yield* storeOf(), id), old)
      const taker = yield* storeOf({ force: true })
      const log = yield* taker.open(id)
      const error = yield* Effect.flip(writer.append(small.slice(2, 3), "written"))
      expect(error).toMatchObject({ _tag: "SessionFenced", id })
      expect(yield* Effect.flip(writer.append([], "synced"))).toBe(error)
      yield* Scope.close(old, Exit.void)
      expect((yield* Effect.flip((yield* storeOf()).open(id)))._tag).toBe("SessionBusy")
      yield* log.writer.append(small.slice(2), "written")
      expect(yield* taker.read(id)).toEqual(small)
    }),
  )

  it.live("stays with its holder, who is named, until its time is over by the clock of the database", () =>
    Effect.gen(function* () {
      const [id, one, other] = [newId(), yield* storeOf(), yield* storeOf()]
      const writer = yield* begin(one, id)
      const busy = yield* Effect.flip(other.open(id))
      expect(busy).toMatchObject({ _tag: "SessionBusy", holder: { host: hostname(), pid: process.pid } })
      yield* meddle(
        (sql) => sql`update effect_harness_session set expires_at = clock_timestamp() where id = ${id}`,
      )
      const log = yield* other.open(id)
      expect(log.events).toEqual(small.slice(0, 2))
      expect((yield* Effect.flip(writer.append(small.slice(2, 3), "written")))._tag).toBe("SessionFenced")
    }),
  )

  it.live("is not, when its holder was late and nobody came; an append is a sign of life", () =>
    Effect.gen(function* () {
      const [id, store] = [newId(), yield* storeOf()]
      const writer = yield* begin(store, id)
      yield* meddle(
        (sql) => sql`update effect_harness_session set expires_at = '2000-01-01' where id = ${id}`,
      )
      yield* writer.append(small.slice(2), "written")
      expect((yield* Effect.flip((yield* storeOf()).open(id)))._tag).toBe("SessionBusy")
    }),
  )

  it.live("is kept by signs of life while its holder writes nothing", () =>
    Effect.gen(function* () {
      const [id, store] = [newId(), yield* storeOf({ leaseTime: "150 millis" })]
      yield* begin(store, id)
      const look = meddle(
        (sql) => sql<{ until: number; isOver: boolean }>`
          select extract(epoch from expires_at)::float8 as until, expires_at < clock_timestamp() as "isOver"
          from effect_harness_session where id = ${id}`,
      )
      const [first] = yield* look
      const later = yield* Effect.repeat(look, { until: ([row]) => (row?.until ?? 0) > (first?.until ?? 0) })
      expect(later).toMatchObject([{ isOver: false }])
    }),
  )

  it.live("is kept for the second holder of one store when the first, whose time was over, ends", () =>
    Effect.gen(function* () {
      const [id, late, store] = [newId(), yield* Scope.make(), yield* storeOf({ leaseTime: "150 millis" })]
      yield* Scope.provide(begin(store, id), late)
      const look = meddle(
        (sql) => sql<{ epoch: number; until: number }>`
          select epoch::float8 as epoch, extract(epoch from expires_at)::float8 as until
          from effect_harness_session where id = ${id}`,
      )
      const overdue = meddle(
        (sql) => sql`update effect_harness_session set expires_at = '2000-01-01' where id = ${id}`,
      )
      // A sign of life may come between the two.
      yield* Effect.retry(Effect.andThen(overdue, store.open(id)), {
        while: ({ _tag }) => _tag === "SessionBusy",
      })
      yield* Scope.close(late, Exit.void)
      const [first] = yield* look
      const later = yield* Effect.repeat(look, { until: ([row]) => (row?.until ?? 0) > (first?.until ?? 0) })
      expect(later).toMatchObject([{ epoch: 2 }])
    }),
  )

  it.live("is not taken with force from the very store that holds it", () =>
    Effect.gen(function* () {
      const [id, store] = [newId(), yield* storeOf({ force: true })]
      yield* begin(store, id)
      expect((yield* Effect.flip(store.open(id)))._tag).toBe("SessionBusy")
    }),
  )
})

describe("stores that take a session from each other", () => {
  it.live("lose nothing that was told as written, and interleave nothing", () =>
    Effect.gen(function* () {
      const id = newId()
      const stores = yield* Effect.forEach([1, 2, 3, 4], () => storeOf({ force: true, maxConnections: 2 }))
      yield* Effect.scoped(begin(yield* storeOf(), id, 1))
      const told = new Map<number, string>()
      const ends = new Set<string>()
      const fight = (fighter: number) =>
        Effect.fnUntraced(function* (store: SessionStore["Service"], round: number) {
          const log = yield* store.open(id)
          for (let n = 0; n < 4; n++) {
            const from = log.events.length + 2 * n
            const batch = [from, from + 1].map((seq) => message(seq, `${fighter}.${round}.${seq}`))
            yield* log.writer.append(batch, "written")
            for (const { seq, data } of batch) told.set(seq, JSON.stringify(data))
          }
        })
      const rounds = (store: SessionStore["Service"], fighter: number) =>
        Effect.forEach(
          Array.from({ length: 8 }, (_, round) => round),
          (round) =>
            Effect.scoped(fight(fighter)(store, round)).pipe(
              Effect.match({ onFailure: ({ _tag }) => ends.add(_tag), onSuccess: () => ends.add("done") }),
            ),
        )
      yield* Effect.forEach(stores.entries(), ([fighter, store]) => rounds(store, fighter), {
        concurrency: "unbounded",
      })
      const events = yield* (yield* storeOf()).read(id)
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
      for (const [seq, data] of told) expect(JSON.stringify(events[seq]?.data)).toBe(data)
      expect(told.size).toBeGreaterThan(10)
      expect([...ends].filter((end) => !["done", "SessionFenced", "SessionBusy"].includes(end))).toEqual([])
      expect([...ends]).toContain("SessionFenced")
    }),
  )
})

describe("a process that is killed with -9 while it writes", () => {
  const folder = mkdtempSync(join(tmpdir(), "database-writer-"))
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Let it write until it has told of `count` appends, and kill it. Out: the last seq that was told. */
  const killAfter = (program: string, id: string, count: number) =>
    Effect.callback<number>((resume) => {
      const child = spawn(process.execPath, [program, database.url, id], {
        stdio: ["ignore", "pipe", "inherit"],
      })
      let told = ""
      child.stdout.on("data", (bytes) => {
        told += String(bytes)
        if (told.split("\n").length > count) child.kill("SIGKILL")
      })
      child.on("close", () => resume(Effect.succeed(Number(/ack (\d+)\n$/.exec(told)?.[1]))))
    })

  it.live("leaves all that it told, and its session is free when its time is over", () =>
    Effect.gen(function* () {
      const [id, program] = [newId(), join(folder, "writer.mjs")]
      yield* Effect.promise(() =>
        build({
          entryPoints: [join(import.meta.dirname, "databaseWriter.ts")],
          outfile: program,
          bundle: true,
          format: "esm",
          platform: "node",
          target: "node20.19",
          logLevel: "error",
        }),
      )
      const last = yield* killAfter(program, id, 20)
      expect(last).toBeGreaterThan(20)
      const store = yield* storeOf()
      const log = yield* Effect.retry(store.open(id), { while: ({ _tag }) => _tag === "SessionBusy" })
      expect(log.events.length).toBeGreaterThan(last)
      const events = makeEvents(31, log.events.length + 5)
      expect(log.events).toEqual(events.slice(0, -5))
      yield* log.writer.append(events.slice(-5), "synced")
      expect(yield* store.read(id)).toEqual(events)
    }),
  )
})

describe("tables that somebody has meddled with", () => {
  it.live("refuse an append where a row is in its place, by its SQLSTATE, and write nothing of it", () =>
    Effect.gen(function* () {
      const [id, store] = [newId(), yield* storeOf()]
      const writer = yield* begin(store, id)
      yield* meddle((sql) => sql`insert into effect_harness_event values (${id}, 3, '{}')`)
      const error = yield* Effect.flip(writer.append(small.slice(2, 4), "written"))
      expect(error).toMatchObject({ _tag: "StoreUnavailable", reason: "SQLSTATE_23505" })
      yield* meddle((sql) => sql`delete from effect_harness_event where session = ${id} and seq = 3`)
      expect(yield* Effect.flip(writer.append(small.slice(2, 4), "written"))).toBe(error)
      expect(yield* store.read(id)).toEqual(small.slice(0, 2))
    }),
  )

  it.live("refuse an append when events were lost before it, or the session is gone", () =>
    Effect.gen(function* () {
      const [lost, gone, store] = [newId(), newId(), yield* storeOf()]
      const [first, second] = [yield* begin(store, lost), yield* begin(store, gone)]
      yield* meddle((sql) => sql`update effect_harness_session set next_seq = 1 where id = ${lost}`)
      yield* meddle((sql) => sql`delete from effect_harness_session where id = ${gone}`)
      const reasonOf = (writer: typeof first) => Effect.flip(writer.append(small.slice(2, 3), "written"))
      expect(yield* reasonOf(first)).toMatchObject({ _tag: "StoreUnavailable", reason: "LOG_CHANGED" })
      expect(yield* reasonOf(second)).toMatchObject({ _tag: "StoreUnavailable", reason: "ENOENT" })
    }),
  )

  it.live("are refused at open by rule, and nothing is held then", () =>
    Effect.gen(function* () {
      const [id, store] = [newId(), yield* storeOf()]
      yield* Effect.scoped(begin(store, id, 3))
      const cases = [
        ['{"seq":1,"at":1,"type":"nonsense","data":{}}', "row 2: ", "log.version"],
        ['{"seq":1,"at":1,"type":"a:b","data":-0}', "row 2: ", "log.lossless"],
      ] as const
      for (const [row, begins, rule] of cases) {
        yield* meddle(
          (sql) =>
            sql`update effect_harness_event set row = ${row}::text::json where session = ${id} and seq = 1`,
        )
        for (const look of [store.open(id), store.open(id), store.read(id)]) {
          const error = yield* Effect.flip<unknown, { readonly _tag: string }, Scope.Scope>(look)
          expect(error).toMatchObject({
            _tag: "CorruptLog",
            rule,
            message: expect.stringMatching(`^${begins}`),
          })
          expect(error).not.toHaveProperty("line")
        }
      }
      yield* meddle((sql) => sql`delete from effect_harness_event where session = ${id} and seq = 2`)
      yield* meddle(
        (sql) =>
          sql`update effect_harness_event set row = '{"seq":1,"at":1,"type":"a:b","data":0}' where session = ${id} and seq = 1`,
      )
      expect(yield* Effect.flip(store.open(id))).toMatchObject({ _tag: "CorruptLog", rule: "log.seq" })
    }),
  )

  it.live("are only looked at when a later version wrote the log", () =>
    Effect.gen(function* () {
      const [id, store] = [newId(), yield* storeOf()]
      yield* Effect.scoped(begin(store, id, 1))
      const row = '{"seq":0,"at":1,"type":"session/start","data":{"version":2,"id":"s","mood":"new"}}'
      yield* meddle(
        (sql) => sql`update effect_harness_event set row = ${row}::text::json where session = ${id}`,
      )
      expect((yield* Effect.flip(store.open(id)))._tag).toBe("UnsupportedLogVersion")
      expect(yield* store.read(id)).toMatchObject([{ type: "~2:session/start" }])
    }),
  )
})

describe("the tables", () => {
  /** In a schema of its own, and nothing of it stays. */
  const apart = <A, E>(use: (sql: PgClient.PgClient) => Effect.Effect<A, E>) =>
    meddle((sql) =>
      Effect.flip(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`create schema effect_harness_apart`
            yield* sql`set local search_path to effect_harness_apart`
            return yield* Effect.flip(use(sql))
          }),
        ),
      ),
    )

  it.live("are made once, whoever comes, and are those of this version", () =>
    Effect.gen(function* () {
      const made = yield* apart((sql) =>
        Effect.gen(function* () {
          for (let time = 0; time < 3; time++) yield* Migrations.migrate(sql)
          return yield* sql<{
            readonly version: number
          }>`select version from effect_harness_migration order by version`
        }),
      )
      expect(made).toEqual([{ version: Migrations.version }])
    }),
  )

  it.live("are left alone when a later version of this package has made them", () =>
    Effect.gen(function* () {
      const found = Migrations.version + 1
      const error = yield* apart((sql) =>
        Effect.gen(function* () {
          yield* Migrations.migrate(sql)
          yield* sql`insert into effect_harness_migration values (${found}, now())`
          return yield* Effect.flip(Migrations.migrate(sql))
        }),
      )
      expect(error).toMatchObject({ _tag: "LaterSchema", found, known: Migrations.version })
    }),
  )

  it.live("can be made by many stores at once", () =>
    Effect.gen(function* () {
      const stores = yield* Effect.forEach([1, 2, 3, 4], () => storeOf(), { concurrency: "unbounded" })
      expect(stores).toHaveLength(4)
    }),
  )
})

describe("a client of the program's own", () => {
  const ownClient = (options: Partial<PgClient.PgPoolConfig>) =>
    Layer.fresh(
      Layer.suspend(() =>
        PgClient.layer({ url: Redacted.make(database.url), maxConnections: 2, ...options }),
      ),
    )

  it.live("may rename columns and prepare nothing", () => {
    const shout = (name: string) => name.toUpperCase()
    const own = ownClient({ transformResultNames: shout, transformQueryNames: shout, prepare: false })
    return Effect.gen(function* () {
      const [id, store] = [newId(), yield* SessionStore]
      yield* Effect.scoped(begin(store, id, small.length))
      expect((yield* store.open(id)).events).toEqual(small)
    }).pipe(Effect.provide(PostgresStore.layerClient().pipe(Layer.provide(own))))
  })

  it.live("is given nothing to write that it could not read", () =>
    Effect.gen(function* () {
      const [id, store] = [newId(), yield* SessionStore]
      const writer = yield* begin(store, id, 1)
      const text = "\u4f60".repeat(3_000)
      const [, event] = number([beginning("s"), Draft.user("m1", text)])
      const error = yield* Effect.flip(writer.append(event === undefined ? [] : [event], "written"))
      expect(error).toMatchObject({ _tag: "StoreUnavailable", reason: "EMSGSIZE" })
      expect(yield* store.read(id)).toEqual(small.slice(0, 1))
    }).pipe(
      Effect.provide(PostgresStore.layerClient().pipe(Layer.provide(ownClient({ maxMessageSize: 8_192 })))),
    ),
  )
})

describe("a lease without a time", () => {
  it.live("keeps the store from being built", () =>
    Effect.gen(function* () {
      for (const leaseTime of ["0 millis", Number.POSITIVE_INFINITY] as const) {
        const exit = yield* Effect.exit(storeOf({ leaseTime }))
        expect(String(exit)).toContain("leaseTime wants 100 milliseconds")
      }
    }),
  )
})

describe("a database that cannot be reached", () => {
  it.live("keeps the store from being built, by its errno", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(storeOf({ url: Redacted.make("postgres://nobody@127.0.0.1:1/none") }))
      expect(error).toMatchObject({ _tag: "StoreUnavailable", reason: "ECONNREFUSED" })
    }),
  )

  it.live(
    "leaves a batch whole or out, wherever the connection breaks, and what was told as written is there",
    () =>
      Effect.gen(function* () {
        const proxy = yield* cuttingProxy(database.url)
        const direct = yield* storeOf({ force: true })
        const found: Array<number> = []
        for (const cut of ["request", "answer"] as const) {
          const id = newId()
          const store = yield* storeOf({ url: Redacted.make(proxy.url), maxConnections: 1 })
          const writer = yield* begin(store, id)
          proxy.cutNext(cut)
          const error = yield* Effect.flip(writer.append(small.slice(2, 5), "synced"))
          expect(error._tag).toBe("StoreUnavailable")
          expect(yield* Effect.flip(writer.append(small.slice(2, 5), "synced"))).toBe(error)
          const log = yield* direct.open(id)
          expect(log.events).toEqual(small.slice(0, log.events.length))
          found.push(log.events.length)
          yield* log.writer.append(small.slice(log.events.length), "written")
          expect(yield* direct.read(id)).toEqual(small)
        }
        expect(found).toEqual([2, 5])
      }),
  )
})

describe("a store that is closed before its sessions", () => {
  it.live("fails their appends, and leaves them to the next one after their time", () =>
    Effect.gen(function* () {
      const [id, life] = [newId(), yield* Scope.make()]
      const store = yield* Scope.provide(storeOf(), life)
      const writer = yield* begin(store, id)
      yield* Scope.close(life, Exit.void)
      const error = yield* Effect.flip(writer.append(small.slice(2), "synced"))
      expect(error).toMatchObject({ _tag: "StoreUnavailable", reason: "CLOSED" })
      expect((yield* Effect.flip((yield* storeOf()).open(id)))._tag).toBe("SessionBusy")
      expect((yield* (yield* storeOf({ force: true })).open(id)).events).toEqual(small.slice(0, 2))
    }),
  )
})

describe("a session over it", () => {
  it.live("opens as it was: same log, same messages", () =>
    Effect.gen(function* () {
      const id = newId()
      const make = Effect.gen(function* () {
        const session = yield* SessionLog.create({ id })
        yield* session.append("synced", () => [Draft.user("m1", "hello \ud800"), Draft.turnStart(1, "m1")])
        return { log: session.log(), messages: session.messages() }
      })
      const written = yield* Effect.scoped(make).pipe(Effect.provide(layer()))
      const read = yield* SessionLog.open(id).pipe(Effect.provide(layer()))
      expect({ log: read.log(), messages: read.messages() }).toEqual(written)
    }),
  )
})
