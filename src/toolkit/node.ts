/**
 * What these tools need of Node and Effect has no name for.
 *
 * In:  a pattern, then lines and limits; a path.      Out: which lines match, within a time limit that even a runaway
 * regular expression keeps; a file that was opened without waiting.
 * Fails with: `PlatformError` where a file is refused, as `FileSystem` does.
 * Not here: which files are searched (`SearchText.ts`), what is read of one (`textFile.ts`).
 */
import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { createContext, Script } from "node:vm"
import { Effect, PlatformError, Predicate } from "effect"

/** Indices of lines that match, or `undefined` when time was up. Units of `timeoutMillis`: milliseconds. `most` is how many indices are given. */
export type Matcher = (
  lines: ReadonlyArray<string>,
  most: number,
  timeoutMillis: number,
) => ReadonlyArray<number> | undefined

const script = new Script(`{
  const pattern = new RegExp(source, flags)
  const found = []
  for (let index = 0; index < lines.length && found.length < most; index++) {
    if (pattern.test(lines[index])) found.push(index)
  }
  found.join()
}`)

/**
 * Prepare a pattern without the flags `g` and `y` for many texts.
 *
 * A regular expression can backtrack for ages, and nothing inside the language stops it. A script is ended by another
 * thread when its time is up. The process waits meanwhile, so limits are short.
 */
export const matcher = (pattern: RegExp): Matcher => {
  const globals: Record<string, unknown> = { source: pattern.source, flags: pattern.flags }
  const context = createContext(globals)
  return (lines, most, timeoutMillis) => {
    Object.assign(globals, { lines, most })
    try {
      const found = String(script.runInContext(context, { timeout: timeoutMillis }))
      return found === "" ? [] : found.split(",").map(Number)
    } catch (error) {
      if (Predicate.hasProperty(error, "code") && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
        return undefined
      throw error
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
