/**
 * The tool `read_file`: a text file, or a range of its lines.
 *
 * In:  a path, the first line, how many lines.      Out: the lines as they are in the file, and what was left out.
 * Fails with: `FileError`, `LineOutOfRange`, `ArgumentOutOfRange`.
 * Not here: how a file is opened (`textFile.ts`).
 *
 * Lines come without numbers: what the model reads is then exactly what `edit_file` looks for. `search_text` and
 * `edit_file` tell numbers, and the notice at the end of a range tells where to go on.
 */
import { Effect } from "effect"
import * as Resources from "../policy/Resources.ts"
import { defineTool } from "../tool/Tool.ts"
import { checkRange, LineOutOfRange } from "./ToolkitError.ts"
import * as textFile from "./textFile.ts"
import { Workspace } from "./Workspace.ts"

/** Lines given at most. */
export const maxLines = 2000

/** Units: UTF-16 code units. Text given at most; what is over is cut, and said to be. */
export const maxChars = 64 * 1024

export const readFile = defineTool({
  name: "read_file",
  description:
    "Read a UTF-8 text file of the workspace. Gives the text without line numbers, at most " +
    `${maxLines} lines at once; a notice in square brackets at the end says what was left out.`,
  parameters: {
    path: { type: "string", required: true, description: "Path relative to the workspace." },
    offset: { type: "integer", description: "First line to read, from 1. Default 1." },
    limit: { type: "integer", description: `How many lines to read. Default and maximum ${maxLines}.` },
  },
  idempotent: true,
  resources: ({ path }) => ({ reads: [Resources.file(path)] }),
  run: ({ path, offset = 1, limit = maxLines }) =>
    Effect.gen(function* () {
      yield* checkRange("offset", offset, 1)
      yield* checkRange("limit", limit, 1)
      const workspace = yield* Workspace
      const at = yield* workspace.resolve(path)
      const { text } = yield* textFile.read(at)
      const lines = splitLines(text)
      if (lines.length === 0 && offset === 1) return `[${at.relative} is empty.]`
      if (offset > lines.length) {
        const message = `${at.relative} has ${lines.length} lines; there is no line ${offset}.`
        return yield* new LineOutOfRange({ path: at.relative, lines: lines.length, message })
      }
      return excerpt(lines, offset - 1, Math.min(limit, maxLines))
    }),
})

/** Split after each line feed; the byte order mark is no text, and the end of the last line begins no new one. */
const splitLines = (text: string): ReadonlyArray<string> => {
  const lines = text.replace(/^\uFEFF/, "").split(/(?<=\n)/)
  return lines[0] === "" ? [] : lines
}

const excerpt = (lines: ReadonlyArray<string>, first: number, limit: number): string => {
  let shown = ""
  let end = first
  for (const line of lines.slice(first, first + limit)) {
    if (shown.length + line.length > maxChars) break
    shown += line
    end++
  }
  const total = lines.length
  if (end === first) {
    const line = lines[first] ?? ""
    const cut = `[Line ${first + 1} of ${total} has ${line.length} characters; cut after ${maxChars}.`
    return `${cutAt(line, maxChars)}\n${cut}${end + 1 < total ? ` Continue with offset ${end + 2}.` : ""}]`
  }
  if (first === 0 && end === total) return shown
  const more = end < total ? ` Continue with offset ${end + 1}.` : ""
  return `${shown}${shown.endsWith("\n") ? "" : "\n"}[Lines ${first + 1}-${end} of ${total}.${more}]`
}

/** Cut a text, never inside a character. */
export const cutAt = (text: string, length: number): string => {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
