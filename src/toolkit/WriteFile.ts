/**
 * The tool `write_file`: a whole file, new or instead of the old one.
 *
 * In:  a path, the text.      Out: whether the file was created or overwritten, and its size.
 * Fails with: `FileError`, `TextNotWellFormed`; the old file is then as it was.
 * Not here: how the file is replaced (`textFile.ts`), changes to a part of it (`EditFile.ts`).
 */
import { Effect, FileSystem, Path } from "effect"
import * as Resources from "../policy/Resources.ts"
import { defineTool } from "../tool/Tool.ts"
import { isFolder, mapFileError } from "./fileError.ts"
import { checkText, type Location } from "./ToolkitError.ts"
import * as textFile from "./textFile.ts"
import { Workspace } from "./Workspace.ts"

export const writeFile = defineTool({
  name: "write_file",
  description:
    "Write a whole UTF-8 text file of the workspace: create it, with its folders, or replace all of its text. " +
    "To change a part of a file, use edit_file.",
  parameters: {
    path: { type: "string", required: true, description: "Path relative to the workspace." },
    content: { type: "string", required: true, description: "The whole text of the file." },
  },
  resources: ({ path }) => ({ writes: [Resources.file(path)] }),
  run: ({ path, content }) =>
    Effect.gen(function* () {
      yield* checkText("content", content)
      const workspace = yield* Workspace
      const at = yield* workspace.resolve(path)
      if (path.endsWith("/")) return yield* isFolder(at.relative)
      return yield* workspace.exclusively(write(at, content))
    }),
})

const write = Effect.fnUntraced(function* (at: Location, content: string) {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const before = yield* Effect.catchTag(textFile.statRegular(at), "FileNotFound", () =>
    Effect.succeed(undefined),
  )
  if (before === undefined) {
    yield* mapFileError(at)(fs.makeDirectory(paths.dirname(at.absolute), { recursive: true }))
  }
  const sizeBytes = yield* textFile.replace(at, content, before?.mode)
  return before === undefined
    ? `Created ${at.relative} (${sizeBytes} bytes).`
    : `Overwrote ${at.relative} (${sizeBytes} bytes, ${before.sizeBytes} before).`
})
