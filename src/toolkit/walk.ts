/**
 * Visit the files below a folder of the workspace, without ever following a link.
 *
 * In:  a folder, a glob, the folders to skip.      Out: matching files, sorted, and whether the walk gave up early.
 * Fails with: `FileError` for the folder itself; folders below it that cannot be read are left out and counted.
 * Reserved folders are never walked into.
 * Not here: what is done with the files.
 *
 * `FileSystem.glob` is not used: a pattern with `..` or the name of a link would lead it out of the workspace, and
 * it has no limit.
 */
import { Effect, FileSystem, Glob, Path } from "effect"
import { mapFileError } from "./fileError.ts"
import type { Location } from "./ToolkitError.ts"
import { Workspace } from "./Workspace.ts"

/** Entries looked at before a walk gives up. */
export const maxEntriesVisited = 50_000

/** Not walked into, unless the pattern or the folder names them. The last holds our own logs and large outputs. */
export const skippedFolders: ReadonlyArray<string> = [".git", "node_modules", ".effect-harness"]

/** `isRegular` is false for links, devices and the like: they are listed, never opened. */
export interface Found extends Location {
  readonly isRegular: boolean
}

export interface Walk {
  readonly files: ReadonlyArray<Found>
  /** True when `maxEntriesVisited` was reached: there may be more. */
  readonly isPartial: boolean
  /** How many folders below could not be read. */
  readonly unreadable: number
}

/**
 * Match files by glob. A pattern without `/` is matched against names at any depth, as in a .gitignore file; one with
 * `/` against the path below the folder. Names that start with `.` are matched as others are.
 */
export const walk = Effect.fnUntraced(function* (folder: Location, pattern: string) {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const { isReserved } = yield* Workspace
  const matches = compile(pattern)
  const named = new Set([...pattern.split("/"), ...folder.relative.split("/")])
  const skipped = new Set(skippedFolders.filter((name) => !named.has(name)))
  const files: Array<Found> = []
  const pending: Array<{ readonly at: Location; readonly below: string }> = [{ at: folder, below: "" }]
  let visited = 0
  let unreadable = 0
  for (let next = pending.pop(); next !== undefined && visited < maxEntriesVisited; next = pending.pop()) {
    const { at, below } = next
    const listing = fs.readDirectoryEntries(at.absolute)
    const entries = yield* below === ""
      ? mapFileError(at)(listing)
      : Effect.orElseSucceed(listing, () => undefined)
    if (entries === undefined) {
      unreadable++
      continue
    }
    for (const { name, type: listed } of entries) {
      visited++
      const path = below + name
      const child = {
        absolute: paths.join(at.absolute, name),
        relative: folder.relative === "." ? path : `${folder.relative}/${path}`,
      }
      const type = listed === "Unknown" ? yield* kindOf(child.absolute) : listed
      if (type !== "Directory") {
        if (matches(path)) files.push({ ...child, isRegular: type === "File" })
      } else if (!skipped.has(name) && !isReserved(child.absolute)) {
        pending.push({ at: child, below: `${path}/` })
      }
    }
  }
  files.sort((left, right) => (left.relative < right.relative ? -1 : 1))
  return { files, isPartial: visited >= maxEntriesVisited, unreadable } satisfies Walk
})

/** What to say of folders that could not be read. */
export const noticeOf = ({ unreadable }: Pick<Walk, "unreadable">): ReadonlyArray<string> =>
  unreadable === 0
    ? []
    : [
        `[${unreadable} ${unreadable === 1 ? "folder" : "folders"} could not be read and ${unreadable === 1 ? "is" : "are"} left out.]`,
      ]

/** Ask for one entry what some file systems do not tell for all. */
const kindOf = Effect.fnUntraced(function* (absolute: string) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* Effect.option(fs.lstat(absolute))
  return info._tag === "Some" ? info.value.type : "Unknown"
})

/** Tell whether a path below the folder matches. */
export const compile = (pattern: string): ((path: string) => boolean) => {
  const anywhere = pattern.includes("/") ? pattern.replace(/^\.?\//, "") : `**/${pattern}`
  const glob = Glob.make(anywhere, { dot: true })
  return (path) => Glob.match(glob, path)
}
