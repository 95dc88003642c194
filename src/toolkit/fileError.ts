/**
 * Turn what the file system said into an error that a model can act on.
 *
 * In:  a `PlatformError`, the real path and the path as the model knows it.      Out: one of `FileError`.
 * Not here: what lies outside the workspace (`Workspace.ts`).
 */
import { Effect, FileSystem, Path, type PlatformError } from "effect"
import * as Foreign from "../error/Foreign.ts"
import * as Nearest from "../text/Nearest.ts"
import {
  type FileError,
  FileForbidden,
  FileNotFound,
  FileSystemFailed,
  type Location,
  PathIsFolder,
  PathNotFolder,
  PathTooLong,
} from "./ToolkitError.ts"

/** A folder larger than this is not searched for names like the missing one. */
const namesCompared = 2000

/** The errno behind the error. */
export const errnoOf = (error: PlatformError.PlatformError): string => Foreign.normalise(error).code

/** Give every `PlatformError` of an effect on one path its own tag. */
export const mapFileError =
  (at: Location) =>
  <A, R>(
    effect: Effect.Effect<A, FileError | PlatformError.PlatformError, R>,
  ): Effect.Effect<A, FileError, R | FileSystem.FileSystem | Path.Path> =>
    Effect.catchTag(effect, "PlatformError", (error) => Effect.flatMap(fromPlatform(error, at), Effect.fail))

const fromPlatform = (
  error: PlatformError.PlatformError,
  at: Location,
): Effect.Effect<FileError, never, FileSystem.FileSystem | Path.Path> => {
  const path = at.relative
  const code = errnoOf(error)
  switch (code) {
    case "ENOENT":
      return notFound(at)
    case "EACCES":
    case "EPERM":
      return Effect.succeed(
        new FileForbidden({
          path,
          message: `Permission denied: ${path}. Do not retry; ask for access or use another file.`,
        }),
      )
    case "ENAMETOOLONG":
      return Effect.succeed(
        new PathTooLong({
          path,
          message: `A name of the path is longer than the file system takes. Use a shorter one.`,
        }),
      )
    case "EISDIR":
      return Effect.succeed(isFolder(path))
    case "ENOTDIR":
      return Effect.succeed(
        new PathNotFolder({
          path,
          message: `${path} is not a folder, or a part of it is a file. Use list_files on its parent to see what is there.`,
        }),
      )
    default:
      return Effect.succeed(
        new FileSystemFailed({
          path,
          code,
          cause: error,
          message: `The file system refused ${path} with ${code}.`,
        }),
      )
  }
}

/** Say that a file was wanted where a folder is. */
export const isFolder = (path: string): PathIsFolder =>
  new PathIsFolder({ path, message: `${path} is a folder, not a file. Use list_files to see what it holds.` })

/** Say that nothing is there, and what is nearest. */
const notFound = Effect.fnUntraced(function* (at: Location) {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  let folder = paths.dirname(at.absolute)
  let missing = paths.basename(at.absolute)
  let shown = paths.dirname(at.relative)
  while (shown !== "." && !(yield* Effect.orElseSucceed(fs.exists(folder), () => false))) {
    missing = paths.basename(folder)
    folder = paths.dirname(folder)
    shown = paths.dirname(shown)
  }
  const names = yield* Effect.orElseSucceed(fs.readDirectory(folder), (): Array<string> => [])
  const near = Nearest.nearest(missing, names.slice(0, namesCompared)).map((name) =>
    shown === "." ? name : `${shown}/${name}`,
  )
  const hint =
    near.length === 0
      ? "Use list_files to see what is there."
      : `Nearest: ${near.map((name) => `"${name}"`).join(", ")}.`
  return new FileNotFound({ path: at.relative, message: `No such file: ${at.relative}. ${hint}` })
})
