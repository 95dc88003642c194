/**
 * Logs as files: one JSONL file a session, all in one directory, and one process at a time that may write to it.
 *
 * In:  numbered events.      Out: `<directory>/<id>.jsonl`, mode 0600, appended to and never rewritten; `<id>.lease/`.
 * Fails with: `SessionBusy` with who holds it; `SessionFenced` when it was taken over; `StoreUnavailable` with the
 * normalised code of the cause. A failed writer refuses everything after it, and a failed open holds nothing.
 * Order: events taken as `accepted` go out with the next stronger append, in one write call.
 * Not here: the lease (`lease/`), going on with a file (`goOn.ts`), its bytes (`LogFile.ts`).
 * Source: PROTOCOL "Rows", "Durability", "Crashes", "One writer"; docs/reference/log-files.md.
 */
import { Effect, FileSystem, Layer, Option, Path, type PlatformError, Result, type Scope } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import * as DirectFiles from "../lease/DirectFiles.ts"
import {
  closingQuietly,
  type Disk,
  lookThrough,
  makeDirectories,
  syncDirectory,
  syncFile,
} from "../lease/Disk.ts"
import { allOrNothing } from "../lease/Hold.ts"
import { holderOf, type Lease } from "../lease/Lease.ts"
import { findLogs, findLogsOf, nameLeases, nameLog } from "./findLog.ts"
import { type Continued, confirmOf, goOnInPlace, goOnWithCopy, type Stored, type Where } from "./goOn.ts"
import * as LogFile from "./LogFile.ts"
import * as LogWriter from "./LogWriter.ts"
import { isId, refuseId, SessionStore } from "./SessionStore.ts"
import { SessionBusy, SessionNotFound, type StoreUnavailable } from "./StoreError.ts"
import { type LeaseOptions, takeLease } from "./takeLease.ts"
import { exists, unavailable } from "./unavailable.ts"

export interface Options extends LeaseOptions {
  /** Made, with its parents, when the first session is created in it. */
  readonly directory: string
  /**
   * `full`, the default: what is told as synced survives a power loss. `os`: it survives the process, not the machine;
   * what it saves is one wait for the medium a message, an unsafe call and a turn.
   */
  readonly sync?: "full" | "os"
  /** Hears how far a log has been read that is opened or looked at. */
  readonly onRead?: LogFile.OnRead
}

const takenOver = (id: string) =>
  new SessionBusy({
    id,
    message: `session ${id} was taken over by another process while it was being opened`,
  })

/** Whoever takes the lease over clears away what we have begun; then that is what is wrong, whatever failed for it. */
const unlessTaken = <A, E, R>(opening: Effect.Effect<A, E, R>, { id }: Where, lease: Lease) =>
  Effect.catch(opening, (error) =>
    Effect.flatMap(
      Effect.orElseSucceed(lease.check, () => "missing" as const),
      (state): Effect.Effect<never, E | SessionBusy> =>
        Effect.fail(state === "taken" ? takenOver(id) : error),
    ),
  )

const isReason = (tag: string) => (error: PlatformError.PlatformError) => error.reason._tag === tag

/** A file that a power loss has left: its length reached the medium, and nothing that was written to it. */
const isBlank = (bytes: Uint8Array): boolean => bytes.length > 0 && bytes.every((byte) => byte === 0)

const blank = (id: string, sizeBytes: number) =>
  new SessionNotFound({
    id,
    message: `session ${id} is lost: its log is nothing but ${sizeBytes} NUL bytes, as a power loss leaves it`,
  })

/** The files of one directory, as far as they are read. */
const filesIn = ({ fs, path }: Pick<Disk, "fs" | "path">, directory: string) => {
  const missing = (id: string) =>
    new SessionNotFound({ id, message: `there is no session ${id} in ${directory}` })
  const names = fs
    .readDirectory(directory)
    .pipe(Effect.catchIf(isReason("NotFound"), () => Effect.succeed<ReadonlyArray<string>>([])))
  const newest = (id: string) => Effect.map(names, (all) => (isId(id) ? findLogsOf(all, id)[0] : undefined))
  /** Whether the first file of a log is there. Most have it, and to look at it costs less than to read the directory. */
  const isBegun = (id: string) =>
    isId(id)
      ? Effect.orElseSucceed(fs.exists(path.join(directory, nameLog(id, 0))), () => false)
      : Effect.succeed(false)
  const load = Effect.fnUntraced(function* (id: string, operation: string) {
    const found = yield* Effect.mapError(newest(id), unavailable(operation))
    if (found === undefined) return yield* missing(id)
    const bytes = yield* fs.readFile(path.join(directory, found.name)).pipe(
      Effect.catchIf(isReason("NotFound"), () => Effect.fail(missing(id))),
      Effect.catchTag("PlatformError", (error) => Effect.fail(unavailable(operation)(error))),
    )
    return { name: found.name, number: found.number, bytes }
  })
  const loadLog = (id: string, operation: string) =>
    Effect.filterOrFail(
      load(id, operation),
      ({ bytes }) => !isBlank(bytes),
      ({ bytes }) => blank(id, bytes.length),
    )
  /** What a creation that broke off before its first event has left, if anything. */
  const leftOver = Effect.fnUntraced(function* (id: string) {
    const stored = yield* Effect.catchTag(load(id, "create"), "SessionNotFound", () =>
      Effect.succeed(undefined),
    )
    if (stored === undefined) return undefined
    const log = LogFile.parse(stored.bytes)
    if (Result.isFailure(log) || log.success.events.length > 0) return yield* exists(id)
    return { ...stored, wholeBytes: log.success.wholeBytes }
  })
  return { names, newest, isBegun, load: loadLog, leftOver, missing }
}

