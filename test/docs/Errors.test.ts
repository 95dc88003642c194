/** docs/reference/errors.md is what the classes say. */
import { Schema } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import * as Foreign from "../../src/error/Foreign.ts"
import { AnyHarnessError } from "../../src/loop/AnyHarnessError.ts"
import { Outcome } from "../../src/message/ToolResult.ts"
import { adviceFor } from "../../src/tool/describe.ts"
import * as ToolkitError from "../../src/toolkit/ToolkitError.ts"
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

  it("reads every error of the toolkit's tools by one codec", () => {
    const tags = errors.filter(({ room }) => room === "toolkit").map(({ tag }) => tag)
    const members = ToolkitError.ToolkitError.members.map(({ identifier }) => identifier)
    expect([...members, "WorkspaceUnusable"].sort()).toEqual(tags.sort())
    const codec = Schema.toCodecJson(ToolkitError.ToolkitError)
    const sent = new ToolkitError.FileNotFound({ path: "a.txt", message: "No such file: a.txt." })
    const back = Schema.decodeUnknownSync(codec)(JSON.parse(JSON.stringify(Schema.encodeSync(codec)(sent))))
    expect(back).toBeInstanceOf(ToolkitError.FileNotFound)
    expect(back).toMatchObject({ code: "ENOENT", path: "a.txt", message: sent.message })
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

const coded = (code: string, more: object = {}): Error => Object.assign(new Error("no"), { code, ...more })
const named = (name: string): Error => Object.assign(new Error("no"), { name })
const issues = [{ path: ["a"], message: "Required" }]

/** What is thrown, row by row, and its code. */
const thrown: ReadonlyArray<readonly [unknown, string]> = [
  ["known", "NORMALISED"],
  [{ _tag: "NoteMissing", code: "NOTE_GONE" }, "NOTE_GONE"],
  [named("TimeoutError"), "TIMEOUT_ERR"],
  [named("AbortError"), "ABORT_ERR"],
  [new Error("no", { cause: coded("ENOENT") }), "ENOENT"],
  [new Error("no", { cause: coded("23505", { severity: "ERROR" }) }), "SQLSTATE_23505"],
  [new Error("no", { cause: coded("P2002") }), "P2002"],
  [coded("ERR_BAD_REQUEST", { response: { status: 404 } }), "HTTP_404"],
  [Object.assign(new Error("no"), { cmd: "ls", code: 127 }), "EXIT_127"],
  [named("NoSuchRow"), "NO_SUCH_ROW"],
  [{ issues }, "VALIDATION_FAILED"],
  [new Error("no"), "UNKNOWN"],
]

/** Codes that a cell of the page stands for: `HTTP_4xx` and `SQLSTATE_22…` for many. */
const expand = (cell: string): ReadonlyArray<string> =>
  codesOf(cell).flatMap((name) =>
    name.endsWith("xx")
      ? Array.from({ length: 100 }, (_, i) => name.replace("xx", String(i).padStart(2, "0")))
      : [name.replace("…", name.startsWith("SQLSTATE_") ? "0P1" : "URL")],
  )

describe("the codes of foreign errors", () => {
  const rows = rowsOf(sectionOf(page(path), "Codes of foreign errors"))
  const codeRows = rows.slice(0, thrown.length)
  const retryRows = rows.slice(thrown.length)

  it("are those of the page, row by row", () => {
    const known: Foreign.Normaliser = (value) => (value === "known" ? { code: "NORMALISED" } : undefined)
    expect(rows).toHaveLength(thrown.length + 4)
    for (const [at, [value, code]] of thrown.entries()) {
      expect(Foreign.normalise(value, { normalisers: [known] }).code).toBe(code)
      const told = codesOf(codeRows[at]?.[1] ?? "")
      if (told.length > 0) expect(told).toContain(code)
    }
  })

  it("are worth what the page says, and the model reads the words of the page", () => {
    const exact = retryRows.flatMap(([cell = ""]) => codesOf(cell))
    expect(retryRows.map(([, retry]) => retry)).toEqual(["now", "later", "never", "later"])
    for (const [cell = "", retry, advice] of retryRows.slice(0, -1)) {
      const own = codesOf(cell)
      const codes = expand(cell).filter((code) => own.includes(code) || !exact.includes(code))
      expect(codes.filter((code) => Foreign.retryOf(code) !== retry)).toEqual([])
      expect(codes.filter((code) => adviceFor(undefined, code) !== advice)).toEqual([])
    }
    expect(Foreign.retryOf("SHOP_CLOSED")).toBeUndefined()
    expect(adviceFor(undefined, "SHOP_CLOSED")).toBe(retryRows.at(-1)?.[2])
  })
})
