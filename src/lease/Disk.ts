/**
 * The place where leases and logs lie, and how what is put there survives a power loss.
 *
 * In:  Effect's file system.      Out: `Disk`; directories and names that are synced when a call returns.
 * Fails with: `PlatformError`.
 * Not here: what the files mean (`Lease.ts`, `store/`), the disk of Node, which is quicker (`DirectFiles.ts`).
 */
import { Effect, Exit, type FileSystem, Option, type Path, type PlatformError, Scope } from "effect"

type Failure = PlatformError.PlatformError

export interface Disk {
  readonly fs: FileSystem.FileSystem
  readonly path: Path.Path
  /** `full`: what is told as synced is on the medium. `os`: the operating system has it, and writes it when it likes. */
  readonly sync: "full" | "os"
  readonly look: Look
}

/** See what is at a path; undefined when nothing is. */
export type Look = (path: string) => Effect.Effect<Sight | undefined, Failure>

/** A file, as far as one has to see it to know it again. */
export interface Sight {
  /** Numbers where these are exact, else bigints: each is equal to itself only. */
  readonly dev: number | bigint
  readonly ino: number | bigint | undefined
  readonly sizeBytes: number
}

const exact = (value: bigint): number | bigint =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value

export const toSight = ({ dev, ino, size }: FileSystem.File.Info): Sight => ({
  dev: exact(dev),
  ino: Option.getOrUndefined(Option.map(ino, exact)),
  sizeBytes: Number(size),
})

/** Whether two looks saw one file, whatever its name. */
export const isSameFile = (one: Sight, other: Sight): boolean =>
  one.dev === other.dev && one.ino === other.ino

const isNotFound = (error: Failure) => error.reason._tag === "NotFound"

/** Look through any file system. */
export const lookThrough =
  (fs: FileSystem.FileSystem): Look =>
  (path) =>
    Effect.catchIf(Effect.map(fs.stat(path), toSight), isNotFound, () => Effect.succeed(undefined))

export const syncFile = (disk: Disk, file: FileSystem.File): Effect.Effect<void, Failure> =>
  disk.sync === "full" ? file.sync : Effect.void

/**
 * A file system whose files are closed without a word. Effect tells of a failed close by a defect; whatever was
 * acknowledged of such a file was synced before, or written and looked at again.
 */
export const closingQuietly = (fs: FileSystem.FileSystem): FileSystem.FileSystem => ({
  ...fs,
  open: (path, options) =>
    Effect.acquireRelease(
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        return { scope, file: yield* Scope.provide(fs.open(path, options), scope) }
      }),
      ({ scope }) => Effect.exit(Scope.close(scope, Exit.void)),
    ).pipe(Effect.map(({ file }) => file)),
})

/** Make the names in a directory survive a power loss. Windows does so by itself and has no call for it. */
export const syncDirectory = (disk: Disk, directory: string): Effect.Effect<void, Failure> =>
  disk.sync === "os" || process.platform === "win32"
    ? Effect.void
    : Effect.scoped(Effect.flatMap(disk.fs.open(directory, { flag: "r" }), (file) => file.sync))

/** Make a directory with its parents, and sync the parent of each that was missing. */
export const makeDirectories = Effect.fnUntraced(function* (disk: Disk, directory: string) {
  const { fs, path } = disk
  const missing: Array<string> = []
  for (let at = directory; !(yield* fs.exists(at)); at = path.dirname(at)) {
    missing.push(at)
    if (path.dirname(at) === at) break
  }
  if (missing.length === 0) return
  yield* fs.makeDirectory(directory, { recursive: true })
  const parents = new Set(missing.map((made) => path.dirname(made)))
  yield* Effect.forEach(parents, (parent) => syncDirectory(disk, parent), { discard: true })
})
