/** Every decision record has the same five parts, and fits on a page. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const names = readdirSync("docs/adr").sort()

describe("the decision records", () => {
  it("are numbered without gaps", () => {
    const numbers = names.map((name) => /^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1])
    expect(numbers).toEqual(names.map((_, n) => String(n + 1).padStart(4, "0")))
  })

  it.each(names)("%s has five parts on at most 80 lines", (name) => {
    const text = readFileSync(`docs/adr/${name}`, "utf8")
    const headings = [...text.matchAll(/^(?:## |(?=Status: ))(\w+)/gm)].map((match) => match[1])
    expect(headings).toEqual(["Status", "Context", "Decision", "Consequences", "Rejected"])
    expect(text.startsWith(`# ${name.slice(0, 4)}: `)).toBe(true)
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(80)
  })
})
