/**
 * Open what is only appended to, or a folder in order to sync it, without a thread; close it in the same way.
 *
 * In:  a path, and how to open it.      Out: a `File` that cannot be read; undefined for all that is left to a thread.
 * Fails with: `PlatformError` by each call on the file. What cannot be opened is left to a thread to say.
 * Not here: the other calls (`DirectFiles.ts`). Syncs and long writes are made by a thread: they wait for the medium.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  ftruncate,
  type NoParamCallback,
  openSync,
  write as writeByThread,
  writeSync,
} from "node:fs"
import { Effect, FileSystem, PlatformError, type Scope } from "effect"
import { toInfo } from "./toInfo.ts"

type Failure = PlatformError.PlatformError

/** Units: bytes. What is longer may take longer than others should wait for. */
const maxDirectBytes = 2 ** 16

type Options = NonNullable<Parameters<FileSystem.FileSystem["open"]>[1]>

export const openAtOnce = (
  path: string,
  { flag = "r", mode, noFollow = false }: Options = {},
): Effect.Effect<FileSystem.File | undefined, never, Scope.Scope> => {
  const flags = noFollow ? undefined : flagsOf(flag)
  if (flags === undefined) return Effect.succeed(undefined)
  const opening = Effect.sync(() => {
    try {
      return openSync(path, flags, mode)
    } catch {
      return undefined
    }
  })
  const close = (fd: number | undefined) =>
    Effect.sync(() => {
      if (fd !== undefined) closeSync(fd)
    })
  return Effect.map(Effect.acquireRelease(opening, close), (fd) =>
    fd === undefined ? undefined : fromFd(fd),
  )
}

/** A file that is opened for reading is none of ours: for a folder only this succeeds. Windows has no such flag. */
const flagsOf = (flag: FileSystem.OpenFlag): number | string | undefined => {
  if (flag === "a" || flag === "ax") return flag
  return flag === "r" && process.platform !== "win32" ? constants.O_RDONLY | constants.O_DIRECTORY : undefined
}

const fromFd = (fd: number): FileSystem.File => {
  const failure = (method: string, cause: unknown): Failure =>
    PlatformError.systemError({
      _tag: "Unknown",
      module: "FileSystem",
      method,
      pathOrDescriptor: fd,
      cause,
    })
  const byThread = (method: string, call: (done: NoParamCallback) => void): Effect.Effect<void, Failure> =>
    Effect.callback((resume) =>
      call((cause) => resume(cause === null ? Effect.void : Effect.fail(failure(method, cause)))),
    )
  const unreadable = (method: string) =>
    Effect.fail(failure(method, new Error("it was opened without the right to read")))
  const writeLong = (bytes: Uint8Array): Effect.Effect<number, Failure> =>
    Effect.callback((resume) =>
      writeByThread(fd, bytes, (cause, written) =>
        resume(cause === null ? Effect.succeed(written) : Effect.fail(failure("write", cause))),
      ),
    )
  const write = (bytes: Uint8Array): Effect.Effect<number, Failure> => {
    if (bytes.length > maxDirectBytes) return writeLong(bytes)
    try {
      return Effect.succeed(writeSync(fd, bytes))
    } catch (cause) {
      return Effect.fail(failure("write", cause))
    }
  }
  /** A write that fails is not tried again; one that is short goes on. */
  const writeAll = (bytes: Uint8Array): Effect.Effect<void, Failure> =>
    Effect.flatMap(write(bytes), (written) => {
      if (written === bytes.length) return Effect.void
      return written === 0
        ? Effect.fail(failure("writeAll", new Error("nothing was written")))
        : writeAll(bytes.subarray(written))
    })
  return {
    [FileSystem.FileTypeId]: FileSystem.FileTypeId,
    stat: Effect.suspend(() => {
      try {
        return Effect.succeed(toInfo(fstatSync(fd, { bigint: true })))
      } catch (cause) {
        return Effect.fail(failure("stat", cause))
      }
    }),
    sync: byThread("sync", (done) => fsync(fd, done)),
    truncate: (length = 0) => byThread("truncate", (done) => ftruncate(fd, length, done)),
    seek: () => unreadable("seek"),
    read: () => unreadable("read"),
    readAlloc: () => unreadable("readAlloc"),
    write: (bytes) => Effect.suspend(() => write(bytes)),
    writeAll: (bytes) => Effect.suspend(() => writeAll(bytes)),
  }
}
