/** docs/reference/events.md is what the schemas say. */
import { readdirSync, readFileSync } from "node:fs"
import { type Schema, SchemaAST } from "effect"
import { describe, expect, it } from "vitest"
import { Violation } from "../../src/error/Violation.ts"
import { payloads, version } from "../../src/event/SessionEvent.ts"
import { ImageBlock, ReasoningBlock, TextBlock, ToolCallBlock } from "../../src/message/Content.ts"
import { Finish, Usage } from "../../src/message/ModelChunk.ts"
import { blocksOf, codesOf, page, rowsOf, sectionOf } from "./Page.ts"

const text = page("docs/reference/events.md")

interface Struct {
  readonly fields: Readonly<Record<string, Schema.Constraint>>
}

/** Names of the fields in order, those that may be absent with a question mark. */
const fieldsOf = ({ fields }: Struct): ReadonlyArray<string> =>
  Object.entries(fields).map(([name, { ast }]) => (SchemaAST.isOptional(ast) ? `${name}?` : name))

/** The names that a cell tells, without those inside braces. */
const toldIn = (cell: string): ReadonlyArray<string> => codesOf(cell.replace(/\[?\{[^}]*\}\]?/g, ""))

const rows = rowsOf(sectionOf(text, "Types"))
const typeOf = (row: ReadonlyArray<string>): string => codesOf(row[0] ?? "").join()

describe("the page of events", () => {
  it("has every type with its fields, and no other", () => {
    const told = rows.map((row) => [typeOf(row), toldIn(row[1] ?? "")])
    expect(told).toEqual(Object.entries(payloads).map(([type, schema]) => [type, fieldsOf(schema)]))
  })

  it("has the fields of every shape", () => {
    const shapes = {
      "text block": TextBlock,
      "reasoning block": ReasoningBlock,
      "tool call block": ToolCallBlock,
      "image block": ImageBlock,
      usage: Usage,
      finish: Finish,
      violation: Violation,
    }
    const told = rowsOf(sectionOf(text, "Shapes")).map(([name, fields = ""]) => [name, codesOf(fields)])
    expect(told).toEqual(Object.entries(shapes).map(([name, schema]) => [name, fieldsOf(schema)]))
  })

  it("marks the types that nothing writes", () => {
    const sources = ["call", "turn", "loop", "session", "recovery", "compaction", "fork"].flatMap((room) =>
      readdirSync(`src/${room}`).map((name) => readFileSync(`src/${room}/${name}`, "utf8")),
    )
    // A type is written where a draft names it; `accept.ts` puts the kind of a message before `/message`.
    const isWritten = (type: string) =>
      sources.some(
        (source) => source.includes(`type: "${type}", data`) || source.includes(`type: "${type}",\n`),
      ) || /^(user|steering|context)\/message$/.test(type)
    const marked = rows.filter(([type = ""]) => type.endsWith("†")).map(typeOf)
    expect(marked).toEqual(rows.map(typeOf).filter((type) => !isWritten(type)))
  })

  it("tells the kinds of ends and finishes", () => {
    const [end = ""] = rows.filter((row) => typeOf(row) === "turn/end").map((row) => row[1])
    expect(end).toContain(`\`kind\`: ${payloads["turn/end"].fields.reason.fields.kind.literals.join(", ")};`)
    for (const kind of Finish.fields.kind.literals) expect(sectionOf(text, "Shapes")).toContain(`\`${kind}\``)
  })

  it("tells the version", () => {
    expect(sectionOf(text, "Versions")).toContain(`this is version ${version}.`)
  })

  it("quotes rows of a log that is there", () => {
    const log = readFileSync("docs/examples/logs/lawful.jsonl", "utf8")
    const quoted = blocksOf(text).filter(({ language }) => language === "jsonl")
    expect(quoted.filter((block) => !log.includes(block.text))).toEqual([])
    expect(quoted.length).toBe(2)
  })
})
