/**
 * The one folder that the tools of a session may touch.
 *
 * In:  a root folder, and what of it is reserved; then paths as a model writes them.      Out: `Location`: the real path to use, and the relative one to show.
 * Fails with: `WorkspaceUnusable` when made; `PathOutsideWorkspace`, `PathReserved` or what the file system says (`FileError`) for a path.
 * Not here: reading and writing (`textFile.ts`), who may call which tool (`tool/`).
 *
 * Limits: a path is checked, then used. A program that swaps a *folder* of the checked path for a link in between can lead
 * a tool out; swapping the file itself cannot, because files are opened without following links and written by rename.
 * `run_command` is confined by the operating system's rights alone: the workspace is only where it starts.
 */
import { Context, Effect, FileSystem, Layer, Path, PlatformError, Semaphore } from "effect"
import * as Beginning from "../error/Beginning.ts"
import { errnoOf, mapFileError } from "./fileError.ts"
import {
  type FileError,
  type Location,
  PathOutsideWorkspace,
  PathReserved,
  PathTooLong,
  WorkspaceUnusable,
} from "./ToolkitError.ts"

export class Workspace extends Context.Service<
  Workspace,
  {
    /** Real path of the folder. */
    readonly root: string
    /** Confine a path of the model; the file itself need not exist. */
    readonly resolve: (path: string) => Effect.Effect<Location, FileError>
    /** Tell of a real path whether it is a reserved folder or lies in one. */
    readonly isReserved: (absolute: string) => boolean
    /** Run a change of files alone: two edits of one session never read the same text and lose one. */
    readonly exclusively: <A, E, R>(change: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("effect-harness/toolkit/Workspace") {}

/** Units: UTF-16 code units. What Linux takes at most; each name of a path costs a look at the disk. */
export const maxPathLength = 4096

/** Links followed by hand behind one another, as Linux does. */
const maxLinks = 40

export interface Options {
  /**
   * Folders that no tool on files may look into or change, such as that of the session logs. They need not exist; one
   * outside of the workspace does nothing. A command can still reach them.
   */
  readonly reserved?: ReadonlyArray<string>
}

/**
 * Open a folder as a workspace.
 *
 * Errors: `WorkspaceUnusable` when it is missing, unreadable, no folder, or reserved as a whole.
 */
export const make = Effect.fnUntraced(function* (root: string, options: Options = {}) {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const unusable = (why: string) => new WorkspaceUnusable({ root, message: `The workspace ${root} ${why}.` })
  const real = yield* Effect.mapError(fs.realPath(paths.resolve(root)), (error) =>
    unusable(errnoOf(error) === "ENOENT" ? "does not exist" : `cannot be opened (${errnoOf(error)})`),
  )
  const info = yield* Effect.mapError(fs.stat(real), (error) =>
    unusable(`cannot be read (${errnoOf(error)})`),
  )
  if (info.type !== "Directory") return yield* unusable("is not a folder")
  const folders = yield* Effect.forEach(options.reserved ?? [], (folder) =>
    Effect.mapError(canonical(paths.resolve(folder), maxLinks), (error) =>
      unusable(`has a reserved folder that cannot be followed (${errnoOf(error)})`),
    ),
  )
  const reserved = folders.map(fold).filter((folder) => isInside(paths, fold(real), folder))
  if (reserved.includes(fold(real))) {
    return yield* unusable("is reserved as a whole, as for session logs; keep those in a folder of their own")
  }
  const isReserved = (absolute: string) => reserved.some((folder) => isInside(paths, folder, fold(absolute)))
  const lock = yield* Semaphore.make(1)
  return Workspace.of({
    root: real,
    resolve: (path) => Effect.provideContext(resolveIn({ root: real, isReserved }, path), context),
    isReserved,
    exclusively: lock.withPermits(1),
  })
})

/** Provide the workspace. */
export const layer = (
  root: string,
  options: Options = {},
): Layer.Layer<Workspace, WorkspaceUnusable, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(Workspace, make(root, options))

interface Bounds {
  readonly root: string
  readonly isReserved: (absolute: string) => boolean
}

const resolveIn = Effect.fnUntraced(function* ({ root, isReserved }: Bounds, path: string) {
  const paths = yield* Path.Path
  const outside = () =>
    new PathOutsideWorkspace({
      path,
      message: `${JSON.stringify(path)} is outside the workspace. Use a path relative to the workspace that stays inside it.`,
    })
  if (path.length > maxPathLength) {
    const message = `The path has ${path.length} characters; at most ${maxPathLength} are allowed. Use a shorter one.`
    return yield* new PathTooLong({ path: Beginning.of(path, 100), message })
  }
  if (path.includes("\0")) return yield* outside()
  const lexical = paths.resolve(root, path)
  if (!isInside(paths, root, lexical)) return yield* outside()
  const shown = { absolute: lexical, relative: relativeTo(paths, root, lexical) }
  const absolute = yield* mapFileError(shown)(canonical(lexical, maxLinks))
  if (!isInside(paths, root, absolute)) return yield* outside()
  if (isReserved(absolute)) {
    const message = `${shown.relative} is reserved for the program that runs you. Do not retry; use another path.`
    return yield* new PathReserved({ path: shown.relative, message })
  }
  return { absolute, relative: shown.relative }
})

/**
 * The real path; where it cannot be followed to its end, the real path of the deepest part that can, and the rest.
 *
 * Why it cannot does not matter here: whether the rest is missing or forbidden is told only of what lies inside.
 */
const canonical = (
  path: string,
  links: number,
): Effect.Effect<string, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const real = yield* Effect.option(fs.realPath(path))
    if (real._tag === "Some") return real.value
    const parent = paths.dirname(path)
    if (parent === path) return path
    const realParent = yield* canonical(parent, links)
    const here = paths.join(realParent, paths.basename(path))
    const target = yield* Effect.option(fs.readLink(here))
    if (target._tag === "None") return here
    if (links === 0) return yield* tooManyLinks
    return yield* canonical(paths.resolve(realParent, target.value), links - 1)
  })

const tooManyLinks = PlatformError.systemError({
  _tag: "BadResource",
  module: "FileSystem",
  method: "realPath",
  cause: { code: "ELOOP" },
})

const relativeTo = (paths: Path.Path, root: string, path: string): string =>
  paths.relative(root, path).split(paths.sep).join("/") || "."

/** Where a disk takes names that differ in case for one, a real path keeps the case that was asked for. */
const fold = (path: string): string => path.normalize("NFC").toLowerCase()

const isInside = (paths: Path.Path, root: string, path: string): boolean => {
  const relative = paths.relative(root, path)
  return relative !== ".." && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative)
}
