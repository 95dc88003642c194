/**
 * The tool `read_file`: a text file of any size, or a range of its lines, in memory that does not grow with the file.
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
      const excerpt = new Excerpt({ first: offset - 1, limit: Math.min(limit, maxLines), column })
      yield* textFile.scan(at, (text) => excerpt.add(text))
      const { lines, firstLength } = excerpt
      if (lines === 0 && offset === 1) return `[${at.relative} is empty.]`
      if (offset > lines) {
        const message = `${at.relative} has ${lines} lines; there is no line ${offset}.`
        return yield* new LineOutOfRange({ path: at.relative, lines, message })
      }
      yield* checkRange("column", column, 1, firstLength)
      return excerpt.toText()
    }),
})

interface Range {
  /** Index of the first line. */
  readonly first: number
  readonly limit: number
  /** From 1, in the first line. */
  readonly column: number
}

/**
 * What a range shows of a text that comes piece by piece; what it does not show is only counted.
 *
 * A line ends after its line feed, and the end of the last one begins no new one.
 */
class Excerpt {
  /** Lines that have begun. */
  lines = 0
  /** Units: UTF-16 code units of the first line, all of it. */
  firstLength = 0
  readonly #range: Range
  #isInLine = false
  /** The first line from the column on, and the lines after it, as long as there is room for them. */
  #shown = ""
  /** What has come of the line after those. */
  #next = ""
  #isFull = false
  /** Lines that are shown. */
  #count = 0

  constructor(range: Range) {
    this.#range = range
  }

  add(text: string): void {
    for (let from = 0; from < text.length; ) {
      const feed = text.indexOf("\n", from)
      const end = feed === -1 ? text.length : feed + 1
      if (!this.#isInLine) this.lines++
      this.#isInLine = feed === -1
      const index = this.lines - 1 - this.#range.first
      if (index === 0) this.#addToFirst(text, from, end)
      else if (index > 0 && index < this.#range.limit) this.#addToNext(text.slice(from, end))
      from = end
    }
  }

  #addToFirst(text: string, from: number, end: number): void {
    const start = from + Math.max(0, this.#range.column - 1 - this.firstLength)
    this.firstLength += end - from
    this.#count = 1
    // One more than there is room for, and the half of a character at which it may begin.
    if (start < end && this.#shown.length < maxChars + 2) this.#shown += text.slice(start, end)
  }

  #addToNext(text: string): void {
    if (this.#isFull) return
    this.#next += text
    this.#isFull = this.#shown.length + this.#next.length > maxChars
    if (this.#isFull) this.#next = ""
    else if (!this.#isInLine) this.#showNext()
  }

  #showNext(): void {
    this.#shown += this.#next
    this.#next = ""
    this.#count++
  }

  toText(): string {
    if (this.#next !== "") this.#showNext()
    const { first, column } = this.#range
    const shown = this.#shown.replace(/^[\uDC00-\uDFFF]/, "")
    if (shown.length > maxChars) return this.#part(shown, column - 1 + this.#shown.length - shown.length)
    const end = first + this.#count
    if (first === 0 && column === 1 && end === this.lines) return shown
    const from = column === 1 ? "" : `, from character ${column}`
    const more = end < this.lines ? ` Continue with offset ${end + 1}.` : ""
    const range = `Lines ${first + 1}-${end} of ${this.lines}`
    return `${shown}${shown.endsWith("\n") ? "" : "\n"}[${range}${from}.${more}]`
  }

  /** Of a line that is too long as much as there is room for, and where its rest begins. */
  #part(rest: string, before: number): string {
    const at = this.#range.first + 1
    const shown = cutAt(rest, maxChars)
    const next = before + shown.length + 1
    const skip = at < this.lines ? `; the next line has offset ${at + 1}` : ""
    const range = `Line ${at} of ${this.lines}, characters ${before + 1}-${next - 1} of ${this.firstLength}`
    return `${shown}\n[${range}. Continue with offset ${at}, column ${next}${skip}.]`
  }
}

/** Cut a text, never inside a character. */
export const cutAt = (text: string, length: number): string => {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
