/**
 * What is asked of the tables: each function is one statement, and so one transaction.
 *
 * In:  ids, rows of JSON.      Out: leases by epoch, rows.
 * Fails with: `SqlError`.
 * Order: an append and a takeover meet at the row of the session. Whichever comes second sees what the first has done:
 * an append under an old epoch changes nothing.
 * Not here: the tables (`Migrations.ts`), what a row says, and what to tell when nothing was changed (`store/`).
 * Source: docs/adr/0017. Only the clock of the database counts; whole numbers leave it as float8, for as bigint they
 * come in the shape that the client is configured for.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

type Ask<A> = Effect.Effect<A, SqlError>

/** Who takes sessions here, and for how long without a sign of life. */
export interface Self {
  /** Drawn anew by each store, as a UUID. */
  readonly holder: string
  readonly host: string
  readonly pid: number
  readonly leaseMillis: number
}

/** The right to write: as long as no higher epoch has been given. */
export interface Held {
  readonly id: string
  readonly epoch: number
  /** The seq that is due. */
  readonly nextSeq: number
}

/** What is known of a session beside its rows. Units: times in epoch milliseconds. */
export interface Standing {
  readonly epoch: number
  readonly nextSeq: number
  /** Missing when nobody has it. */
  readonly holder: { readonly host: string; readonly pid: number; readonly since: number } | undefined
  readonly expiresAt: number
}

interface LeaseRow {
  readonly epoch: number
  readonly nextSeq: number
}

const heldBy =
  (id: string) =>
  ([row]: ReadonlyArray<LeaseRow>): Held | undefined =>
    row === undefined ? undefined : { id, epoch: row.epoch, nextSeq: row.nextSeq }

/** Begin a session and hold it. One without events counts as not begun; undefined when it has some, or is held. */
export const begin = (sql: SqlClient, me: Self, id: string): Ask<Held | undefined> =>
  Effect.map(
    sql<LeaseRow>`
      insert into effect_harness_session as s
        (id, epoch, next_seq, size_bytes, updated_at, holder, host, pid, since, expires_at)
      values (${id}, 1, 0, 0, clock_timestamp(), ${me.holder}::uuid, ${me.host}, ${me.pid}::int, clock_timestamp(),
        clock_timestamp() + ${me.leaseMillis}::float8 * interval '1 millisecond')
      on conflict (id) do update set epoch = s.epoch + 1, holder = excluded.holder, host = excluded.host,
        pid = excluded.pid, since = excluded.since, expires_at = excluded.expires_at
      where s.next_seq = 0 and (s.holder is null or s.expires_at <= clock_timestamp())
      returning epoch::float8 as "epoch", next_seq::float8 as "nextSeq"`,
    heldBy(id),
  )

/** Hold a session that nobody has, or whose holder gave no sign of life for its time; with `force` from any other. */
export const take = (sql: SqlClient, me: Self, id: string, force: boolean): Ask<Held | undefined> =>
  Effect.map(
    sql<LeaseRow>`
      update effect_harness_session set epoch = epoch + 1, holder = ${me.holder}::uuid, host = ${me.host},
        pid = ${me.pid}::int, since = clock_timestamp(),
        expires_at = clock_timestamp() + ${me.leaseMillis}::float8 * interval '1 millisecond'
      where id = ${id} and (holder is null or expires_at <= clock_timestamp()
        or (${force}::boolean and holder <> ${me.holder}::uuid))
      returning epoch::float8 as "epoch", next_seq::float8 as "nextSeq"`,
    heldBy(id),
  )

/** Let a session go; nothing happens when somebody else has it by now. */
export const release = (sql: SqlClient, { id, epoch }: Held): Ask<void> =>
  Effect.asVoid(sql`
    update effect_harness_session
    set holder = null, host = null, pid = null, since = null, expires_at = null
    where id = ${id} and epoch = ${epoch}::int8`)

/** Give a sign of life for sessions that are held here. */
export const keep = (sql: SqlClient, me: Self, ids: ReadonlyArray<string>): Ask<void> =>
  Effect.asVoid(sql`
    update effect_harness_session
    set expires_at = clock_timestamp() + ${me.leaseMillis}::float8 * interval '1 millisecond'
    where id = any(${ids}::text[]) and holder = ${me.holder}::uuid`)

/** What is appended at once: rows that stand for `count` events from the seq that is due. */
export interface Batch {
  /** `text` is JSON, and stands for all events from `seq` to the next row. */
  readonly rows: ReadonlyArray<{ readonly seq: number; readonly text: string }>
  readonly count: number
  readonly sizeBytes: number
}

/** Append rows if the epoch is still ours and nothing is missing before them; false when nothing was written. */
export const append = (sql: SqlClient, me: Self, held: Held, batch: Batch): Ask<boolean> =>
  Effect.map(
    sql<{ readonly isOurs: boolean }>`
      with held as (
        update effect_harness_session
        set next_seq = next_seq + ${batch.count}::int8, size_bytes = size_bytes + ${batch.sizeBytes}::int8,
          updated_at = clock_timestamp(),
          expires_at = clock_timestamp() + ${me.leaseMillis}::float8 * interval '1 millisecond'
        where id = ${held.id} and epoch = ${held.epoch}::int8 and next_seq = ${held.nextSeq}::int8
        returning id
      ), written as (
        insert into effect_harness_event (session, seq, row)
        select held.id, batch.seq, batch.row::json from held, unnest(
          ${batch.rows.map(({ seq }) => seq)}::int8[], ${batch.rows.map(({ text }) => text)}::text[]
        ) as batch (seq, row)
      )
      select exists (select from held) as "isOurs"`,
    ([row]) => row?.isOurs === true,
  )

/** Say who has a session and how far it is; undefined when there is none. */
export const look = (sql: SqlClient, id: string): Ask<Standing | undefined> =>
  Effect.map(
    sql<
      LeaseRow & { host: string | null; pid: number | null; since: number | null; expiresAt: number | null }
    >`
      select epoch::float8 as "epoch", next_seq::float8 as "nextSeq", host, pid,
        floor(extract(epoch from since) * 1000)::float8 as "since",
        floor(extract(epoch from expires_at) * 1000)::float8 as "expiresAt"
      from effect_harness_session where id = ${id}`,
    ([row]) => {
      if (row === undefined) return undefined
      const { epoch, nextSeq, host, pid, since, expiresAt } = row
      const holder = host === null || pid === null || since === null ? undefined : { host, pid, since }
      return { epoch, nextSeq, holder, expiresAt: expiresAt ?? 0 }
    },
  )

/** The rows of a session in the order of their seqs, as they were written; undefined when there is none. */
export const read = (sql: SqlClient, id: string): Ask<ReadonlyArray<string> | undefined> =>
  Effect.map(
    sql<{ readonly row: string | null }>`
      select e.row::text as "row" from effect_harness_session s
      left join effect_harness_event e on e.session = s.id
      where s.id = ${id} order by e.seq`,
    (found) => (found.length === 0 ? undefined : found.flatMap(({ row }) => row ?? [])),
  )

/** All sessions, the latest first. Units: `updatedAt` in epoch milliseconds. */
export const list = (sql: SqlClient) =>
  sql<{ readonly id: string; readonly updatedAt: number; readonly sizeBytes: number }>`
    select id, floor(extract(epoch from updated_at) * 1000)::float8 as "updatedAt",
      size_bytes::float8 as "sizeBytes"
    from effect_harness_session order by updated_at desc, id`
