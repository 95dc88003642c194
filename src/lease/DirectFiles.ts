/**
 * Node's file system, with the small calls that wait for no medium made at once: no thread is woken for them.
 *
 * In:  Effect's `FileSystem` of Node.      Out: the same; what is opened to be appended to, and a folder, cannot be read.
 * Fails with: `PlatformError`, as before: what goes wrong at once is left to the same call by a thread to say.
 * Not here: files that are opened (`openAtOnce.ts`); syncs and what reads long files, which wait for the medium.
 * Source: npm run bench -- jsonl. A call takes 1 to 10 µs of CPU time at once, and 22 to 28 µs and a wake-up by a thread.
 */
import {
  type BigIntStats,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  unlinkSync,
} from "node:fs"
import { dirname } from "node:path"
import { Effect, FileSystem, Layer, type PlatformError } from "effect"
import { type Look, lookThrough } from "./Disk.ts"
import { openAtOnce } from "./openAtOnce.ts"
import { toInfo } from "./toInfo.ts"

type Failure = PlatformError.PlatformError

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
  open: (path, options) =>
    Effect.flatMap(openAtOnce(path, options), (file) =>
      file === undefined ? fs.open(path, options) : Effect.succeed(file),
    ),
})

export const layer: Layer.Layer<FileSystem.FileSystem, never, FileSystem.FileSystem> = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, fromNode),
)
