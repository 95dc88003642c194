/**
 * The place where leases and logs lie, and how what is put there survives a power loss.
 *
 * In:  Effect's file system.      Out: `Disk`; directories and names that are synced when a call returns.
 * Fails with: `PlatformError`.
 * Not here: what the files mean (`Lease.ts`, `store/`).
 */
import { Effect, type FileSystem, type Path, type PlatformError } from "effect"

type Failure = PlatformError.PlatformError

export interface Disk {
  readonly fs: FileSystem.FileSystem
  readonly path: Path.Path
  /** `full`: what is told as synced is on the medium. `os`: the operating system has it, and writes it when it likes. */
  readonly sync: "full" | "os"
}

export const syncFile = (disk: Disk, file: FileSystem.File): Effect.Effect<void, Failure> =>
  disk.sync === "full" ? file.sync : Effect.void

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
