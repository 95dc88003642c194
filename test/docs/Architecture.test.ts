/** docs/explain/architecture.md has the rooms of the plan that are built. */
import { existsSync, readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { plan } from "../architecture/rooms.ts"
import { partOf, table } from "./Generated.ts"
import { blocksOf, codesOf, page, rowsOf, sectionOf } from "./Page.ts"

const text = page("docs/explain/architecture.md")

const isBuilt = (room: string): boolean =>
  existsSync(`src/${room}`) && readdirSync(`src/${room}`).some((name) => name.endsWith(".ts"))

describe("the page of the architecture", () => {
  const rows = rowsOf(sectionOf(text, "Rooms"))

  it("has every room that is built, with the rooms that it may import", () => {
    const questions = new Map(rows.map(([room = "", question = ""]) => [codesOf(room).join(), question]))
    const wanted = table(
      ["room", "the question", "may import"],
      Object.entries(plan.rooms)
        .filter(([room]) => isBuilt(room))
        .map(([room, { imports }]) => [
          `\`${room}\``,
          questions.get(room) ?? "",
          room === "cli"
            ? "every room"
            : imports
                .filter(isBuilt)
                .map((name) => `\`${name}\``)
                .join(", "),
        ]),
    )
    expect(partOf("docs/explain/architecture.md", "rooms", wanted)).toBe(wanted)
  })

  it("asks a question above each door", () => {
    expect(rows.filter(([, question = ""]) => !question.endsWith("?"))).toEqual([])
  })

  it("has the picture of the README", () => {
    const pictureOf = (of: string) => blocksOf(of).filter((block) => block.text.includes("derived history"))
    expect(pictureOf(text)).toEqual(pictureOf(page("README.md")))
  })
})
