/** docs/reference/errors.md is what the classes say. */
import { beforeAll, describe, expect, it } from "vitest"
import { AnyHarnessError } from "../../src/loop/AnyHarnessError.ts"
import { Outcome } from "../../src/message/ToolResult.ts"
import { partOf, partsOf, table } from "./Generated.ts"
import { codesOf, page, rowsOf, sectionOf } from "./Page.ts"
import { type ErrorClass, readErrors } from "./readErrors.ts"

const path = "docs/reference/errors.md"

const code = (text: string) => `\`${text}\``

const rowOf = ({ tag, codes, retry, fields, says }: ErrorClass): ReadonlyArray<string> => [
  code(tag),
  codes.length === 0 ? "that of the foreign error" : codes.map(code).join(", "),
  retry,
  fields.map(code).join(", "),
  says,
]

describe("the page of errors", () => {
  let errors: ReadonlyArray<ErrorClass> = []
  beforeAll(async () => {
    errors = await readErrors()
  })

  it("has every class of every room, and no other", () => {
    const rooms = [...new Set(errors.map(({ room }) => room))].sort()
    expect([...partsOf(path)].sort()).toEqual(rooms)
    for (const room of rooms) {
      const rows = errors.filter((error) => error.room === room).map(rowOf)
      const wanted = table(["tag", "code", "retry", "fields", "what it means, and what happens next"], rows)
      expect(partOf(path, room, wanted)).toBe(wanted)
    }
  })

  it("reads every member of AnyHarnessError", () => {
    const tags = errors.map(({ tag }) => tag)
    expect(
      AnyHarnessError.members.map(({ identifier }) => identifier).filter((tag) => !tags.includes(tag)),
    ).toEqual([])
  })

  it("gives each code to one class", () => {
    const codes = errors.flatMap((error) => error.codes)
    expect(codes.filter((name, at) => codes.indexOf(name) !== at)).toEqual([])
    expect(codes.filter((name) => !/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name))).toEqual([])
  })

  it("says of every class what happens, and what a retry is worth", () => {
    expect(
      errors.filter(({ says, retry }) => says === "" || !/^(now|later|never|by its code)$/.test(retry)),
    ).toEqual([])
  })

  it("has every outcome, with tags that there are", () => {
    const rows = rowsOf(sectionOf(page(path), "Outcomes of a call"))
    expect(rows.flatMap(([outcome = ""]) => codesOf(outcome))).toEqual(Outcome.literals)
    const tags = rows.flatMap(([, tag = ""]) => codesOf(tag))
    expect(tags.filter((tag) => !errors.some((error) => error.tag === tag))).toEqual([])
  })
})
