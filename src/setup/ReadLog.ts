/**
 * From what a person writes for a log to its events.
 *
 * In:  a file, or the id of a session in `--dir`.      Out: its path and its events; what a person should know of them.
 * Fails with: `Unreadable`, `CorruptLog`. A log of a later version is read as far as this one knows it.
 * Not here: judging the events (`check.ts`), showing them (`show.ts`).
 */
import { Effect, FileSystem } from "effect"
import { type SessionEvent, version } from "../event/SessionEvent.ts"
import * as JsonlStore from "../store/JsonlStore.ts"
import * as LogFile from "../store/LogFile.ts"
import { Unreadable, unreadableFile } from "./CliFailure.ts"

/** The file that is meant: the path itself when something is there, else the log of that id. */
export const locateLog = Effect.fnUntraced(function* (name: string, dir: string) {
  const fs = yield* FileSystem.FileSystem
  if (yield* Effect.orElseSucceed(fs.exists(name), () => false)) return name
  const found = yield* Effect.orElseSucceed(JsonlStore.find(dir, name), () => undefined)
  if (found !== undefined) return found.location
  return yield* new Unreadable({
    message: `there is no log ${JSON.stringify(name)}, neither as a file nor as a session in ${dir}`,
  })
})

export const readLog = Effect.fnUntraced(function* (file: string, onRead: LogFile.OnRead) {
  const fs = yield* FileSystem.FileSystem
  const bytes = yield* Effect.mapError(fs.readFile(file), unreadableFile("the log", file))
  const log = yield* Effect.fromResult(LogFile.view(bytes, onRead))
  return {
    events: log.events,
    later: laterVersion(log.version),
    unfinished: unfinished(openTurn(log.events), bytes.length - log.wholeBytes),
  }
})

/** What a person should know who looks at a log of a later version. */
export const laterVersion = (found: number): ReadonlyArray<string> =>
  found > version
    ? [
        `it is of version ${found}, and this program knows version ${version}: what is new in it has a type that begins with ~${found}:`,
      ]
    : []

const openTurn = (events: ReadonlyArray<SessionEvent>): number | undefined => {
  const last = events.findLast(({ type }) => type === "turn/start" || type === "turn/end")
  return last?.type === "turn/start" ? last.data.turn : undefined
}

/** What the end of a log lacks, a line each: a process that still runs or was killed leaves it so, and it is lawful. */
export const unfinished = (turn: number | undefined, unfinishedBytes: number): ReadonlyArray<string> => [
  ...(turn === undefined
    ? []
    : [`turn ${turn} is open: it still runs, or its process died; the next agent goes on with it`]),
  ...(unfinishedBytes > 0
    ? [`the last line is unfinished (${unfinishedBytes} bytes); the next open sets it aside`]
    : []),
]
