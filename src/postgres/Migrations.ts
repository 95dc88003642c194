/**
 * The tables of sessions and their logs, and how they come to be.
 *
 * In:  a client.      Out: a database that has them, in the version of this package.
 * Fails with: `SqlError`; `LaterSchema` when a later version of this package has been here.
 * Order: one transaction, one process at a time; what is there already is left alone, and then no right to change it is
 * needed.
 * Not here: what is written into them (`Sessions.ts`).
 */
import { Data, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** The tables are of a later version than this package knows; it must not write to them. */
export class LaterSchema extends Data.TaggedError("LaterSchema")<{
  readonly found: number
  readonly known: number
  readonly message: string
}> {}

/** Number n is step n - 1. A step that was released is never changed: what comes later is a step more. */
const steps: ReadonlyArray<ReadonlyArray<string>> = [
  [
    `create table effect_harness_session (
      id text primary key,
      epoch bigint not null,
      next_seq bigint not null,
      size_bytes bigint not null,
      updated_at timestamptz not null,
      holder uuid,
      host text,
      pid integer,
      since timestamptz,
      expires_at timestamptz
    )`,
    `create table effect_harness_event (
      session text not null references effect_harness_session (id) on delete cascade,
      seq bigint not null,
      row json not null,
      primary key (session, seq)
    )`,
  ],
]

/** The number of the last step. */
export const version = steps.length

/** Bring the tables to this version. Doing it again does nothing. */
export const migrate = (sql: SqlClient): Effect.Effect<void, SqlError | LaterSchema> =>
  Effect.flatMap(versionOf(sql), (found): Effect.Effect<void, SqlError | LaterSchema> => {
    if (found > version) return Effect.fail(laterThan(found))
    return found === version ? Effect.void : stepUp(sql)
  })

const stepUp = (sql: SqlClient) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`select pg_advisory_xact_lock(hashtext('effect_harness_migration'))::text`
      yield* sql`create table if not exists effect_harness_migration (version integer primary key, at timestamptz not null)`
      const found = yield* versionOf(sql)
      for (const [index, step] of steps.entries()) {
        if (index < found) continue
        for (const statement of step) yield* sql.unsafe(statement)
        yield* sql`insert into effect_harness_migration values (${index + 1}, clock_timestamp())`
      }
    }),
  )

const laterThan = (found: number) =>
  new LaterSchema({
    found,
    known: version,
    message: `the tables are of version ${found}; this program knows version ${version}`,
  })

/** 0 before the first step. */
const versionOf = Effect.fnUntraced(function* (sql: SqlClient) {
  const [table] = yield* sql<{ readonly isThere: boolean }>`
    select to_regclass('effect_harness_migration') is not null as "isThere"`
  if (table?.isThere !== true) return 0
  const [latest] = yield* sql<{ readonly version: number }>`
    select coalesce(max(version), 0) as version from effect_harness_migration`
  return latest?.version ?? 0
})
