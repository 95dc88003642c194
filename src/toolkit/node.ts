/**
 * What these tools need of Node and Effect has no name for.
 *
 * In:  a script; a path.      Out: what the script gives, within a time limit; a file that was opened without waiting.
 * Fails with: `PlatformError` where a file is refused, as `FileSystem` does. A script fails with what it throws.
 * Not here: what is made of either (`matchLines.ts`, `textFile.ts`).
 */
import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { createContext, Script } from "node:vm"
import { Effect, PlatformError, Predicate } from "effect"

/** Run the script once more, with these globals beside the first; `undefined` when time was up. */
export type Run = (more: Readonly<Record<string, unknown>>, timeoutMillis: number) => string | undefined

/** Prepare a script. The process waits while it runs; another thread ends it when its time is up. */
export const prepare = (source: string): ((globals: Readonly<Record<string, unknown>>) => Run) => {
  const script = new Script(source)
  return (first) => {
    const globals = { ...first }
    const context = createContext(globals)
    return (more, timeoutMillis) => {
      Object.assign(globals, more)
      try {
        return String(script.runInContext(context, { timeout: timeoutMillis }))
      } catch (error) {
        if (Predicate.hasProperty(error, "code") && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
          return undefined
        throw error
      }
    }
  }
}

/** A file that is open for reading. */
export interface Opened {
  /** Of the file that was opened, whatever has its name by now. */
  readonly stat: Effect.Effect<
    { readonly isRegular: boolean; readonly mode: number; readonly sizeBytes: number },
    PlatformError.PlatformError
  >
  /** The next bytes; none at the end. */
  readonly read: (atMost: number) => Effect.Effect<Uint8Array, PlatformError.PlatformError>
}

/**
 * Open for reading and never wait: to open a pipe, which can take the place of a file after any check, is to wait for
 * who writes it, and no interruption ends that. A link is not followed. Windows has neither flag, and ignores both.
 */
export const openAtOnce = (absolute: string) =>
  Effect.acquireRelease(
    attempt("open", () => open(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)),
    (handle) => Effect.promise(() => handle.close()),
  ).pipe(Effect.map(opened))

const opened = (handle: FileHandle): Opened => ({
  stat: Effect.map(
    attempt("stat", () => handle.stat()),
    (info) => ({ isRegular: info.isFile(), mode: info.mode, sizeBytes: info.size }),
  ),
  read: (atMost) =>
    Effect.map(
      attempt("read", () => handle.read(new Uint8Array(atMost), 0, atMost)),
      ({ buffer, bytesRead }) => buffer.subarray(0, bytesRead),
    ),
})

const attempt = <A>(method: string, work: () => Promise<A>): Effect.Effect<A, PlatformError.PlatformError> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method, cause }),
  })
