/**
 * Logs in a Postgres database: for programs on several machines that go on with each other's sessions.
 *
 * In:  numbered events.      Out: rows of `effect_harness_event`, as in a log file; a lease by epoch in
 * `effect_harness_session`. Both are made, or brought to this version, when the layer is built.
 * Fails with: `SessionBusy` with who holds it; `SessionFenced` when it was taken over, and then nothing was written;
 * `StoreUnavailable` with the SQLSTATE or errno. After a failed append the writer refuses everything.
 * Order: `written` and `synced` are one, a commit: as durable as the server's `synchronous_commit` makes it.
 * Not here: the statements (`postgres/`), the bytes of a row (`LogFile.ts`).
 * Source: PROTOCOL "One writer"; docs/adr/0017.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Cause, Duration, Effect, Layer, Result, Schedule } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { CorruptLog } from "../event/EventError.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import { allOrNothing } from "../lease/Hold.ts"
import { address } from "../lease/Holder.ts"
import * as Migrations from "../postgres/Migrations.ts"
import * as Sessions from "../postgres/Sessions.ts"
import * as LogFile from "./LogFile.ts"
import * as LogWriter from "./LogWriter.ts"
import { isId, refuseId, SessionStore } from "./SessionStore.ts"
import { SessionBusy, SessionFenced, SessionNotFound, StoreUnavailable } from "./StoreError.ts"
import { closed, exists, unavailable } from "./unavailable.ts"

export interface LeaseOptions {
  /**
   * How long a holder keeps its sessions without a sign of life; 30 seconds unless given. It gives one at every append
   * and three times in that time. A dead holder's sessions wait so long; one that was only slow gets `SessionFenced`.
   * Errors: building the layer dies when it is less than 100 milliseconds, or has no end.
   */
  readonly leaseTime?: Duration.Input
  /** Take sessions from whoever holds them: it gets `SessionFenced` at its next append. Never from this very layer. */
  readonly force?: boolean
}

/** Where the database is, as `PgClient` is told, and how its sessions are held. */
export interface Options extends PgClient.PgPoolConfig, LeaseOptions {}

/** Keep logs in a database, over connections of its own. */
export const layer = (options: Options): Layer.Layer<SessionStore, StoreUnavailable> => {
  const { leaseTime: _, force: __, ...connection } = options
  const client = PgClient.layer({ maxMessageSize: largestField, ...connection })
  return layerClient(options).pipe(
    Layer.provide(Layer.effectContext(Effect.mapError(Layer.build(client), unavailable("connect")))),
  )
}

/** Keep logs in a database that the program is connected to already. */
export const layerClient = (
  options: LeaseOptions = {},
): Layer.Layer<SessionStore, StoreUnavailable, PgClient.PgClient> => Layer.effect(SessionStore, make(options))

/** Make the tables, or bring them to this version: for those who may, when the program itself may not. */
export const migrate: Effect.Effect<void, StoreUnavailable, PgClient.PgClient> = Effect.flatMap(
  PgClient.PgClient,
  (sql) => Effect.mapError(Migrations.migrate(sql.withoutTransforms()), unavailable("migrate")),
)

/** Units: bytes. What Postgres can hold in one value, and what a client takes at once unless told otherwise. */
const largestField = 2 ** 30 - 1
const usualMessage = 2 ** 24
/** Units: bytes of a message beside the one value in it, amply. */
const frameBytes = 64

const make = Effect.fnUntraced(function* ({ leaseTime = "30 seconds", force = false }: LeaseOptions) {
  const leaseMillis = Duration.toMillis(leaseTime)
  if (!(leaseMillis >= 100 && leaseMillis < Number.POSITIVE_INFINITY)) {
    return yield* Effect.die(new RangeError("leaseTime wants 100 milliseconds or more, and an end"))
  }
  const client = yield* PgClient.PgClient
  yield* migrate
  const sql = client.withoutTransforms()
  const me: Sessions.Self = { holder: globalThis.crypto.randomUUID(), ...address(), leaseMillis }
  const largestRow = (client.config.maxMessageSize ?? usualMessage) - frameBytes
  // By lease and not by id: one that was late may end after the next of the same session has begun here.
  const held = new Set<Sessions.Held>()

  const keep = Effect.suspend(() => {
    const ids = Array.from(held, ({ id }) => id)
    return ids.length === 0 ? Effect.void : Sessions.keep(sql, me, ids)
  })
  const rest = Duration.millis(leaseMillis / 3)
  // A sign that does not come through is given again; until somebody takes the session it is ours by its epoch.
  yield* Effect.forkScoped(Effect.repeat(Effect.ignore(Effect.timeout(keep, rest)), Schedule.spaced(rest)))

  /** Hold what a statement gave, until the scope closes. */
  const hold = (operation: string, taking: ReturnType<typeof Sessions.begin>) =>
    Effect.acquireRelease(
      Effect.tap(Effect.mapError(taking, unavailable(operation)), (lease) =>
        Effect.sync(() => lease !== undefined && held.add(lease)),
      ),
      (lease) => {
        if (lease === undefined) return Effect.void
        held.delete(lease)
        // What cannot be let go is free after its time. A closed client answers by an interruption.
        return Effect.exit(Sessions.release(sql, lease))
      },
    )

  const look = (operation: string, id: string) =>
    Effect.mapError(Sessions.look(sql, id), unavailable(operation))

  const create = Effect.fnUntraced(function* (id: string) {
    if (!isId(id)) return yield* refuseId(id)
    const lease = yield* hold("create", Sessions.begin(sql, me, id))
    if (lease === undefined) {
      const standing = yield* look("create", id)
      return yield* standing !== undefined && standing.nextSeq > 0
        ? exists(id)
        : busy(id, standing, "was taken just now")
    }
    return yield* writerOf(sql, me, lease, largestRow)
  })

  const open = Effect.fnUntraced(function* (id: string) {
    if (!isId(id)) return yield* missing(id)
    const lease = yield* hold("open", Sessions.take(sql, me, id, force))
    if (lease === undefined) {
      const standing = yield* look("open", id)
      return yield* standing === undefined ? missing(id) : busy(id, standing, "was taken just now")
    }
    const rows = yield* Effect.mapError(Sessions.read(sql, id), unavailable("open"))
    const { events } = yield* Effect.fromResult(parse(LogFile.parse, rows ?? []))
    if (events.length !== lease.nextSeq) {
      // Somebody with force may have come, and gone on, while the rows were read.
      const standing = yield* look("open", id)
      return yield* standing?.epoch === lease.epoch
        ? incomplete(id, lease.nextSeq, events.length)
        : busy(id, standing, "was taken over while it was being opened")
    }
    return { events, writer: yield* writerOf(sql, me, lease, largestRow) }
  })

  const read = Effect.fnUntraced(function* (id: string) {
    const rows = isId(id) ? yield* Effect.mapError(Sessions.read(sql, id), unavailable("read")) : undefined
    if (rows === undefined) return yield* missing(id)
    return (yield* Effect.fromResult(parse(LogFile.view, rows))).events
  })

  return SessionStore.of({
    create: (id) => allOrNothing(create(id)),
    open: (id) => allOrNothing(open(id)),
    read,
    list: Effect.map(Effect.mapError(Sessions.list(sql), unavailable("list")), (found) =>
      found.map((log) => ({ ...log, location: locate(log.id) })),
    ),
    locate,
  })
})

