/** Every link of the documentation leads somewhere. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { anchorsOf, linksOf, page, pages } from "./Page.ts"

/** What is wrong with a link of a page, if anything is. */
const faultOf = (path: string, link: string): string | undefined => {
  const [file = "", anchor] = link.split("#")
  const target = file === "" ? path : join(dirname(path), file)
  if (!existsSync(target)) return `${path}: ${link} is not there`
  if (anchor === undefined || anchorsOf(page(target)).includes(anchor)) return undefined
  return `${path}: ${target} has no heading for #${anchor}`
}

describe("links", () => {
  it("lead to files and headings that are there", () => {
    const faults = [...pages].flatMap(([path, text]) =>
      linksOf(text)
        .filter((link) => !/^[a-z]+:/.test(link))
        .flatMap((link) => faultOf(path, link) ?? []),
    )
    expect(faults).toEqual([])
  })

  it("are found, with their anchors, and not in code", () => {
    expect(linksOf("[a](b.md#c) `[d](e.md)` ![f](g.png)\n```md\n[h](i.md)\n```\n")).toEqual([
      "b.md#c",
      "g.png",
    ])
    expect(anchorsOf("## A model's `script`: how?\n")).toEqual(["a-models-script-how"])
  })

  it("lead from some page to every page of docs but the decisions", () => {
    const linked = new Set(
      [...pages].flatMap(([path, text]) =>
        linksOf(text).map((link) => join(dirname(path), link.split("#")[0] ?? "")),
      ),
    )
    const unlinked = [...pages.keys()].filter((path) => path.startsWith("docs/") && !linked.has(path))
    expect(unlinked.filter((path) => !path.startsWith("docs/adr/"))).toEqual([])
  })
})
