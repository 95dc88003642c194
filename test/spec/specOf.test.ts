/** What a JSON Schema of Effect's says, as a spec: no less is taken by it. */
import { it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import * as Specs from "../../src/arbitrary/Specs.ts"
import * as Values from "../../src/arbitrary/Values.ts"
import { compileRoot } from "../../src/kind/Compiler.ts"
import { compile } from "../../src/spec/SchemaSpec.ts"
import { specOf } from "../../src/spec/specOf.ts"
import { runs } from "../runs.ts"

const any = { type: "any" }
const text = { type: "string" }
const number = { type: "number" }
const nonFinite = { type: "string", enum: ["Infinity", "-Infinity", "NaN"] }

type Row = readonly [what: string, schema: Schema.JsonObject, spec: object]
const rows: ReadonlyArray<Row> = [
  ...[
    { type: "string", minLength: 1, maxLength: 9, pattern: "^a" },
    { type: "string", enum: ["a", "b"] },
    { type: "string", const: "a" },
    { type: "number", minimum: 1, maximum: 9, multipleOf: 2 },
    { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 9 },
    { type: "boolean", enum: [true] },
    { type: "null" },
    { type: "array", minItems: 1, maxItems: 2, uniqueItems: true },
    { enum: ["a", 1, null] },
    { const: 0 },
  ].map((same): Row => [`${JSON.stringify(same)} is itself`, same, same]),
  ["words for the model say nothing", { type: "string", title: "T", description: "d" }, text],
  [
    "the bounds of every integer say nothing",
    { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    { type: "integer" },
  ],
  [
    "items are read",
    { type: "array", items: { type: "string", title: "T" } },
    { type: "array", items: text },
  ],
  ["items of a tuple are not", { type: "array", prefixItems: [text], items: false }, { type: "array" }],
  ["items of what is no list are not", { enum: [1], items: text }, { enum: [1] }],
  ["several types are anything", { type: ["string", "null"], minLength: 1 }, any],
  ["no type is anything", { minLength: 1, not: {} }, any],
  ["what is marked is sensitive", { type: "string", writeOnly: true }, { type: "string", sensitive: true }],
  ["what is marked as no secret is not", { type: "string", writeOnly: false }, text],
  ["one branch is itself", { anyOf: [text] }, text],
  ["branches are read", { oneOf: [text, number] }, { anyOf: [text, number] }],
  ["null is a word", { anyOf: [text, { type: "null" }] }, { type: "string", nullable: true }],
  [
    "null beside several is a word",
    { anyOf: [text, { type: "null" }, number] },
    { anyOf: [text, number], nullable: true },
  ],
  ["anything takes null by itself", { anyOf: [{}, { type: "null" }] }, any],
  ["anything beside a text is anything", { anyOf: [text, {}] }, any],
  ["anything beside what is no schema is anything", { anyOf: [text, true] }, any],
  ["words for numbers that JSON has not are left out", { anyOf: [number, nonFinite] }, number],
  [
    "other words are not",
    { anyOf: [number, { type: "string", enum: ["NaN"] }] },
    { anyOf: [number, { type: "string", enum: ["NaN"] }] },
  ],
]

const member = (schema: Schema.Json, more: Schema.JsonObject = {}) =>
  specOf({ type: "object", properties: { m: schema }, ...more })

describe("a JSON Schema as a spec", () => {
  it.each(rows)("%s", (_, schema, spec) => {
    expect(member(schema)).toStrictEqual({ type: "object", properties: { m: spec } })
  })

  it.each<Row>([
    ["no members", {}, { properties: {} }],
    ["members that are none", { properties: 1, required: 1 }, { properties: {} }],
    [
      "required members, and no others",
      { properties: { a: text, b: text }, required: ["a", "c"] },
      { properties: { a: { type: "string", required: true }, b: text } },
    ],
    [
      "that there are no other keys",
      { additionalProperties: false },
      { properties: {}, additionalProperties: false },
    ],
    [
      "what other keys hold",
      { additionalProperties: { type: "number", title: "T" } },
      { properties: {}, additionalProperties: number },
    ],
    ["nothing of other keys that hold anything", { additionalProperties: true }, { properties: {} }],
  ])("of an object says %s", (_, schema, spec) => {
    expect(specOf({ type: "object", ...schema })).toStrictEqual({ type: "object", ...spec })
  })

  it("calls what is referred to by its name, once said in full", () => {
    const tree = { type: "object", properties: { next: { $ref: "#/$defs/Tree" } } }
    const document = {
      type: "object",
      properties: { one: { $ref: "#/$defs/Tree" }, two: { $ref: "#/$defs/Tree" } },
      $defs: { Tree: tree },
    }
    expect(specOf(document)).toStrictEqual({
      type: "object",
      properties: {
        one: { type: "object", properties: { next: { ref: "Tree" } }, name: "Tree" },
        two: { ref: "Tree" },
      },
    })
  })

  it.each(["#", "#/$defs/my%20id", "#/$defs/a/b", "#/$defs/1", "a.json#/$defs/Text", "#/$defs/Text/"])(
    "takes anything where %s leads to no name of a spec",
    ($ref) => {
      const $defs = { Text: text, "1": text, a: { b: text }, "my id": text }
      expect(member({ $ref }, { $defs })).toStrictEqual({ type: "object", properties: { m: any } })
    },
  )

  it("takes whatever the spec takes that it was made of", () => {
    const specAndValues = Specs.spec.chain((of) =>
      fc.tuple(fc.constant(of), fc.array(Values.near(of), { minLength: 4, maxLength: 4 })),
    )
    let refused = 0
    fc.assert(
      fc.property(specAndValues, ([of, values]) => {
        const { is, jsonSchema } = compile(of)
        const again = compileRoot(specOf(jsonSchema))
        for (const value of values) {
          if (is(value)) expect([value, again.is(value)]).toEqual([value, true])
          else if (!again.is(value)) refused++
        }
      }),
      { numRuns: runs(60) },
    )
    expect(refused).toBeGreaterThan(0)
  })

  it("is the spec that one would write for an Effect Schema", () => {
    const schema = Schema.Struct({
      path: Schema.NonEmptyString,
      limit: Schema.optionalKey(Schema.NullOr(Schema.Int.check(Schema.isGreaterThan(0)))),
      ratio: Schema.Number,
      mode: Schema.Literals(["fast", "careful"]),
      tags: Schema.Array(Schema.String).check(Schema.isMaxLength(3)),
    })
    expect(specOf(Schema.toJsonSchemaDocument(schema).schema)).toStrictEqual({
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, required: true },
        limit: { type: "integer", exclusiveMinimum: 0, nullable: true },
        ratio: { type: "number", required: true },
        mode: { type: "string", enum: ["fast", "careful"], required: true },
        tags: { type: "array", items: text, maxItems: 3, required: true },
      },
    })
  })
})
