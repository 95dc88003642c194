/**
 * A file system in which one call fails: the test of everything that a disk can do to a store.
 *
 * In:  a real file system, which call fails, and how.      Out: the same file system, and the calls that were made.
 * Source: how SQLite tests itself, https://sqlite.org/testing.html ("I/O Error Testing").
 */
import { Effect, type FileSystem, PlatformError } from "effect"

/**
 * A code: the call does nothing and fails with it. `short`: it writes a half of its bytes and fails for want of space.
 * `late`: it is done, and fails all the same.
 */
export type Kind = "EIO" | "ENOSPC" | "EINTR" | "short" | "late"

export interface Fault {
  /** Counted from 0. */
  readonly call: number
  readonly kind: Kind
}

const failure = (method: string, code: string) =>
  PlatformError.systemError({
    _tag: "Unknown",
    module: "FileSystem",
    method,
    cause: Object.assign(new Error(`${code}: injected`), { code }),
  })

type Failure = PlatformError.PlatformError

export const faulty = (
  fs: FileSystem.FileSystem,
  fault: Fault | undefined,
  calls: Array<string>,
): FileSystem.FileSystem => {
  const step = <A, R>(
    method: string,
    path: string,
    real: Effect.Effect<A, Failure, R>,
    half: Effect.Effect<unknown, Failure> = Effect.void,
  ): Effect.Effect<A, Failure, R> =>
    Effect.suspend(() => {
      const isHit = calls.length === fault?.call
      calls.push(`${method} ${path}`)
      if (!isHit) return real
      if (fault.kind === "short") return Effect.andThen(half, Effect.fail(failure(method, "ENOSPC")))
      if (fault.kind === "late") return Effect.andThen(real, Effect.fail(failure(method, "EIO")))
      return Effect.fail(failure(method, fault.kind))
    })

  const wrap = (file: FileSystem.File, path: string): FileSystem.File => {
    const faultyParts: Partial<FileSystem.File> = {
      stat: step("fstat", path, file.stat),
      sync: step("sync", path, file.sync),
      truncate: (length) => step("truncate", path, file.truncate(length)),
      writeAll: (bytes) =>
        step(
          "write",
          path,
          file.writeAll(bytes),
          file.writeAll(bytes.subarray(0, Math.floor(bytes.length / 2))),
        ),
    }
    return new Proxy(file, {
      get: (target, key) => Reflect.get(faultyParts, key) ?? Reflect.get(target, key),
    })
  }

  return {
    ...fs,
    exists: (path) => step("exists", path, fs.exists(path)),
    link: (from, to) => step("link", to, fs.link(from, to)),
    makeDirectory: (path, options) => step("mkdir", path, fs.makeDirectory(path, options)),
    open: (path, options) =>
      step("open", path, fs.open(path, options)).pipe(
        Effect.map((file) => wrap(file, path)),
        // Effect's own close cannot fail but by a defect, and neither can this one, which comes just before it.
        Effect.tap(() => Effect.addFinalizer(() => Effect.orDie(step("close", path, Effect.void)))),
      ),
    readDirectory: (path, options) => step("readdir", path, fs.readDirectory(path, options)),
    readFile: (path) => step("read", path, fs.readFile(path)),
    readFileString: (path, encoding) => step("read", path, fs.readFileString(path, encoding)),
    readLink: (path) => step("readlink", path, fs.readLink(path)),
    remove: (path, options) => step("unlink", path, fs.remove(path, options)),
    stat: (path) => step("stat", path, fs.stat(path)),
  }
}

/** What can happen to a call. What only looks has no effect that a failure could come after. */
export const kindsOf = (call: string): ReadonlyArray<Kind> => {
  const [method = ""] = call.split(" ")
  if (method === "write") return ["EIO", "ENOSPC", "EINTR", "short", "late"]
  const looks = ["exists", "fstat", "stat", "read", "readdir", "readlink"]
  return looks.includes(method) ? ["EIO", "EINTR"] : ["EIO", "ENOSPC", "EINTR", "late"]
}
