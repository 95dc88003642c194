/**
 * Node's file system, with the small calls that wait for no medium made at once: no thread is woken for them.
 *
 * In:  Effect's `FileSystem` of Node.      Out: the same; what is appended to has another `stat` and `writeAll`.
 * Fails with: `PlatformError`, as before: what goes wrong at once is left to the same call by a thread to say.
 * Not here: syncs, which wait for the medium; what opens files, or reads long ones.
 * Source: npm run bench -- jsonl. A call takes 1 to 10 µs of CPU time at once, and 22 to 28 µs and a wake-up by a thread.
 */
import {
  type BigIntStats,
  fstatSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs"
import { dirname } from "node:path"
import { ByteSize, Effect, FileSystem, Layer, Option, PlatformError } from "effect"
import { type Look, lookThrough } from "./Disk.ts"

type Failure = PlatformError.PlatformError

/** Units: bytes. What is longer may take longer than others should wait for. */
const maxDirectBytes = 2 ** 16

/** A call that failed has done nothing; made again it fails again, or does what has become possible meanwhile. */
const atOnce = <A>(call: () => A, byThread: Effect.Effect<A, Failure>): Effect.Effect<A, Failure> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(call())
    } catch {
      return byThread
    }
  })

const nothing = Effect.succeed(undefined)

/**
 * Look at a path at once. Node 24 sees nothing also beneath a file, where a thread fails: either way nothing that was
 * looked for is there.
 */
export const look = (fs: FileSystem.FileSystem): Look => {
  const byThread = lookThrough(fs)
  return (path) => {
    try {
      const stats = statSync(path, { throwIfNoEntry: false })
      if (stats === undefined) return nothing
      const { dev, ino, size: sizeBytes } = stats
      const isExact = Number.isSafeInteger(dev) && Number.isSafeInteger(ino)
      return isExact ? Effect.succeed({ dev, ino, sizeBytes }) : byThread(path)
    } catch {
      return byThread(path)
    }
  }
}

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

/** What is no plain file, or is not there, is left to a thread to tell of. */
const stat = (stats: BigIntStats | undefined): FileSystem.File.Info => {
  if (stats?.isFile() !== true) throw new Error("no plain file")
  return toInfo(stats)
}

/** Node 24 says "no entry" also of what lies beneath a file: known to be missing is what a folder does not hold. */
const exists = (path: string): boolean => {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return true
  if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() !== true) throw new Error("no folder")
  return false
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
    stat: atOnce(() => stat(fstatSync(fd, { bigint: true })), file.stat),
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
  exists: (path) => atOnce(() => exists(path), fs.exists(path)),
  stat: (path) => atOnce(() => stat(statSync(path, { bigint: true, throwIfNoEntry: false })), fs.stat(path)),
  link: (from, to) => atOnce(() => linkSync(from, to), fs.link(from, to)),
  makeDirectory: (path, options) =>
    atOnce(() => void mkdirSync(path, options), fs.makeDirectory(path, options)),
  readDirectory: (path, options) =>
    options?.recursive === true
      ? fs.readDirectory(path, options)
      : atOnce(() => readdirSync(path), fs.readDirectory(path, options)),
  readFileString: (path, encoding) =>
    encoding === undefined
      ? atOnce(() => readFileSync(path, "utf8"), fs.readFileString(path))
      : fs.readFileString(path, encoding),
  readLink: (path) => atOnce(() => readlinkSync(path), fs.readLink(path)),
  remove: (path, options) =>
    options?.recursive === true
      ? fs.remove(path, options)
      : atOnce(() => unlinkSync(path), fs.remove(path, options)),
  open: (path, options) => {
    const opening = fs.open(path, options)
    return isAppending(options?.flag) ? Effect.map(opening, fromFile) : opening
  },
})

export const layer: Layer.Layer<FileSystem.FileSystem, never, FileSystem.FileSystem> = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, fromNode),
)
