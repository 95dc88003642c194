/** The page about specs says what the code does: its words are the words of the violations, and stay so. */
import { readFileSync, writeFileSync } from "node:fs"
import { it } from "@effect/vitest"
import { describe, expect } from "vitest"
import { page, parts } from "./keywordPage.ts"

const path = "docs/reference/schema-spec.md"

describe("docs/reference/schema-spec.md", () => {
  it("is written from the cases", () => {
    if (process.env["UPDATE_DOCS"] !== undefined) writeFileSync(path, page())
    expect(readFileSync(path, "utf8")).toBe(page())
  })

  it("names every keyword that a spec understands", () => {
    const source = readFileSync("src/spec/SchemaSpec.ts", "utf8")
    const keywords = [...source.matchAll(/^ {2}readonly (\w+)\??: /gm)].map(([, name]) => name ?? "")
    const spec = keywords.slice(0, keywords.indexOf("schema"))
    const listed = new Set(
      parts.flatMap(({ cases }) => cases.flatMap((each) => each.keyword.split(/[,: ]+/))),
    )
    expect(spec.length).toBeGreaterThan(20)
    expect(spec.filter((name) => name !== "type" && !listed.has(name))).toEqual([])
  })
})
