/**
 * The tool `list_files`: which files there are, by glob.
 *
 * In:  a glob, a folder.      Out: paths relative to the workspace, one a line, sorted, and what was left out.
 * Fails with: `FileError`.
 * Not here: which folders are walked and which are skipped (`walk.ts`).
 */
import { Effect, FileSystem } from "effect"
import * as Resources from "../policy/Resources.ts"
import { defineTool } from "../tool/Tool.ts"
import { mapFileError } from "./fileError.ts"
import type { Location } from "./ToolkitError.ts"
import { Workspace } from "./Workspace.ts"
import { maxEntriesVisited, noticeOf, skippedFolders, walk } from "./walk.ts"

/** Paths given at most. */
export const maxPaths = 500

/** Names of a folder told when no file below it matches. */
const maxNames = 30

export const listFiles = defineTool({
  name: "list_files",
  description:
    "List the files of the workspace that match a glob, sorted, at most " +
    `${maxPaths}. ${skippedFolders.join(", ")} are skipped unless the pattern or the path names them. Links are not followed.`,
  parameters: {
    pattern: {
      type: "string",
      description:
        'Glob such as "src/**/*.ts" or "*.{js,ts}"; one without "/" matches names at any depth. Default: every file.',
    },
    path: {
      type: "string",
      description: "Folder to list, relative to the workspace. Default: the workspace itself.",
    },
  },
  idempotent: true,
  resources: ({ path = "." }) => ({ reads: [Resources.folder(path)] }),
  run: ({ pattern = "**", path = "." }) =>
    Effect.gen(function* () {
      const workspace = yield* Workspace
      const folder = yield* workspace.resolve(path)
      const walked = yield* walk(folder, pattern)
      const { files, isPartial } = walked
      if (files.length === 0) {
        return [yield* describeFolder(folder, pattern, isPartial), ...noticeOf(walked)].join("\n")
      }
      const lines = files.slice(0, maxPaths).map((file) => file.relative)
      if (files.length > maxPaths) {
        lines.push(`[${files.length - maxPaths} more files match. Narrow the pattern or the path.]`)
      }
      if (isPartial)
        lines.push(`[Stopped after ${maxEntriesVisited} entries; there may be more. Narrow the path.]`)
      return [...lines, ...noticeOf(walked)].join("\n")
    }),
})

/** Say that nothing matches, and what the folder itself holds. */
const describeFolder = Effect.fnUntraced(function* (folder: Location, pattern: string, isPartial: boolean) {
  const fs = yield* FileSystem.FileSystem
  const entries = yield* mapFileError(folder)(fs.readDirectoryEntries(folder.absolute))
  const names = entries.map(({ name, type }) => (type === "Directory" ? `${name}/` : name)).sort()
  const shown = names.slice(0, maxNames).join(", ")
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : ""
  const holds = names.length === 0 ? "is empty" : `holds ${shown}${more}`
  return `[No file matches ${pattern}${isPartial ? ` among the first ${maxEntriesVisited} entries` : ""}. The folder ${folder.relative} ${holds}.]`
})
