/**
 * The place where leases and logs lie, and how what is put there survives a power loss.
 *
 * In:  Effect's file system.      Out: `Disk`; directories and names that are synced when a call returns.
 * Fails with: `PlatformError`.
 * Not here: what the files mean (`Lease.ts`, `store/`).
 */
import { Effect, Exit, type FileSystem, type Path, type PlatformError, Scope } from "effect"

type Failure = PlatformError.PlatformError

export interface Disk {
  readonly fs: FileSystem.FileSystem
  readonly path: Path.Path
  /** `full`: what is told as synced is on the medium. `os`: the operating system has it, and writes it when it likes. */
  readonly sync: "full" | "os"
}

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
export const makeDirectories = Effect.fnUntraced(function* ({ fs, path, ...rest }: Disk, directory: string) {
  const missing: Array<string> = []
  for (let at = directory; !(yield* fs.exists(at)); at = path.dirname(at)) {
    missing.push(at)
    if (path.dirname(at) === at) break
  }
  if (missing.length === 0) return
  yield* fs.makeDirectory(directory, { recursive: true })
  const parents = new Set(missing.map((made) => path.dirname(made)))
  yield* Effect.forEach(parents, (parent) => syncDirectory({ fs, path, ...rest }, parent), { discard: true })
})
