/**
 * How the tools of this room can fail: one tag and one code for each thing a model can do about it.
 *
 * In:  nothing.      Out: the errors, and the unions `FileError` and `ToolkitError`.
 * Fails with: nothing. All of them go back to the model; none ends the step.
 * Not here: how a `PlatformError` becomes one of these (`fileError.ts`), timeouts of the pipeline (`tool/ToolError.ts`).
 *
 * Messages are written for the model: what is wrong and what to do next, with paths relative to the workspace.
 */
import { Effect, Schema } from "effect"
import { HarnessError } from "../error/HarnessError.ts"

/** A path inside the workspace, as `Workspace.resolve` makes it. */
export interface Location {
  /** Real, with every link resolved as far as it exists. For the file system only: it names this machine. */
  readonly absolute: string
  /** As the model knows it: relative to the workspace, `/` between names, `.` for the workspace itself. */
  readonly relative: string
}

/** As the model gave it, made relative to the workspace where it lies inside. */
const path = Schema.String

/** The folder given as the workspace is missing, no folder, or reserved itself. Raised when a workspace is made, never by a tool. */
export class WorkspaceUnusable extends HarnessError.extend<WorkspaceUnusable>("WorkspaceUnusable")({
  _tag: Schema.tag("WorkspaceUnusable"),
  root: Schema.String,
}) {
  readonly code = "WORKSPACE_UNUSABLE"
  readonly retry = "never"
}

/** The path leads out of the workspace, by itself or through a link. Nothing was touched. */
export class PathOutsideWorkspace extends HarnessError.extend<PathOutsideWorkspace>("PathOutsideWorkspace")({
  _tag: Schema.tag("PathOutsideWorkspace"),
  path,
}) {
  readonly code = "PATH_OUTSIDE_WORKSPACE"
  readonly retry = "now"
}

/** The path lies in a folder of the workspace that is not for tools, such as that of the session logs. Nothing was touched. */
export class PathReserved extends HarnessError.extend<PathReserved>("PathReserved")({
  _tag: Schema.tag("PathReserved"),
  path,
}) {
  readonly code = "PATH_RESERVED"
  readonly retry = "never"
}

/** The path is longer than a file system takes. `path` is its beginning. */
export class PathTooLong extends HarnessError.extend<PathTooLong>("PathTooLong")({
  _tag: Schema.tag("PathTooLong"),
  path,
}) {
  readonly code = "ENAMETOOLONG"
  readonly retry = "now"
}

/** Nothing is there. The message names the nearest that is. */
export class FileNotFound extends HarnessError.extend<FileNotFound>("FileNotFound")({
  _tag: Schema.tag("FileNotFound"),
  path,
}) {
  readonly code = "ENOENT"
  readonly retry = "now"
}

/** It is there, but this process may not do that with it. */
export class FileForbidden extends HarnessError.extend<FileForbidden>("FileForbidden")({
  _tag: Schema.tag("FileForbidden"),
  path,
}) {
  readonly code = "EACCES"
  readonly retry = "never"
}

/** A file was wanted, a folder is there. */
export class PathIsFolder extends HarnessError.extend<PathIsFolder>("PathIsFolder")({
  _tag: Schema.tag("PathIsFolder"),
  path,
}) {
  readonly code = "EISDIR"
  readonly retry = "now"
}

/** A folder was wanted, or a part of the path has to be one, and a file is there. */
export class PathNotFolder extends HarnessError.extend<PathNotFolder>("PathNotFolder")({
  _tag: Schema.tag("PathNotFolder"),
  path,
}) {
  readonly code = "ENOTDIR"
  readonly retry = "now"
}

/** A device, a pipe or a socket: reading it might never end. */
export class FileNotRegular extends HarnessError.extend<FileNotRegular>("FileNotRegular")({
  _tag: Schema.tag("FileNotRegular"),
  path,
}) {
  readonly code = "FILE_NOT_REGULAR"
  readonly retry = "never"
}

/** The file holds NUL bytes or is no UTF-8. */
export class FileNotText extends HarnessError.extend<FileNotText>("FileNotText")({
  _tag: Schema.tag("FileNotText"),
  path,
}) {
  readonly code = "FILE_NOT_TEXT"
  readonly retry = "never"
}

/** The file is larger than a tool will hold in memory. */
export class FileTooLarge extends HarnessError.extend<FileTooLarge>("FileTooLarge")({
  _tag: Schema.tag("FileTooLarge"),
  path,
  sizeBytes: Schema.Finite,
  limitBytes: Schema.Finite,
}) {
  readonly code = "FILE_TOO_LARGE"
  readonly retry = "now"
}

/** Any other refusal of the file system; `code` is its errno (ENOSPC, EROFS, ELOOP …). */
export class FileSystemFailed extends HarnessError.extend<FileSystemFailed>("FileSystemFailed")({
  _tag: Schema.tag("FileSystemFailed"),
  path,
  code: Schema.String,
}) {
  readonly retry = "later"
}

/** The lines that were asked for are not in the file. */
export class LineOutOfRange extends HarnessError.extend<LineOutOfRange>("LineOutOfRange")({
  _tag: Schema.tag("LineOutOfRange"),
  path,
  lines: Schema.Int,
}) {
  readonly code = "LINE_OUT_OF_RANGE"
  readonly retry = "now"
}

