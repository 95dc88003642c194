/** Real tool calls, the tools of real MCP servers, and odd schemas: what is taken, what is refused, and where. */
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { fromJsonSchema } from "../../src/jsonschema/JsonSchema.ts"
import * as RawParameters from "../../src/jsonschema/RawParameters.ts"
import * as Validator from "../../src/jsonschema/Validator.ts"
import * as Parameters from "../../src/spec/Parameters.ts"
import {
  blamed,
  calls,
  isHere,
  kindOf,
  mapWords,
  mcpServers,
  print,
  type Row,
  schemas,
  skipped,
  textOf,
} from "./corpus.ts"

type Way = Parameters.Parameters<unknown>

interface Ways {
  readonly raw: Way
  readonly spec: Way | undefined
}

const makeWays = (row: Row): Ways | undefined => {
  if (row.tool.parameters === null) return undefined
  const schema = mapWords(row.tool.parameters)
  const { spec } = fromJsonSchema(schema)
  return { raw: RawParameters.make(schema), spec: spec && Parameters.fromSpec(spec) }
}

/** Undefined when the way does what the label says. */
const disagrees = (row: Row, way: Way): string | undefined => {
  const result = Effect.runSync(Effect.result(way.decode(textOf(row))))
  if (Result.isSuccess(result)) return row.label === "invalid" ? "accepted" : undefined
  if (row.label === "unknown") return undefined
  if (row.label === "valid") return `refused: ${JSON.stringify(result.failure).slice(0, 120)}`
  const places = blamed(row)
  if (places === undefined) {
    return result.failure._tag === "Malformed" || kindOf(row) === undefined ? undefined : "taken for JSON"
  }
  if (result.failure._tag === "Malformed") return "taken for no JSON"
  const paths = result.failure.violations.map(({ path }) => path.join("/"))
  const missed = places.filter(
    (place) => !paths.some((path) => path === place || (place === "" && !path.includes("/"))),
  )
  return missed.length === 0 ? undefined : `says ${paths.join(", ")}, not ${missed.join(", ")}`
}

describe.skipIf(!isHere)("the corpus of calls", () => {
  it("is taken and refused as its labels say, with the violation at the place they blame", {
    timeout: 120_000,
  }, () => {
    const counts = new Map<string, number>()
    const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
    const disagreements: Array<ReadonlyArray<string>> = []
    const made = new Map<string, Ways | undefined>()
    for (const row of calls()) {
      const key = JSON.stringify(row.tool.parameters)
      if (!made.has(key)) made.set(key, makeWays(row))
      const ways = made.get(key)
      if (ways === undefined) {
        count(`${row.label}, no such tool`)
        continue
      }
      for (const [name, way] of [
        ["raw", ways.raw],
        ["spec", ways.spec],
      ] as const) {
        if (way === undefined) {
          count(`${row.label}, ${name}: cannot be said`)
          continue
        }
        const why = disagrees(row, way)
        count(
          `${row.label}, ${name}: ${why === undefined ? (row.label === "unknown" ? "ran" : "agrees") : "disagrees"}`,
        )
        if (why !== undefined) disagreements.push([row.id, row.label, name, row.why.slice(0, 60), why])
      }
    }
    const inSpecs = [...made.values()].filter((ways) => ways?.spec !== undefined).length
    print(`calls.jsonl: ${made.size} schemas, ${inSpecs} of them as specs`, [...counts].sort())
    print("disagreements", disagreements.length === 0 ? [["none"]] : disagreements)
    expect(disagreements).toEqual([])
    expect(counts.get("valid, raw: agrees")).toBe(2194)
    expect(counts.get("invalid, raw: agrees")).toBe(322)
  })
})

describe.skipIf(!isHere)("the tools of MCP servers", () => {
  it("all load, by the draft they name", () => {
    const drafts = new Map<string, number>()
    const unsupported = new Map<string, number>()
    const loaded = { input: 0, output: 0, specs: 0 }
    for (const { tools } of mcpServers()) {
      for (const { inputSchema, outputSchema } of tools) {
        const named = String(inputSchema["$schema"] ?? "none").replace(/^https?:\/\/json-schema.org\//, "")
        const draft = `input, $schema ${named}: read as ${Validator.make(inputSchema).draft}`
        drafts.set(draft, (drafts.get(draft) ?? 0) + 1)
        loaded.input++
        const read = fromJsonSchema(inputSchema)
        if (read.spec !== undefined) loaded.specs++
        for (const { keyword, why } of read.unsupported ?? []) {
          unsupported.set(`${keyword}: ${why}`, (unsupported.get(`${keyword}: ${why}`) ?? 0) + 1)
        }
        if (outputSchema === undefined) continue
        Validator.make(outputSchema)
        loaded.output++
      }
    }
    print(`mcp-tools.json: ${JSON.stringify(loaded)}`, [...drafts])
    print("what keeps an input schema from being a spec", [...unsupported])
    expect(loaded).toMatchObject({ input: 149, output: 25 })
  })
})

describe.skipIf(!isHere)("the odd schemas", () => {
  it("are refused with the place and the word as they are, and load once their words are mapped", () => {
    const refusals = new Map<string, number>()
    let loaded = 0
    for (const { tool } of schemas()) {
      if (tool.parameters === null) continue
      expect(() => RawParameters.make(mapWords(tool.parameters ?? {}))).not.toThrow()
      try {
        RawParameters.make(tool.parameters)
        loaded++
      } catch (error) {
        const text = String(error)
        expect(text).toMatch(/TypeError: (?:JSON Schema, at \S+: want one of|a tool takes an object)/)
        const word = /(?:got|type) (.*)$/.exec(text)?.[1] ?? text
        refusals.set(word, (refusals.get(word) ?? 0) + 1)
      }
    }
    print(`schemas.jsonl: ${schemas().length}, ${loaded} load as they are; refused words`, [...refusals])
    expect(loaded + [...refusals.values()].reduce((sum, n) => sum + n, 0)).toBe(261)
  })
})

describe.skipIf(isHere)("the corpus", () => {
  it("is not here", () => {
    print(skipped, [])
    expect(isHere).toBe(false)
  })
})
