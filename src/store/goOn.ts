/**
 * Go on with the file of a log: with the same one when nobody else can write to it any more, else with a copy.
 *
 * In:  a lease, the newest file and its bytes.      Out: an open file that ends after its last whole line, or will
 * before the first append; `confirm`, which says after a write that it counts.
 * Fails with: `PlatformError`; `confirm` with `SessionFenced` or `StoreUnavailable`.
 * Source: PROTOCOL "One writer". Nothing is renamed onto a name that somebody else may use.
 */
import { Effect, type FileSystem, type PlatformError } from "effect"
import { type Disk, isSameFile, type Sight, syncDirectory, syncFile, toSight } from "../lease/Disk.ts"
import type { Lease } from "../lease/Lease.ts"
import { findLogsOf, nameLeases, nameLog } from "./findLog.ts"
import { SessionFenced, StoreUnavailable } from "./StoreError.ts"
import { unavailable } from "./unavailable.ts"

type Failure = PlatformError.PlatformError

/** Where one session lies. */
export interface Where {
  readonly disk: Disk
  readonly directory: string
  readonly id: string
}

export interface Stored {
  readonly name: string
  readonly bytes: Uint8Array
  readonly wholeBytes: number
}

export interface Continued {
  readonly file: FileSystem.File
  readonly location: string
  /** Name of the file that holds, or will hold, the unfinished last line. */
  readonly aside?: string
  /** What is to be done before the first append. */
  readonly prepare: Effect.Effect<void, Failure>
  /** How long the file is after that. */
  readonly sizeBytes: number
}

/**
 * The log itself stays as it is until something is appended: what is only looked at is not changed. It is synced, since
 * the process that wrote it may have died before it could, and this one tells of what it reads.
 */
export const goOnInPlace = Effect.fnUntraced(function* ({ disk, directory, id }: Where, stored: Stored) {
  const location = disk.path.join(directory, stored.name)
  const file = yield* disk.fs.open(location, { flag: "a" })
  yield* syncFile(disk, file)
  const bytes = stored.bytes.subarray(stored.wholeBytes)
  const sizeBytes = stored.wholeBytes
  if (bytes.length === 0) return { file, location, prepare: Effect.void, sizeBytes } satisfies Continued
  const aside = yield* nameTail(disk, directory, id)
  const prepare = cutTail(disk, file, stored.wholeBytes, { bytes, aside })
  return { file, location, aside: disk.path.basename(aside), prepare, sizeBytes } satisfies Continued
})

/** Copy the whole lines to a file with the number of the lease. The file before stays; those before that one go. */
export const goOnWithCopy = Effect.fnUntraced(function* (where: Where, lease: Lease, stored: Stored) {
  const { disk, directory, id } = where
  const { fs, path } = disk
  const bytes = stored.bytes.subarray(stored.wholeBytes)
  const aside = bytes.length === 0 ? undefined : yield* nameTail(disk, directory, id)
  if (aside !== undefined) yield* keepTail(disk, { bytes, aside })
  const draft = path.join(directory, nameLeases(id), `${lease.number}.${globalThis.crypto.randomUUID()}`)
  const location = path.join(directory, nameLog(id, lease.number))
  const file = yield* fs.open(draft, { flag: "ax", mode: 0o600 })
  const publish = Effect.gen(function* () {
    yield* file.writeAll(stored.bytes.subarray(0, stored.wholeBytes))
    yield* syncFile(disk, file)
    if ((yield* lease.check) !== "mine") return yield* fenced(id)
    yield* fs.link(draft, location)
  })
  yield* Effect.ensuring(publish, Effect.ignore(fs.remove(draft, { force: true })))
  yield* syncDirectory(disk, directory)
  yield* Effect.ignore(removeOlder(where, stored.name))
  const done = { file, location, prepare: Effect.void, sizeBytes: stored.wholeBytes }
  return aside === undefined ? done : { ...done, aside: path.basename(aside) }
})

const removeOlder = Effect.fnUntraced(function* ({ disk, directory, id }: Where, kept: string) {
  const logs = findLogsOf(yield* disk.fs.readDirectory(directory), id)
  const place = logs.findIndex((log) => log.name === kept)
  const older = place === -1 ? [] : logs.slice(place + 1)
  for (const { name } of older) yield* disk.fs.remove(disk.path.join(directory, name), { force: true })
})

const fenced = (id: string) =>
  new SessionFenced({
    id,
    written: "unknown",
    message: `session ${id} was taken over by another process; whether the last events are in its log is not known here: open it again to see`,
  })

/**
 * Made once a file is open; run after every write and sync, before anybody hears of it. A file that is shorter or longer
 * than what was written to it was changed by somebody else, and what was written may not be read back.
 */
export const confirmOf = Effect.fnUntraced(function* (
  { disk: { look }, id }: Where,
  lease: Lease,
  { file, location }: Pick<Continued, "file" | "location">,
  sizeBytes: () => number,
): Effect.fn.Return<Effect.Effect<void, Unconfirmed>, Failure> {
  const mine = toSight(yield* file.stat)
  const judge = (state: LeaseState, found: Sight | undefined): Effect.Effect<void, Unconfirmed> => {
    if (state === "taken") return Effect.fail(fenced(id))
    if (found === undefined || !isSameFile(found, mine)) return Effect.fail(displaced(location))
    if (state === "missing") return Effect.fail(fenced(id))
    return found.sizeBytes === sizeBytes()
      ? Effect.void
      : Effect.fail(changed(location, found.sizeBytes, sizeBytes()))
  }
  const uncheckable = unavailable("check")
  return Effect.flatMap(Effect.mapError(lease.check, uncheckable), (state) =>
    Effect.flatMap(Effect.mapError(look(location), uncheckable), (found) => judge(state, found)),
  )
})

type LeaseState = Effect.Success<Lease["check"]>
type Unconfirmed = StoreUnavailable | SessionFenced

const displaced = (location: string) =>
  new StoreUnavailable({
    operation: "check",
    reason: "ENOENT",
    message: `${location} was removed, moved or replaced while the session was open`,
  })

const changed = (location: string, found: number, owed: number) =>
  new StoreUnavailable({
    operation: "check",
    reason: "CHANGED",
    message: `${location} was changed by somebody else while the session was open: it has ${found} bytes where ${owed} were written`,
  })

/** What a log has after its last line feed, and the file into which it goes. */
interface Tail {
  readonly bytes: Uint8Array
  readonly aside: string
}

/** Find a name for the tail of a log: `<id>.torn-1`, or the next that is free. */
const nameTail = Effect.fnUntraced(function* ({ fs, path }: Disk, directory: string, id: string) {
  const nameOf = (n: number) => path.join(directory, `${id}.torn-${n}`)
  let n = 1
  while (yield* fs.exists(nameOf(n))) n++
  return nameOf(n)
})

/** Keep the bytes of a tail in a file of their own. */
const keepTail = Effect.fnUntraced(function* (disk: Disk, { bytes, aside }: Tail) {
  const keep = Effect.flatMap(disk.fs.open(aside, { flag: "wx", mode: 0o600 }), (file) =>
    Effect.andThen(file.writeAll(bytes), syncFile(disk, file)),
  )
  yield* Effect.scoped(keep)
  yield* syncDirectory(disk, disk.path.dirname(aside))
})

const cutTail = Effect.fnUntraced(function* (
  disk: Disk,
  log: FileSystem.File,
  wholeBytes: number,
  tail: Tail,
) {
  yield* keepTail(disk, tail)
  yield* log.truncate(wholeBytes)
  yield* syncFile(disk, log)
})
