/**
 * Node's file system, with the small calls that wait for no medium made at once: no thread is woken for them.
 *
 * In:  Effect's `FileSystem` of Node.      Out: the same, with another `stat` and `exists`, and another `writeAll` of what is appended to.
 * Fails with: `PlatformError`, as before.
 * Not here: syncs, which wait for the medium; whatever is done once a session.
 * Source: npm run bench -- jsonl. A call takes 2 to 10 µs of CPU time at once, and 22 to 28 µs and a wake-up by a thread.
 */
import { type BigIntStats, statSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { ByteSize, Effect, FileSystem, Layer, Option, PlatformError } from "effect"

type Failure = PlatformError.PlatformError

/** Units: bytes. What is longer may take longer than others should wait for. */
const maxDirectBytes = 2 ** 16

const missing = (path: string): Effect.Effect<never, Failure> =>
  Effect.fail(
    PlatformError.systemError({
      _tag: "NotFound",
      module: "FileSystem",
      method: "stat",
      syscall: "stat",
      pathOrDescriptor: path,
    }),
  )

const toInfo = (stats: BigIntStats): FileSystem.File.Info => ({
  type: "File",
  mtime: Option.some(stats.mtime),
  atime: Option.some(stats.atime),
  birthtime: Option.some(stats.birthtime),
  // Node reads unsigned numbers as signed ones.
  dev: BigInt.asUintN(64, stats.dev),
  ino: Option.some(BigInt.asUintN(64, stats.ino)),
  rdev: Option.some(BigInt.asUintN(64, stats.rdev)),
  mode: Number(stats.mode),
  nlink: Option.some(BigInt.asUintN(64, stats.nlink)),
  uid: Option.some(Number(stats.uid)),
  gid: Option.some(Number(stats.gid)),
  size: ByteSize.bytes(stats.size),
  blksize: Option.some(ByteSize.bytes(stats.blksize)),
  blocks: Option.some(stats.blocks),
})

/** Node 24 says "no entry" also of what lies beneath a file: known to be missing is what a folder does not hold. */
const folderLacks = (path: string): boolean =>
  statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === true

/** What is no plain file, and whatever goes wrong, is left to the same call by a thread to say. */
const look = (fs: FileSystem.FileSystem, path: string): Effect.Effect<FileSystem.File.Info, Failure> => {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (stats === undefined) return folderLacks(path) ? missing(path) : fs.stat(path)
    return stats.isFile() ? Effect.succeed(toInfo(stats)) : fs.stat(path)
  } catch {
    return fs.stat(path)
  }
}

/** Most often asked for what is not there, and then no error is made only to be thrown away. */
const exists = (fs: FileSystem.FileSystem, path: string): Effect.Effect<boolean, Failure> => {
  try {
    const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined
    return isThere || folderLacks(path) ? Effect.succeed(isThere) : fs.exists(path)
  } catch {
    return fs.exists(path)
  }
}

/** A write that fails is not tried again; one that is short goes on as the file's own does. */
const write = (file: FileSystem.File, fd: number, bytes: Uint8Array): Effect.Effect<void, Failure> => {
  if (bytes.length > maxDirectBytes) return file.writeAll(bytes)
  try {
    const written = writeSync(fd, bytes)
    return written === bytes.length ? Effect.void : file.writeAll(bytes.subarray(written))
  } catch (cause) {
    return Effect.fail(
      PlatformError.systemError({
        _tag: "Unknown",
        module: "FileSystem",
        method: "writeAll",
        syscall: "write",
        pathOrDescriptor: fd,
        cause,
      }),
    )
  }
}

/** Effect does not tell the descriptor of a file; Node's has it all the same. A file without one is left as it is. */
const fromFile = (file: FileSystem.File): FileSystem.File => {
  const fd = "fd" in file ? file.fd : undefined
  if (typeof fd !== "number") return file
  return {
    [FileSystem.FileTypeId]: FileSystem.FileTypeId,
    stat: file.stat,
    sync: file.sync,
    seek: (offset, from) => file.seek(offset, from),
    read: (buffer, options) => file.read(buffer, options),
    readAlloc: (size, options) => file.readAlloc(size, options),
    truncate: (length) => file.truncate(length),
    write: (bytes) => file.write(bytes),
    writeAll: (bytes) => Effect.suspend(() => write(file, fd, bytes)),
  }
}

const isAppending = (flag: FileSystem.OpenFlag | undefined): boolean => flag?.startsWith("a") === true

/** Make the small calls of Node's file system at once. For no other: what it opens may not be what Node sees. */
export const fromNode = (fs: FileSystem.FileSystem): FileSystem.FileSystem => ({
  ...fs,
  exists: (path) => Effect.suspend(() => exists(fs, path)),
  stat: (path) => Effect.suspend(() => look(fs, path)),
  open: (path, options) => {
    const opening = fs.open(path, options)
    return isAppending(options?.flag) ? Effect.map(opening, fromFile) : opening
  },
})

export const layer: Layer.Layer<FileSystem.FileSystem, never, FileSystem.FileSystem> = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, fromNode),
)
