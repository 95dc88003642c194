/**
 * How a command ends other than well, and the exit code that says so.
 *
 * In:  any failure of a command.      Out: one line for stderr and an exit code.
 * Not here: flags that do not parse (`effect/cli` reports those; exit code 2).
 */
import { Data } from "effect"
import * as Foreign from "../error/Foreign.ts"
import { isHarnessError } from "../error/HarnessError.ts"

/**
 * 0 done · 1 the turn failed or was aborted, or a log is unlawful · 2 wrong usage · 3 a file or session cannot be read.
 * A program that a signal ended has that signal's code (`signals.ts`).
 */
export type ExitCode = 0 | 1 | 2 | 3

/** What was asked for makes no sense; the line says what is allowed. */
export class WrongUsage extends Data.TaggedError("WrongUsage")<{ readonly message: string }> {}

/** A file, a folder or a module cannot be read. */
export class Unreadable extends Data.TaggedError("Unreadable")<{ readonly message: string }> {}

/** The command did its work and the answer is no; all about it has been printed. */
export class Unsuccessful extends Data.TaggedError("Unsuccessful") {}

/** The command did its work on what it could read; what it could not read has been named. */
export class PartlyUnread extends Data.TaggedError("PartlyUnread") {}

/** Say which file cannot be read, and why in one code. */
export const unreadableFile =
  (what: string, file: string) =>
  (error: unknown): Unreadable =>
    new Unreadable({
      message: `${what} ${JSON.stringify(file)} cannot be read: ${Foreign.normalise(error).code}`,
    })

const exitCodes: { readonly [code: string]: ExitCode } = {
  SESSION_NOT_FOUND: 3,
  SESSION_BUSY: 3,
  CORRUPT_LOG: 3,
  UNSUPPORTED_LOG_VERSION: 3,
  STORE_UNAVAILABLE: 3,
  WORKSPACE_UNUSABLE: 3,
  FORK_REFUSED: 2,
  SCRIPT_INVALID: 2,
  PROVIDER_UNKNOWN: 2,
  PROVIDER_NOT_CONFIGURED: 2,
  PROVIDER_NOT_INSTALLED: 2,
}

/** What a person can do about a failure at the command line, beside what its message says. */
const hints: { readonly [code: string]: ReadonlyArray<string> } = {
  SESSION_BUSY: ["resume --force takes it from that process"],
}

export interface Description {
  /** For a person; empty when all has been said. */
  readonly line: string
  /** For a program. */
  readonly code: string
  readonly exitCode: ExitCode
}

/** Say a failure in one line, one code and one exit code. */
export const describe = (failure: unknown): Description => {
  if (failure instanceof Unsuccessful) return { line: "", code: "UNSUCCESSFUL", exitCode: 1 }
  if (failure instanceof PartlyUnread) return { line: "", code: "UNREADABLE", exitCode: 3 }
  if (failure instanceof WrongUsage) return { line: failure.message, code: "WRONG_USAGE", exitCode: 2 }
  if (failure instanceof Unreadable) return { line: failure.message, code: "UNREADABLE", exitCode: 3 }
  const { code, message } = isHarnessError(failure) ? failure : Foreign.normalise(failure)
  return {
    line: [`${code}: ${message}`, ...(hints[code] ?? [])].join("; "),
    code,
    exitCode: exitCodes[code] ?? 1,
  }
}
