/**
 * A page of documentation: its fenced blocks, tables and links.
 *
 * In:  the text of a Markdown file.      Out: what stands in it, in order.
 * Not here: what it is compared with (the tests of this folder).
 */
import { readdirSync, readFileSync } from "node:fs"

export interface Block {
  /** `ts`, `text`, `console`, `sh` …; empty when none is given. */
  readonly language: string
  /** What stands behind the language: `prints 03-own-errors`, `demo`. */
  readonly info: string
  readonly text: string
}

/** Every page that is kept true: the entrance, the rules, the changes and all of docs. */
export const pages: ReadonlyMap<string, string> = new Map(
  [
    "README.md",
    "AGENTS.md",
    "CHANGELOG.md",
    ...readdirSync("docs", { recursive: true, encoding: "utf8" })
      .map((name) => `docs/${name.replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith(".md"))
      .sort(),
  ].map((path) => [path, readFileSync(path, "utf8")]),
)

export const page = (path: string): string => pages.get(path) ?? ""

const fence = /^```(\S*)[ \t]*(.*)\n([\s\S]*?)^```$/gm

export const blocksOf = (text: string): ReadonlyArray<Block> =>
  [...text.matchAll(fence)].map(([, language = "", info = "", body = ""]) => ({ language, info, text: body }))

/** The text without its fenced blocks. */
export const proseOf = (text: string): string => text.replace(fence, "")

/** Cells of every row of every table, heads and rules left out; `\|` is a bar inside a cell. */
export const rowsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const lines = proseOf(text).split("\n")
  const isRow = (line: string | undefined) => line !== undefined && line.startsWith("|")
  return lines.flatMap((line, at) => {
    if (!isRow(line) || !isRow(lines[at - 1]) || /^\|[-| :]+$/.test(line)) return []
    return [
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("\\|", "|")),
    ]
  })
}

/** The words in backticks of a cell. */
export const codesOf = (cell: string): ReadonlyArray<string> =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)

/** The part of a page under a heading, up to the next heading of the same or a higher level. */
export const sectionOf = (text: string, heading: string): string => {
  const lines = text.split("\n")
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading)
  if (start === -1) return ""
  const level = lines[start]?.indexOf(" ") ?? 0
  const length = lines.slice(start + 1).findIndex((line) => /^#+ /.test(line) && line.indexOf(" ") <= level)
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).join("\n")
}

/** Targets of the links of a page, images included. */
export const linksOf = (text: string): ReadonlyArray<string> =>
  [
    ...proseOf(text)
      .replace(/`[^`\n]*`/g, "")
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target = ""]) => target)

/** The anchors that a page offers, as GitHub makes them of headings. */
export const anchorsOf = (text: string): ReadonlyArray<string> =>
  [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  )
