/** Real calls and schemas, where they are beside the project; and the mapping of the words in which they say types. */
import { existsSync, readFileSync } from "node:fs"
import type { Schema } from "effect"

const folder = "../shared/corpus"
export const isHere = existsSync(`${folder}/calls.jsonl`)
export const skipped = "../shared/corpus is not here: its calls and schemas are not tried"

type Json = Schema.Json
type JsonObject = Schema.JsonObject

export interface Row {
  readonly id: string
  readonly source: string
  readonly tool: { readonly name: string; readonly parameters: JsonObject | null }
  readonly call: { readonly name: string; readonly arguments: Json }
  readonly label: "valid" | "invalid" | "unknown"
  readonly why: string
}

export interface McpServer {
  readonly package: string
  readonly tools: ReadonlyArray<{
    readonly name: string
    readonly inputSchema: JsonObject
    readonly outputSchema?: JsonObject
  }>
}

const lines = <A>(name: string): ReadonlyArray<A> =>
  readFileSync(`${folder}/${name}`, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): A => JSON.parse(line))

export const calls = (): ReadonlyArray<Row> => lines<Row>("calls.jsonl")
export const schemas = (): ReadonlyArray<Pick<Row, "id" | "tool">> => lines("schemas.jsonl")
export const mcpServers = (): ReadonlyArray<McpServer> =>
  JSON.parse(readFileSync(`${folder}/mcp-tools.json`, "utf8"))

/** The text that the model wrote; a placeholder stands for many brackets. */
export const textOf = ({ call }: Row): string =>
  typeof call.arguments === "string"
    ? call.arguments.replace(
        /@@DEEP(\d+)@@/,
        (_, depth) => "[".repeat(Number(depth)) + "]".repeat(Number(depth)),
      )
    : JSON.stringify(call.arguments)

/** How a call was damaged; undefined when it came as it is. */
export const kindOf = ({ id }: Pick<Row, "id">): string | undefined => id.split("~")[1]

/** The words of the corpus' README, and those of API-Bank, which it leaves out. */
const words: Readonly<Record<string, string>> = {
  dict: "object",
  HashMap: "object",
  float: "number",
  double: "number",
  tuple: "array",
  Array: "array",
  ArrayList: "array",
  String: "string",
  char: "string",
  Boolean: "boolean",
  long: "integer",
  str: "string",
  int: "integer",
  bool: "boolean",
  list: "array",
  "list(str)": "array",
}
const noType = new Set<Json>(["any", ""])
const isData = new Set(["default", "enum", "const", "example_value"])

/** Put the words of JSON Schema in place of a data set's. */
export const mapWords = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): ReadonlyArray<readonly [string, Json]> => {
      if (key === "type" && typeof value === "string")
        return noType.has(value) ? [] : [[key, words[value] ?? value]]
      if (key === "properties" && isObject(value)) {
        const mapped = Object.entries(value).map(([name, member]) => [name, mapJson(member)] as const)
        return [[key, Object.fromEntries(mapped)]]
      }
      return [[key, isData.has(key) ? value : mapJson(value)]]
    }),
  )

const mapJson = (value: Json): Json => (isObject(value) ? mapWords(value) : value)

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The places that a label blames, as paths with slashes; undefined when it blames the text, or no place. */
export const blamed = (row: Row): ReadonlyArray<string> | undefined => {
  const kind = kindOf(row)
  if (kind === undefined) {
    const reasons = /(?:otherwise|as required\)|schema): (.*?)(?: \(language|$)/.exec(row.why)?.[1]
    return reasons?.split("; ").map((reason) => (reason.split(": ")[0] ?? "").replace("(root)", ""))
  }
  if (kind.startsWith("raw-")) return undefined
  if (/^(?:root|null-text|wrapped)/.test(kind)) return [""]
  const name = /"([^"]+)"/.exec(row.why)?.[1]
  return name === undefined ? undefined : [name]
}

/** Print rows of cells under one another. */
export const print = (title: string, rows: ReadonlyArray<ReadonlyArray<string | number>>): void => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => String(row[column]).length)),
  )
  const text = rows.map((row) =>
    row.map((cell, column) => String(cell).padEnd(widths[column] ?? 0)).join("  "),
  )
  process.stdout.write(`\n${title}\n${text.join("\n")}\n`)
}
