/**
 * The tool `edit_file`: replace an exact text in a file by another.
 *
 * In:  a path, the old text, the new text, whether to replace all.      Out: how many were replaced, at which lines.
 * Fails with: `FileError`, `EditNotFound`, `EditAmbiguous`, `EditWithoutEffect`, `TextNotWellFormed`; the file is then as it was.
 * Not here: how the file is replaced (`textFile.ts`).
 *
 * Edits of one workspace run one after the other, so that two calls of one step do not lose one. An editor outside
 * may still write between the reading and the rename; the last one wins.
 */
import { Effect } from "effect"
import * as Resources from "../policy/Resources.ts"
import { defineTool } from "../tool/Tool.ts"
import { checkText, EditAmbiguous, EditNotFound, EditWithoutEffect, type Location } from "./ToolkitError.ts"
import * as textFile from "./textFile.ts"
import { Workspace } from "./Workspace.ts"

/** Lines named at most when a text occurs more than once. */
const maxLinesNamed = 10

interface Edit {
  readonly oldText: string
  readonly newText: string
  readonly replaceAll: boolean
}

export const editFile = defineTool({
  name: "edit_file",
  description:
    "Replace an exact text in a UTF-8 text file of the workspace. The old text must occur exactly once, " +
    "unless replace_all is true: take in enough lines around it. White space counts.",
  parameters: {
    path: { type: "string", required: true, description: "Path relative to the workspace." },
    old_text: {
      type: "string",
      required: true,
      description: "The text to replace, exactly as it is in the file.",
    },
    new_text: { type: "string", required: true, description: "The text to put there. Empty to delete." },
    replace_all: { type: "boolean", description: "Replace every occurrence. Default false." },
  },
  resources: ({ path }) => ({ writes: [Resources.file(path)] }),
  run: ({ path, old_text, new_text, replace_all = false }) =>
    Effect.gen(function* () {
      yield* checkText("old_text", old_text)
      yield* checkText("new_text", new_text)
      const workspace = yield* Workspace
      const at = yield* workspace.resolve(path)
      return yield* workspace.exclusively(
        edit(at, { oldText: old_text, newText: new_text, replaceAll: replace_all }),
      )
    }),
})

const edit = Effect.fnUntraced(function* (at: Location, asked: Edit) {
  const path = at.relative
  const { mode, text } = yield* textFile.read(at)
  const { oldText, newText, replaceAll } = withLineEnds(asked, text)
  if (oldText === newText || oldText === "") {
    const why =
      oldText === ""
        ? "old_text is empty; use write_file to write a whole file"
        : "old_text and new_text are equal"
    return yield* new EditWithoutEffect({ path, message: `Nothing to change in ${path}: ${why}.` })
  }
  const lines = replaceAll
    ? linesOf(text, oldText, { step: oldText.length, most: text.length })
    : linesOf(text, oldText, { step: 1, most: maxLinesNamed + 1 })
  if (lines.length === 0) {
    return yield* new EditNotFound({
      path,
      message: `old_text is not in ${path}. ${nearMiss(text, oldText)}`,
    })
  }
  if (lines.length > 1 && !replaceAll) {
    const message = `old_text occurs ${lines.length > maxLinesNamed ? `more than ${maxLinesNamed}` : lines.length} times in ${path} (lines ${name(lines)}). Take in more lines around the one you mean, or set replace_all.`
    return yield* new EditAmbiguous({ path, lines, message })
  }
  yield* textFile.replace(at, text.split(oldText).join(newText), mode)
  return lines.length === 1
    ? `Replaced 1 occurrence in ${path} at line ${name(lines)}.`
    : `Replaced ${lines.length} occurrences in ${path} at lines ${name(lines)}.`
})

/** In a file whose every line ends in CR LF, a model's LF means CR LF. */
const withLineEnds = (asked: Edit, text: string): Edit => {
  if (!text.includes("\r\n") || /(?<!\r)\n/.test(text)) return asked
  const toCrLf = (part: string) => part.replace(/\r?\n/g, "\r\n")
  return { ...asked, oldText: toCrLf(asked.oldText), newText: toCrLf(asked.newText) }
}

interface Pace {
  /** How far after the start of one occurrence the next may start: 1 finds those that overlap. */
  readonly step: number
  /** How many are looked for. */
  readonly most: number
}

/** The line, from 1, at which each occurrence starts. */
const linesOf = (text: string, oldText: string, { step, most }: Pace): ReadonlyArray<number> => {
  const lines: Array<number> = []
  let line = 1
  let counted = 0
  let start = text.indexOf(oldText)
  while (start !== -1 && lines.length < most) {
    line += countLineFeeds(text.slice(counted, start))
    lines.push(line)
    counted = start
    start = text.indexOf(oldText, start + step)
  }
  return lines
}

const countLineFeeds = (text: string): number => text.split("\n").length - 1

const name = (lines: ReadonlyArray<number>): string =>
  lines.slice(0, maxLinesNamed).join(", ") + (lines.length > maxLinesNamed ? ", …" : "")

/** Where the text would be, if white space did not count. */
const nearMiss = (text: string, oldText: string): string => {
  const loose = (line: string) => line.trim().replace(/\s+/g, " ")
  const wanted = loose(oldText.split("\n").find((line) => line.trim() !== "") ?? "")
  const found = wanted === "" ? -1 : text.split("\n").findIndex((line) => loose(line) === wanted)
  return found === -1
    ? "Read the file again and copy the text exactly."
    : `Line ${found + 1} is like its first line but for white space or the lines after it. Read the file from there and copy the text exactly.`
}