const locate = (id: string): string => `postgres:${id}`

const missing = (id: string) =>
  new SessionNotFound({ id, message: `there is no session ${id} in the database` })

const incomplete = (id: string, owed: number, found: number) =>
  new CorruptLog({
    rule: "log.seq",
    message: `session ${id} has got ${owed} events, and its rows hold ${found}`,
  })

const busy = (id: string, standing: Sessions.Standing | undefined, otherwise: string) => {
  const holder = standing?.holder
  if (standing === undefined || holder === undefined)
    return new SessionBusy({ id, message: `session ${id} ${otherwise}` })
  const time = (millis: number) => new Date(millis).toISOString()
  const who = `process ${holder.pid} on ${holder.host} since ${time(holder.since)}`
  return new SessionBusy({
    id,
    holder,
    message: `session ${id} is held by ${who}; it is free at ${time(standing.expiresAt)}, unless that process gives a sign of life`,
  })
}

const writerOf = (sql: PgClient.PgClient, me: Sessions.Self, lease: Sessions.Held, largestRow: number) => {
  const { id, nextSeq } = lease
  let due = nextSeq
  const write = Effect.fnUntraced(function* (events: ReadonlyArray<SessionEvent>) {
    const rows = LogFile.toRows(events)
    const sizes = rows.map(({ text }) => Buffer.byteLength(text))
    const large = sizes.find((size) => size > largestRow)
    if (large !== undefined) return yield* tooLarge(large, largestRow)
    const sizeBytes = sizes.reduce((sum, size) => sum + size + 1, 0)
    const batch = { rows, count: events.length, sizeBytes }
    const at = { ...lease, nextSeq: due }
    const isWritten = yield* ask(Sessions.append(sql, me, at, batch))
    if (!isWritten) return yield* refused(at, yield* ask(Sessions.look(sql, id)))
    due += events.length
  })
  return LogWriter.make({ nextSeq, write })
}

/** Nobody interrupts a write; when a statement of it is interrupted, the client has been closed. */
const ask = <A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, StoreUnavailable> =>
  Effect.catchCause(statement, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.fail(closed())
    return Effect.mapError(Effect.failCause(cause), unavailable("append"))
  })

const tooLarge = (size: number, limit: number) =>
  new StoreUnavailable({
    operation: "append",
    reason: "EMSGSIZE",
    message: `a row of ${size} bytes could be written and not read again: this client takes ${limit} (maxMessageSize)`,
  })

/** Say why an append found the session other than it had left it. */
const refused = (lease: Sessions.Held, found: Sessions.Standing | undefined) => {
  const { id, epoch, nextSeq } = lease
  if (found?.epoch === epoch) {
    return new StoreUnavailable({
      operation: "append",
      reason: "LOG_CHANGED",
      message: `session ${id} has ${found.nextSeq} events where ${nextSeq} were written: the database has lost or got some`,
    })
  }
  return found === undefined
    ? new StoreUnavailable({ operation: "append", reason: "ENOENT", message: `session ${id} was removed` })
    : new SessionFenced({
        id,
        written: "unknown",
        message: `session ${id} was taken over by another process; the last events are not in its log`,
      })
}

/** The rows are those of a log file, but where they stand in the table is told by their number alone. */
const parse = <E>(
  by: (bytes: Uint8Array) => Result.Result<LogFile.LogFile, E | CorruptLog>,
  rows: ReadonlyArray<string>,
): Result.Result<LogFile.LogFile, E | CorruptLog> =>
  Result.mapError(by(new TextEncoder().encode(rows.map((row) => `${row}\n`).join(""))), (error) =>
    error instanceof CorruptLog
      ? new CorruptLog({
          rule: error.rule,
          message: error.message.replace(/^line (\d+) \(byte \d+\)/, "row $1"),
        })
      : error,
  )
