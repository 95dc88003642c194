/**
 * Cut an unfinished last line off a log, after it has been put aside for good.
 *
 * In:  the open log, the bytes of the tail, a file name for them.      Out: nothing; the tail is synced under that name.
 * Fails with: `PlatformError`; the log is cut last, so a crash at any point loses nothing.
 */
import { Effect, type FileSystem, type Path, type PlatformError } from "effect"

type Failure = PlatformError.PlatformError

/** Make the names in a directory survive a power loss. */
export const syncDirectory = (fs: FileSystem.FileSystem, directory: string): Effect.Effect<void, Failure> =>
  Effect.scoped(Effect.flatMap(fs.open(directory, { flag: "r" }), (file) => file.sync))

/** Find a name for the tail of a log: `<id>.torn-1`, or the next that is free. */
export const nameTail = Effect.fnUntraced(function* (fs: FileSystem.FileSystem, log: string) {
  const base = log.slice(0, log.lastIndexOf("."))
  let n = 1
  while (yield* fs.exists(`${base}.torn-${n}`)) n++
  return `${base}.torn-${n}`
})

export const cutTail = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  path: Path.Path,
  log: FileSystem.File,
  cut: { readonly wholeBytes: number; readonly tail: Uint8Array; readonly aside: string },
) {
  const keep = Effect.flatMap(fs.open(cut.aside, { flag: "wx", mode: 0o600 }), (file) =>
    Effect.andThen(file.writeAll(cut.tail), file.sync),
  )
  yield* Effect.scoped(keep)
  yield* syncDirectory(fs, path.dirname(cut.aside))
  yield* log.truncate(cut.wholeBytes)
  yield* log.sync
})