const make = Effect.fnUntraced(function* (options: Options, lookWith = lookThrough) {
  const fs = closingQuietly(yield* FileSystem.FileSystem)
  const path = yield* Path.Path
  const directory = path.resolve(options.directory)
  const disk: Disk = { fs, path, sync: options.sync ?? "full", look: lookWith(fs) }
  const { names, newest, isBegun, load, leftOver, missing } = filesIn(disk, directory)
  const locate = (id: string) => path.join(directory, nameLog(id, 0))
  const leaseOf = (where: Where, syncsParent = false) =>
    takeLease(
      where,
      { ...options, syncsParent },
      Effect.flatMap(newest(where.id), (log) => lastWrite(where, log)),
    )

  const create = Effect.fnUntraced(function* (id: string) {
    if (!isId(id)) return yield* refuseId(id)
    if (yield* isBegun(id)) yield* leftOver(id)
    yield* Effect.mapError(makeDirectories(disk, directory), unavailable("create"))
    const where = { disk, directory, id }
    const lease = yield* leaseOf(where, true)
    const stored = yield* leftOver(id)
    if (stored !== undefined && stored.number > lease.number) return yield* takenOver(id)
    const log: Continued = yield* stored === undefined ? begin(where, locate(id)) : goOn(where, lease, stored)
    // At once for the name of the log and that of its leases.
    yield* Effect.mapError(syncDirectory(disk, directory), unavailable("create"))
    return yield* writerOf(where, lease, log, 0)
  })

  const open = Effect.fnUntraced(function* (id: string) {
    const isThere =
      (yield* isBegun(id)) || (yield* Effect.mapError(newest(id), unavailable("open"))) !== undefined
    if (!isThere) return yield* missing(id)
    const where = { disk, directory, id }
    const lease = yield* leaseOf(where)
    return yield* unlessTaken(openUnder(where, lease), where, lease)
  })

  const openUnder = Effect.fnUntraced(function* (where: Where, lease: Lease) {
    // Read only now: whatever anybody has acknowledged before the lease changed hands is in the file.
    const { name, number, bytes } = yield* load(where.id, "open")
    // Whoever took the lease after us has begun a file of its own, which is not ours to write to.
    if (number > lease.number) return yield* takenOver(where.id)
    const { events, placeOf, wholeBytes } = yield* Effect.fromResult(LogFile.parse(bytes, options.onRead))
    const log: Continued = yield* goOn(where, lease, { name, bytes, wholeBytes })
    const writer = yield* writerOf(where, lease, log, events.length)
    const { location, aside } = log
    return { events, placeOf, writer, location, ...(aside !== undefined && { aside }) }
  })

  return SessionStore.of({
    create: (id) => allOrNothing(create(id)),
    open: (id) => allOrNothing(open(id)),
    read: (id) => read(load(id, "read"), options.onRead),
    list: listLogs(disk, directory, names),
    locate,
  })
})

const begin = Effect.fnUntraced(function* ({ disk, id }: Where, location: string) {
  const file = yield* disk.fs.open(location, { flag: "ax", mode: 0o600 }).pipe(
    Effect.catchIf(isReason("AlreadyExists"), () => Effect.fail(exists(id))),
    Effect.catchTag("PlatformError", (error) => Effect.fail(unavailable("create")(error))),
  )
  return { file, location, prepare: Effect.void, sizeBytes: 0 } satisfies Continued
})

const goOn = (where: Where, lease: Lease, stored: Stored) => {
  const going: Effect.Effect<Continued, GoOnFailure, Scope.Scope> = lease.isAlone
    ? goOnInPlace(where, stored)
    : goOnWithCopy(where, lease, stored)
  return going.pipe(
    Effect.catchTag("SessionFenced", () => Effect.fail(takenOver(where.id))),
    Effect.catchTag("PlatformError", (error) => Effect.fail(unavailable("open")(error))),
  )
}

