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

/**
 * Text given at most; what is over is cut, and said to be. With its notice it is less than a result holds
 * (`Output.maxTextLength`), so that no range that was read is cut again, or kept in yet another file.
 *
 * Units: UTF-16 code units.
 */
export const maxChars = 48 * 1024

export const readFile = defineTool({
  name: "read_file",
  description:
    "Read a UTF-8 text file of the workspace. Gives the text without line numbers, at most " +
    `${maxLines} lines at once; a notice in square brackets at the end says what was left out.`,
  parameters: {
    path: { type: "string", required: true, description: "Path relative to the workspace." },
    offset: { type: "integer", description: "First line to read, from 1. Default 1." },
    limit: { type: "integer", description: `How many lines to read. Default and maximum ${maxLines}.` },
    column: {
      type: "integer",
      description:
        "First character to read of the first line, from 1. For lines too long to be given at once. Default 1.",
    },
  },
  idempotent: true,
  resources: ({ path }) => ({ reads: [Resources.file(path)] }),
  run: ({ path, offset = 1, limit = maxLines, column = 1 }) =>
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
      yield* checkRange("column", column, 1, lines[offset - 1]?.length)
      return excerpt(lines, { first: offset - 1, limit: Math.min(limit, maxLines), column })
    }),
})

/** Split after each line feed; the byte order mark is no text, and the end of the last line begins no new one. */
const splitLines = (text: string): ReadonlyArray<string> => {
  const lines = text.replace(/^\uFEFF/, "").split(/(?<=\n)/)
  return lines[0] === "" ? [] : lines
}

interface Range {
  /** Index of the first line. */
  readonly first: number
  readonly limit: number
  /** From 1, in the first line. */
  readonly column: number
}

const excerpt = (lines: ReadonlyArray<string>, { first, limit, column }: Range): string => {
  const [line = "", ...others] = lines.slice(first, first + limit)
  const rest = line.slice(column - 1).replace(/^[\uDC00-\uDFFF]/, "")
  if (rest.length > maxChars) return part(line, rest, { at: first + 1, total: lines.length })
  let shown = rest
  let end = first + 1
  for (const other of others) {
    if (shown.length + other.length > maxChars) break
    shown += other
    end++
  }
  const total = lines.length
  if (first === 0 && column === 1 && end === total) return shown
  const from = column === 1 ? "" : `, from character ${column}`
  const more = end < total ? ` Continue with offset ${end + 1}.` : ""
  return `${shown}${shown.endsWith("\n") ? "" : "\n"}[Lines ${first + 1}-${end} of ${total}${from}.${more}]`
}

/** Of a line that is too long as much as there is room for, and where its rest begins. */
const part = (line: string, rest: string, { at, total }: { at: number; total: number }): string => {
  const shown = cutAt(rest, maxChars)
  const before = line.length - rest.length
  const next = before + shown.length + 1
  const skip = at < total ? `; the next line has offset ${at + 1}` : ""
  const range = `characters ${before + 1}-${next - 1} of ${line.length}`
  return `${shown}\n[Line ${at} of ${total}, ${range}. Continue with offset ${at}, column ${next}${skip}.]`
}

/** Cut a text, never inside a character. */
export const cutAt = (text: string, length: number): string => {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
