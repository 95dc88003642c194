/**
 * `effect-harness list`: the sessions of a folder, the latest first.
 *
 * In:  `--dir`.      Out: a table on stdout, or one JSON object.
 * Fails with: `StoreUnavailable`.
 * Not here: what is in a session (`show.ts`).
 */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as flags from "../setup/Flags.ts"
import * as JsonlStore from "../store/JsonlStore.ts"
import { type LogSummary, SessionStore } from "../store/SessionStore.ts"
import { writeJson, writeNote, writeResult } from "../terminal/Streams.ts"

export const list = Command.make("list", { dir: flags.dir, json: flags.json }, ({ dir, json }) =>
  Effect.gen(function* () {
    const store = yield* SessionStore
    const sessions = yield* store.list
    if (json) writeJson({ sessions })
    else if (sessions.length === 0) writeNote(`no sessions in ${dir}\n`)
    else writeResult(table(sessions))
  }).pipe(Effect.provide(JsonlStore.layerNode({ directory: dir }))),
).pipe(Command.withDescription("List the sessions"))

const table = (sessions: ReadonlyArray<LogSummary>): string => {
  const width = Math.max("session".length, ...sessions.map(({ id }) => id.length))
  const row = (id: string, updated: string, size: string) =>
    `${id.padEnd(width)}  ${updated.padEnd(20)}  ${size.padStart(10)}\n`
  const rows = sessions.map(({ id, updatedAt, sizeBytes }) =>
    row(id, new Date(updatedAt).toISOString().replace(/\.\d+Z$/, "Z"), `${sizeBytes} B`),
  )
  return [row("session", "updated", "size"), ...rows].join("")
}
