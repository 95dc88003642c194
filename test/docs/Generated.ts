/**
 * Parts of pages that are written from the code: between `<!-- begin NAME … -->` and `<!-- end -->`.
 *
 * In:  a page, the name of a part, what it has to be.      Out: what it is; `UPDATE_DOCS=1` writes it first.
 * Fails with: an `Error` when the page has no such part.
 */
import { readFileSync, writeFileSync } from "node:fs"

const end = "\n<!-- end -->"

/** Write the part when asked to, and give what the page has. */
export const partOf = (path: string, name: string, wanted: string): string => {
  const text = readFileSync(path, "utf8")
  const begin = new RegExp(`^<!-- begin ${name}\\b.*-->\n`, "m").exec(text)
  if (begin === null) throw new Error(`${path} has no part ${name}`)
  const from = begin.index + begin[0].length
  const to = text.indexOf(end, from - 1)
  if (process.env["UPDATE_DOCS"] !== "1") return text.slice(from, to)
  writeFileSync(path, text.slice(0, from) + wanted + text.slice(to))
  return wanted
}

/** The names of the parts of a page. */
export const partsOf = (path: string): ReadonlyArray<string> =>
  [...readFileSync(path, "utf8").matchAll(/^<!-- begin (\w+)/gm)].map(([, name = ""]) => name)

/** A Markdown table; bars in cells are escaped. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n")
