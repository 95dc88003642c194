/** docs/reference/tools.md and limits.md are what the tools and the sources say. */
import { readFileSync } from "node:fs"
import { Schema } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import * as Toolkit from "../../src/toolkit/Toolkit.ts"
import { partOf, partsOf, table } from "./Generated.ts"
import { codesOf, page, pages, proseOf, rowsOf } from "./Page.ts"
import { type ErrorClass, readErrors } from "./readErrors.ts"
import { fileTags, ownTags } from "./toolTags.ts"

const path = "docs/reference/tools.md"

const Parameters = Schema.Struct({
  properties: Schema.Record(
    Schema.String,
    Schema.Struct({
      type: Schema.String,
      description: Schema.String,
      items: Schema.optionalKey(Schema.Json),
    }),
  ),
  required: Schema.optionalKey(Schema.Array(Schema.String)),
})

const isTold = (name: string): name is keyof typeof ownTags => Object.hasOwn(ownTags, name)

describe("the page of tools", () => {
  let errors: ReadonlyArray<ErrorClass> = []
  beforeAll(async () => {
    errors = (await readErrors()).filter(({ room }) => room === "toolkit")
  })

  const codeOf = (tag: string) => errors.find((error) => error.tag === tag)?.codes[0]

  it("has every tool with its parameters and its codes", () => {
    expect(partsOf(path)).toEqual([...Toolkit.all.tools.keys()].sort(inPageOrder))
    for (const { name, parameters } of Toolkit.all.descriptions) {
      const { properties, required = [] } = Schema.decodeUnknownSync(Parameters)(parameters)
      const rows = Object.entries(properties).map(([key, { type, description }]) => [
        `\`${key}\``,
        type,
        required.includes(key) ? "yes" : "",
        description,
      ])
      const own = (isTold(name) ? ownTags[name] : []).map((tag) => `\`${codeOf(tag)}\``)
      const all = [...(name === "run_command" ? [] : ["file errors"]), ...own]
      const wanted = `${table(["parameter", "type", "required", "what it is"], rows)}\n\nFails with ${all.join(", ")}.`
      expect(partOf(path, name, wanted)).toBe(wanted)
    }
  })

  it("has every code of a tool, and no other", () => {
    const tags = errors.map(({ tag }) => tag).filter((tag) => tag !== "WorkspaceUnusable")
    expect([...new Set([...fileTags, ...Object.values(ownTags).flat()])].sort()).toEqual(tags.sort())
    const [told = ""] = /\*\*File errors\*\*[\s\S]*?\n\n/.exec(page(path)) ?? []
    expect(codesOf(told)).toEqual(fileTags.flatMap((tag) => codeOf(tag) ?? []))
  })

  it("has every box", () => {
    const boxes = rowsOf(page(path)).filter(([box = ""]) => box.startsWith("`Toolkit."))
    expect(boxes.map(([box = "", tools = ""]) => [codesOf(box).join(), codesOf(tools)])).toEqual(
      Object.entries({ readOnly: Toolkit.readOnly, files: Toolkit.files, all: Toolkit.all }).map(
        ([name, box]) => [`Toolkit.${name}`, [...box.tools.keys()]],
      ),
    )
  })
})

/** The order in which the page has the headings. */
const inPageOrder = (left: string, right: string): number =>
  page(path).indexOf(`## ${left}\n`) - page(path).indexOf(`## ${right}\n`)

const units: Readonly<Record<string, number>> = { s: 1000, MiB: 1024 * 1024 }

/** `16 MiB` and `10 s` as the source has them; a duration stays in words. */
const valueOf = (cell: string): number | string => {
  const [, digits = "", unit = ""] = /^([\d,]+)(?: (\S+))?/.exec(cell) ?? []
  if (unit === "minutes") return cell
  return Number(digits.replaceAll(",", "")) * (units[unit] ?? 1)
}

/** What a name is set to, where it is set: `name = 16 * 1024`, `name: 128`, `name ?? "2 minutes"`. */
const setIn = (source: string, name: string): ReadonlyArray<number | string> =>
  [
    ...source.matchAll(
      new RegExp(`\\b${name}(?: =|:| \\?\\?) (?:"([^"]+)"|(\\d[\\d_]*(?: \\* \\d[\\d_]*)*))`, "g"),
    ),
  ].map(
    ([, words, product = ""]) =>
      words ?? product.split(" * ").reduce((sum, factor) => sum * Number(factor.replaceAll("_", "")), 1),
  )

describe("limits", () => {
  const rows = [...pages].flatMap(([file, text]) =>
    proseOf(text).includes("| what | limit | where |")
      ? rowsOf(text)
          .filter(([, , where = ""]) => /^`\S+\.ts` `\w+`$/.test(where))
          .map(([what = "", limit = "", where = ""]) => ({ file, what, limit, where: codesOf(where) }))
      : [],
  )

  it("are on two pages", () => {
    expect([...new Set(rows.map(({ file }) => file))]).toEqual(["docs/reference/limits.md", path])
  })

  it.each(rows.map(({ file, what, limit, where }) => [file, what, limit, where] as const))(
    "are what the source sets: %s, %s",
    (_file, _what, limit, [module = "", name = ""]) => {
      const source = readFileSync(`src/${module}`, "utf8")
      if (limit === "none") expect(source).toMatch(new RegExp(`\\b${name}\\b`))
      else expect(setIn(source, name)).toContain(valueOf(limit))
    },
  )

  it("of the toolkit are all told", () => {
    const isLimit = (name: string) => /^(default|max)[A-Z]|Millis$/.test(name)
    const modules = [
      ...new Set(rows.flatMap(({ where: [module = ""] }) => (module.startsWith("toolkit/") ? [module] : []))),
    ]
    const told = rows.map(({ where }) => where.join(" "))
    const exported = modules.flatMap((module) =>
      [...readFileSync(`src/${module}`, "utf8").matchAll(/^export const (\w+) = [\d_ *]+$/gm)].map(
        ([, name = ""]) => `${module} ${name}`,
      ),
    )
    expect(exported.filter((name) => isLimit(name.split(" ")[1] ?? "") && !told.includes(name))).toEqual([])
    expect(exported.length).toBeGreaterThan(10)
  })
})
