/**
 * Logs in a Postgres database. Wants the optional peer `@effect/sql-pg`.
 *
 * Out: public modules as namespaces.
 */
export * as PostgresStore from "./store/PostgresStore.ts"
