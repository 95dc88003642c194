/** docs/explain/architecture.md has the rooms of the plan that are built. */
import { existsSync, readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { plan } from "../architecture/rooms.ts"
import { blocksOf, codesOf, page, rowsOf, sectionOf } from "./Page.ts"

const text = page("docs/explain/architecture.md")

const isBuilt = (room: string): boolean =>
  existsSync(`src/${room}`) && readdirSync(`src/${room}`).some((name) => name.endsWith(".ts"))

describe("the page of the architecture", () => {
  const rows = rowsOf(sectionOf(text, "Rooms"))

  it("has every room that is built, with the rooms that it may import", () => {
    const told = rows.map(([room = "", , imports = ""]) => [
      codesOf(room).join(),
      imports === "every room" ? "all" : codesOf(imports),
    ])
    const built = Object.entries(plan.rooms).filter(([room]) => isBuilt(room))
    const wanted = built.map(([room, { imports }]) => [
      room,
      room === "cli" ? "all" : imports.filter(isBuilt),
    ])
    expect(told).toEqual(wanted)
  })

  it("asks a question above each door", () => {
    expect(rows.filter(([, question = ""]) => !question.endsWith("?"))).toEqual([])
  })

  it("has the picture of the README", () => {
    const pictureOf = (of: string) => blocksOf(of).filter((block) => block.text.includes("derived history"))
    expect(pictureOf(text)).toEqual(pictureOf(page("README.md")))
  })
})
