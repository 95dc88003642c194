/**
 * Logs as files: one JSONL file a session, all in one directory.
 *
 * In:  numbered events.      Out: `<directory>/<id>.jsonl`, mode 0600, appended to and never rewritten.
 * Fails with: `StoreUnavailable` with the normalised code of the cause; a failed writer refuses everything after it.
 * Order: events taken as `accepted` go out with the next stronger append, in one write call.
 * Not here: keeping other processes out; within this process a second open is `SessionBusy`.
 * Source: PROTOCOL "Rows", "Durability", "Crashes".
 */
import { Effect, FileSystem, Layer, Option, Path, type PlatformError, type Scope } from "effect"
import { cutTail, nameTail, syncDirectory } from "./cutTail.ts"
import * as LogFile from "./LogFile.ts"
import { type LogSummary, SessionStore } from "./SessionStore.ts"
import { SessionBusy, SessionNotFound, StoreUnavailable } from "./StoreError.ts"
import { unavailable } from "./unavailable.ts"
import { makeWriter } from "./writeFile.ts"

export interface Options {
  /** Made, with its parents, when the first session is created in it. */
  readonly directory: string
}

/** What an id may look like: one path segment, on every file system, never hidden. */
export const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

const extension = ".jsonl"

/** The files that this process holds open, by path: a process is one writer, however many stores it makes. */
const held = new Set<string>()

const busy = (id: string) => new SessionBusy({ id, message: `session ${id} is open already` })
const taken = (id: string) => new SessionBusy({ id, message: `session ${id} exists already` })
const missing = (id: string, where: string) =>
  new SessionNotFound({ id, message: `there is no session ${id} in ${where}` })

const isReason = (tag: string) => (error: PlatformError.PlatformError) => error.reason._tag === tag

const hold = (id: string, file: string): Effect.Effect<void, SessionBusy, Scope.Scope> => {
  const take = Effect.suspend(() => {
    if (held.has(file)) return Effect.fail(busy(id))
    held.add(file)
    return Effect.void
  })
  return Effect.acquireRelease(take, () => Effect.sync(() => held.delete(file)))
}

const make = Effect.fnUntraced(function* (options: Options) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = path.resolve(options.directory)
  const locate = (id: string) => path.join(directory, `${encodeURIComponent(id)}${extension}`)

  const create: SessionStore["Service"]["create"] = Effect.fnUntraced(function* (id) {
    if (!idPattern.test(id)) return yield* refuseId(id)
    const location = locate(id)
    yield* hold(id, location)
    yield* fs.makeDirectory(directory, { recursive: true }).pipe(Effect.mapError(unavailable("create")))
    const file = yield* fs.open(location, { flag: "ax", mode: 0o600 }).pipe(
      Effect.catchIf(isReason("AlreadyExists"), () => Effect.fail(taken(id))),
      Effect.catchTag("PlatformError", (error) => Effect.fail(unavailable("create")(error))),
    )
    yield* Effect.mapError(syncDirectory(fs, directory), unavailable("create"))
    return yield* makeWriter(file, 0)
  })

  const load = Effect.fnUntraced(function* (id: string) {
    if (!idPattern.test(id)) return yield* missing(id, directory)
    const bytes = yield* fs.readFile(locate(id)).pipe(
      Effect.catchIf(isReason("NotFound"), () => Effect.fail(missing(id, directory))),
      Effect.catchTag("PlatformError", (error) => Effect.fail(unavailable("read")(error))),
    )
    return { bytes, log: yield* Effect.fromResult(LogFile.parse(bytes)) }
  })

  const open: SessionStore["Service"]["open"] = Effect.fnUntraced(function* (id) {
    const location = locate(id)
    yield* hold(id, location)
    const { bytes, log } = yield* load(id)
    const { events, placeOf, wholeBytes } = log
    const file = yield* Effect.mapError(fs.open(location, { flag: "a" }), unavailable("open"))
    if (wholeBytes === bytes.length)
      return { events, placeOf, writer: yield* makeWriter(file, events.length) }
    // The log itself stays as it is until something is appended: what is only looked at is not changed.
    const aside = yield* Effect.mapError(nameTail(fs, location), unavailable("open"))
    const cut = cutTail(fs, path, file, { wholeBytes, tail: bytes.subarray(wholeBytes), aside })
    const writer = yield* makeWriter(file, events.length, Effect.mapError(cut, unavailable("open")))
    return { events, placeOf, writer, aside: path.basename(aside) }
  })

  const read: SessionStore["Service"]["read"] = (id) => Effect.map(load(id), ({ log }) => log.events)

  return SessionStore.of({ create, open, read, list: listLogs(fs, path, directory), locate })
})

const isLog = (name: string) => name.endsWith(extension) && idPattern.test(name.slice(0, -extension.length))

const listLogs = Effect.fnUntraced(function* (fs: FileSystem.FileSystem, path: Path.Path, directory: string) {
  const names = yield* fs.readDirectory(directory).pipe(
    Effect.catchIf(isReason("NotFound"), () => Effect.succeed([])),
    Effect.mapError(unavailable("list")),
  )
  const summarise = (name: string) => {
    const location = path.join(directory, name)
    return Effect.map(fs.stat(location), (info): ReadonlyArray<LogSummary> => {
      if (info.type !== "File") return []
      const updatedAt = Option.match(info.mtime, { onNone: () => 0, onSome: (date) => date.getTime() })
      return [{ id: name.slice(0, -extension.length), location, updatedAt, sizeBytes: Number(info.size) }]
    })
  }
  // An entry that cannot be looked at is no reason to hide the others.
  const found = yield* Effect.forEach(
    names.filter(isLog),
    (name) => Effect.orElseSucceed(summarise(name), () => []),
    { concurrency: 16 },
  )
  return found.flat().sort((a, b) => b.updatedAt - a.updatedAt)
})

const refuseId = (id: string) =>
  new StoreUnavailable({
    operation: "create",
    reason: "EINVAL",
    message: `a session id has 1 to 128 letters, digits, ".", "_", "-" and begins with a letter or digit: ${JSON.stringify(id)}`,
  })

/** Keep logs in a directory. */
export const layer = (
  options: Options,
): Layer.Layer<SessionStore, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(SessionStore, make(options))