/** A number of the arguments is smaller or larger than the tool takes. */
export class ArgumentOutOfRange extends HarnessError.extend<ArgumentOutOfRange>("ArgumentOutOfRange")({
  _tag: Schema.tag("ArgumentOutOfRange"),
  argument: Schema.String,
}) {
  readonly code = "ARGUMENT_OUT_OF_RANGE"
  readonly retry = "now"
}

/** Refuse a number outside the range, ends included, rather than change what the model sent. */
export const checkRange = (
  argument: string,
  value: number,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): Effect.Effect<void, ArgumentOutOfRange> => {
  if (value >= least && value <= most) return Effect.void
  const range = most === Number.MAX_SAFE_INTEGER ? `at least ${least}` : `between ${least} and ${most}`
  const message = `${argument} must be ${range}, got ${value}.`
  return Effect.fail(new ArgumentOutOfRange({ argument, message }))
}

/** The text of an argument holds half of a surrogate pair, which no UTF-8 file can hold. Nothing was touched. */
export class TextNotWellFormed extends HarnessError.extend<TextNotWellFormed>("TextNotWellFormed")({
  _tag: Schema.tag("TextNotWellFormed"),
  argument: Schema.String,
}) {
  readonly code = "TEXT_NOT_WELL_FORMED"
  readonly retry = "now"
}

/** Refuse half a character: written, it would become U+FFFD; searched for, it would match inside of another. */
export const checkText = (argument: string, text: string): Effect.Effect<void, TextNotWellFormed> => {
  if (text.isWellFormed()) return Effect.void
  const message = `${argument} holds half of a surrogate pair (a lone \\uD800-\\uDFFF). Write the whole character.`
  return Effect.fail(new TextNotWellFormed({ argument, message }))
}

/** The text to replace is not in the file. */
export class EditNotFound extends HarnessError.extend<EditNotFound>("EditNotFound")({
  _tag: Schema.tag("EditNotFound"),
  path,
}) {
  readonly code = "EDIT_NOT_FOUND"
  readonly retry = "now"
}

/** The text to replace is in the file more than once. */
export class EditAmbiguous extends HarnessError.extend<EditAmbiguous>("EditAmbiguous")({
  _tag: Schema.tag("EditAmbiguous"),
  path,
  /** The first line of each occurrence, from 1; of the first eleven at most. They may overlap. */
  lines: Schema.Array(Schema.Int),
}) {
  readonly code = "EDIT_AMBIGUOUS"
  readonly retry = "now"
}

/** The new text is the old text, or there is no old text. */
export class EditWithoutEffect extends HarnessError.extend<EditWithoutEffect>("EditWithoutEffect")({
  _tag: Schema.tag("EditWithoutEffect"),
  path,
}) {
  readonly code = "EDIT_WITHOUT_EFFECT"
  readonly retry = "now"
}

/** The search pattern is empty, too long or no regular expression. */
export class PatternInvalid extends HarnessError.extend<PatternInvalid>("PatternInvalid")({
  _tag: Schema.tag("PatternInvalid"),
  pattern: Schema.String,
}) {
  readonly code = "PATTERN_INVALID"
  readonly retry = "now"
}

/** The regular expression backtracks for too long on a line of the file. */
export class PatternTooSlow extends HarnessError.extend<PatternTooSlow>("PatternTooSlow")({
  _tag: Schema.tag("PatternTooSlow"),
  pattern: Schema.String,
  path,
}) {
  readonly code = "PATTERN_TOO_SLOW"
  readonly retry = "now"
}

/** The command ran longer than it may; it and all it started have been killed. The message ends with its output. */
export class CommandTimedOut extends HarnessError.extend<CommandTimedOut>("CommandTimedOut")({
  _tag: Schema.tag("CommandTimedOut"),
  timeoutMillis: Schema.Finite,
}) {
  readonly code = "COMMAND_TIMED_OUT"
  readonly retry = "later"
}

/** The program could not be started at all. */
export class CommandNotStarted extends HarnessError.extend<CommandNotStarted>("CommandNotStarted")({
  _tag: Schema.tag("CommandNotStarted"),
}) {
  readonly code = "COMMAND_NOT_STARTED"
  readonly retry = "now"
}

/** What resolving and touching a path can fail with. */
export const FileError = Schema.Union([
  PathOutsideWorkspace,
  PathReserved,
  PathTooLong,
  FileNotFound,
  FileForbidden,
  PathIsFolder,
  PathNotFolder,
  FileNotRegular,
  FileNotText,
  FileTooLarge,
  FileSystemFailed,
])
export type FileError = typeof FileError.Type

/** Everything that a tool of this room can fail with, to match on by tag, and to cross a process with. */
export const ToolkitError = Schema.Union([
  ...FileError.members,
  LineOutOfRange,
  ArgumentOutOfRange,
  TextNotWellFormed,
  EditNotFound,
  EditAmbiguous,
  EditWithoutEffect,
  PatternInvalid,
  PatternTooSlow,
  CommandTimedOut,
  CommandNotStarted,
])
export type ToolkitError = typeof ToolkitError.Type