const writerOf = Effect.fnUntraced(function* (where: Where, lease: Lease, log: Continued, nextSeq: number) {
  const { write, sync, sizeBytes } = writesTo(where.disk, log)
  const confirm = yield* Effect.mapError(confirmOf(where, lease, log, sizeBytes), unavailable("open"))
  yield* lease.prune
  return yield* LogWriter.make({ nextSeq, write, sync, confirm, onFailure: lease.spoil })
})

const writesTo = (disk: Disk, { file, prepare, sizeBytes: before }: Continued) => {
  const encoder = new TextEncoder()
  let sizeBytes = before
  let isPrepared = false
  const write = (events: ReadonlyArray<SessionEvent>) =>
    Effect.suspend(() => {
      const bytes = encoder.encode(LogFile.encode(events))
      sizeBytes += bytes.length
      const writing = Effect.mapError(file.writeAll(bytes), unavailable("write"))
      if (isPrepared) return writing
      isPrepared = true
      return Effect.andThen(Effect.mapError(prepare, unavailable("open")), writing)
    })
  const sync = Effect.mapError(syncFile(disk, file), unavailable("sync"))
  return { write, sync, sizeBytes: () => sizeBytes }
}

type GoOnFailure = Effect.Error<ReturnType<typeof goOnWithCopy>>

/** A writer may cut a torn tail, or go on with a copy, just while we read: then a second look sees a log. */
const read = <E>(load: Effect.Effect<{ readonly bytes: Uint8Array }, E>, onRead?: LogFile.OnRead) => {
  const once = Effect.flatMap(load, ({ bytes }) =>
    Effect.fromResult(Result.map(LogFile.view(bytes, onRead), ({ events }) => events)),
  )
  return Effect.catch(once, () => once)
}

const modifiedAt = (info: FileSystem.File.Info): number =>
  Option.match(info.mtime, { onNone: () => 0, onSome: (date) => date.getTime() })

const lastWrite = ({ disk, directory }: Where, log: { readonly name: string } | undefined) =>
  log === undefined
    ? Effect.succeed(0)
    : Effect.map(disk.fs.stat(disk.path.join(directory, log.name)), modifiedAt)

const listLogs = Effect.fnUntraced(function* (
  { fs, path }: Disk,
  directory: string,
  names: Effect.Effect<ReadonlyArray<string>, PlatformError.PlatformError>,
) {
  const summarise = ({ id, name }: { readonly id: string; readonly name: string }) => {
    const location = path.join(directory, name)
    return Effect.map(fs.stat(location), (info) =>
      info.type === "File"
        ? [{ id, location, updatedAt: modifiedAt(info), sizeBytes: Number(info.size) }]
        : [],
    )
  }
  const logs = newestOfEach(yield* Effect.mapError(names, unavailable("list")))
  // An entry that cannot be looked at is no reason to hide the others.
  const found = yield* Effect.forEach(logs, (log) => Effect.orElseSucceed(summarise(log), () => []), {
    concurrency: 16,
  })
  return found.flat().sort((a, b) => b.updatedAt - a.updatedAt)
})

const newestOfEach = (names: ReadonlyArray<string>) => [
  ...new Map(
    findLogs(names)
      .toReversed()
      .map((log) => [log.id, log]),
  ).values(),
]

/** Those of the names in a directory that are the log of some id. */
export const logsAmong = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  newestOfEach(names).map(({ name }) => name)

/** Where the log of an id lies, and whether somebody has it: then an unfinished last line is in progress. */
export interface Found {
  readonly location: string
  readonly isHeld: boolean
}

/** Find the log of an id without reading it; undefined when there is none. */
export const find = Effect.fnUntraced(function* (
  directory: string,
  id: string,
): Effect.fn.Return<Found | undefined, StoreUnavailable, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const log = yield* Effect.mapError(filesIn({ fs, path }, directory).newest(id), unavailable("find"))
  if (log === undefined) return undefined
  const holder = holderOf(fs, path, path.join(directory, nameLeases(id)))
  const isHeld = (yield* Effect.mapError(holder, unavailable("find"))) !== undefined
  return { location: path.join(directory, log.name), isHeld }
})

/** Keep logs in a directory. */
export const layer = (
  options: Options,
): Layer.Layer<SessionStore, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(SessionStore, make(options))

/**
 * The same for Node's own file system, whose small calls are made at once instead of by a thread: a write costs a
 * seventh of the CPU time. Not for another file system, or one that stands before Node's.
 */
export const layerNode = (
  options: Options,
): Layer.Layer<SessionStore, never, FileSystem.FileSystem | Path.Path> =>
  Layer.provide(Layer.effect(SessionStore, make(options, DirectFiles.look)), DirectFiles.layer)
