/** docs/reference/json-schema.md says of every keyword what the code does with it. */
import type { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { fromJsonSchema } from "../../src/jsonschema/JsonSchema.ts"
import * as Validator from "../../src/jsonschema/Validator.ts"
import * as Projection from "../../src/projection/Projection.ts"
import { partOf, table } from "./Generated.ts"
import { page } from "./Page.ts"

const path = "docs/reference/json-schema.md"

type Sample = readonly [keyword: string, node: Schema.JsonObject, wrong?: Schema.Json]

const text = { type: "string" }
const point = { type: "object", properties: { x: text } }

/** A schema of the keyword, and a value that only the keyword refuses. */
const samples: ReadonlyArray<Sample> = [
  ["type", { type: "string" }, 1],
  ["type (several)", { type: ["string", "number"] }, true],
  ["enum", { ...text, enum: ["a"] }, "b"],
  ["enum (of objects)", { enum: [{ a: 1 }] }, "b"],
  ["const", { const: "a" }, "b"],
  ["minLength", { ...text, minLength: 2 }, "a"],
  ["maxLength", { ...text, maxLength: 2 }, "abc"],
  ["pattern", { ...text, pattern: "^a" }, "b"],
  ["format (date)", { ...text, format: "date" }],
  ["format (others)", { ...text, format: "regex" }],
  ["minimum", { type: "number", minimum: 1 }, 0],
  ["maximum", { type: "number", maximum: 1 }, 2],
  ["exclusiveMinimum", { type: "number", exclusiveMinimum: 1 }, 1],
  ["exclusiveMaximum", { type: "number", exclusiveMaximum: 1 }, 1],
  ["multipleOf", { type: "number", multipleOf: 2 }, 1],
  ["items", { type: "array", items: text }, [1]],
  ["items (left out)", { type: "array" }],
  ["prefixItems", { type: "array", prefixItems: [text], items: text }, [1]],
  ["minItems (1)", { type: "array", items: text, minItems: 1 }, []],
  ["minItems (more)", { type: "array", items: text, minItems: 2 }, ["a"]],
  ["maxItems", { type: "array", items: text, maxItems: 1 }, ["a", "b"]],
  ["uniqueItems", { type: "array", items: text, uniqueItems: true }, ["a", "a"]],
  ["contains", { type: "array", items: text, contains: { const: "a" } }, ["b"]],
  ["properties", point, { x: 1 }],
  ["required", { ...point, required: ["x"] }, {}],
  ["additionalProperties: false", { ...point, additionalProperties: false }, { y: 1 }],
  ["additionalProperties: true", { ...point, additionalProperties: true }],
  ["additionalProperties (only)", { type: "object", additionalProperties: text }, { y: 1 }],
  ["patternProperties", { ...point, patternProperties: { "^y": text } }, { y: 1 }],
  ["propertyNames", { ...point, propertyNames: { maxLength: 1 } }, { yy: 1 }],
  ["minProperties", { ...point, minProperties: 1 }, {}],
  ["maxProperties", { ...point, maxProperties: 1 }, { x: "a", y: 1 }],
  ["dependentRequired", { ...point, dependentRequired: { x: ["y"] } }, { x: "a" }],
  ["unevaluatedProperties", { ...point, unevaluatedProperties: false }, { y: 1 }],
  ["anyOf", { anyOf: [text, { type: "number" }] }, true],
  ["oneOf", { oneOf: [text, { type: "number" }] }, true],
  ["allOf (one)", { allOf: [text] }, 1],
  ["allOf (more)", { allOf: [text, { minLength: 2 }] }, "a"],
  ["not", { ...text, not: { const: "a" } }, "a"],
  ["if, then, else", { ...text, if: { const: "b" }, else: { minLength: 2 } }, "a"],
  ["$ref (inside)", { $ref: "#/$defs/Text" }, 1],
  ["true, {}", {}],
  ["default", { ...text, default: "a" }],
  ["examples", { ...text, examples: ["a"] }],
  ["title, description", { ...text, title: "T", description: "D" }],
  ["deprecated", { ...text, deprecated: true }],
]

const toolOf = (node: Schema.JsonObject): Schema.JsonObject => ({
  type: "object",
  properties: { v: node },
  required: ["v"],
  $defs: { Text: text },
})

const projected = (target: Projection.Target, tool: Schema.JsonObject): string => {
  const { isStrict, losses } = target.project(tool)
  if (!isStrict) return "bars"
  return losses.length === 0 ? "kept" : "lost"
}

const rowOf = ([keyword, node, wrong]: Sample): ReadonlyArray<string> => {
  const tool = toolOf(node)
  const { check } = Validator.make(tool)
  const isChecked = wrong !== undefined && check({ v: wrong }).length > 0
  return [
    keyword.replace(/^[^ (,:]+/, (word) => `\`${word}\``),
    isChecked ? "checked" : "–",
    fromJsonSchema(tool).spec === undefined ? "no" : "yes",
    projected(Projection.openAi, tool),
    projected(Projection.anthropic, tool),
  ]
}

describe("the page of JSON Schema", () => {
  it("says of every keyword what is done with it", () => {
    const head = ["keyword", "`validate: true`", "`fromJsonSchema`", "OpenAI", "Anthropic"]
    const wanted = table(head, samples.map(rowOf))
    expect(partOf(path, "keywords", wanted)).toBe(wanted)
  })

  it("has samples whose wrong values are refused", () => {
    const unchecked = samples.filter(
      ([, node, wrong]) =>
        wrong !== undefined && Validator.make(toolOf(node)).check({ v: wrong }).length === 0,
    )
    expect(unchecked.map(([keyword]) => keyword)).toEqual([])
  })

  it("says which draft is read as what", () => {
    const names = [
      "http://json-schema.org/draft-04/schema#",
      "http://json-schema.org/draft-06/schema#",
      "http://json-schema.org/draft-07/schema#",
      "https://json-schema.org/draft/2019-09/schema",
      "https://json-schema.org/draft/2020-12/schema",
    ]
    const read = (schema: Schema.JsonObject): string => {
      try {
        return Validator.make(schema).draft
      } catch {
        return "refused"
      }
    }
    const older = { type: "object", properties: { v: { type: "array", items: [text] } } }
    const wanted = table(
      ["`$schema`", "read as"],
      [
        ...names.map((name) => [`\`${name}\``, read({ $schema: name, type: "object" })]),
        ["none", read({ type: "object" })],
        ["none, with an array of `items`", read(older)],
      ],
    )
    expect(partOf(path, "drafts", wanted)).toBe(wanted)
  })

  it("has the limits", () => {
    expect(page(path)).toContain(`At most ${Validator.maxViolations} violations`)
    expect(page(path)).toContain(`more than ${Validator.maxThorough.toLocaleString("en")} values`)
  })
})
