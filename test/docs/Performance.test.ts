/** The page about performance says what the kept run of the bench found. */
import { readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { absences } from "../bench/absences.ts"
import { read } from "../bench/baseline.ts"
import { charts, missedOf, parts, path } from "../bench/page.ts"
import { rows } from "../bench/rows.ts"
import { partOf, partsOf } from "./Generated.ts"

const baseline = read()

/** The lines that are explained: a heading each, under one section that no command writes. */
const explainedIn = (page: string): ReadonlyArray<string> => {
  const [, section = ""] = page.split("\n## Where an aim is missed\n")
  const [own = ""] = section.split("\n## ")
  return [...own.matchAll(/^### `(.+)`\n\n\w/gm)].map(([, line = ""]) => line)
}

describe("docs/explain/performance.md", () => {
  it("explains each line with a missed aim, and no other", () => {
    expect(explainedIn(readFileSync(path, "utf8"))).toEqual(missedOf(baseline))
  })

  it("has a figure of each line, or says that there is none", () => {
    const { rows: sections = "" } = parts(baseline)
    const titles = rows.flatMap(({ lines }) => lines.map(({ title }) => title))
    const told = (title: string) =>
      sections.includes(`| ${title} |`) || sections.includes(`- Not measured in the kept run: ${title}.`)
    expect(titles.filter((title) => !told(title))).toEqual([])
  })

  it("gives reasons of rows that there are", () => {
    const names = rows.map(({ name }) => name)
    expect(absences.filter(({ row }) => !names.includes(row))).toEqual([])
  })

  it.each(Object.entries(parts(baseline)))("has the %s of the kept run", (name, wanted) => {
    expect(partOf(path, name, wanted)).toBe(wanted)
  })

  it("has no other written parts", () => {
    expect(partsOf(path)).toEqual(Object.keys(parts(baseline)))
  })

  it.each(Object.entries(charts(baseline)))("shows %s of the kept run", (path, wanted) => {
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(path, wanted)
    expect(readFileSync(path, "utf8")).toBe(wanted)
  })

  it("tells of lines that there are, each once", () => {
    const known = rows.flatMap(({ lines }) => lines.map(({ name }) => name))
    const told = baseline.outcomes.map(({ line }) => line)
    expect(told.filter((line) => !known.includes(line))).toEqual([])
    expect(new Set(told).size).toBe(told.length)
  })

  it("names no machine, no path and no failure", () => {
    expect(JSON.stringify(baseline)).not.toMatch(/failure|\/home|\/tmp|\/work|node_modules/)
  })
})
