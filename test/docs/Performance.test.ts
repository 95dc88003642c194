/** The page about performance says what the kept run of the bench found. */
import { readFileSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { read } from "../bench/baseline.ts"
import { charts, parts, path } from "../bench/page.ts"
import { rows } from "../bench/rows.ts"
import { partOf, partsOf } from "./Generated.ts"

const baseline = read()

describe("docs/explain/performance.md", () => {
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
