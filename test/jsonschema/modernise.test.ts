/** What older schemas say is the same to both readers: the one that checks, and the one that translates to a spec. */
import type { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { fromJsonSchema } from "../../src/jsonschema/JsonSchema.ts"
import * as Validator from "../../src/jsonschema/Validator.ts"
import { compile } from "../../src/spec/SchemaSpec.ts"

const object = (v: Schema.JsonObject, more: Schema.JsonObject = {}): Schema.JsonObject => ({
  ...more,
  type: "object",
  properties: { v },
})
const old = { $schema: "http://json-schema.org/draft-04/schema#" }

type Case = readonly [
  string,
  Schema.JsonObject,
  taken: ReadonlyArray<Schema.Json>,
  refused: ReadonlyArray<Schema.Json>,
]
const cases: ReadonlyArray<Case> = [
  ["nullable beside a type", object({ type: "string", nullable: true }), ["a", null], [1]],
  [
    "nullable beside a list that has null",
    object({ type: "string", enum: ["a", null], nullable: true }),
    ["a", null],
    ["b"],
  ],
  [
    "nullable beside a list without null",
    object({ type: "string", enum: ["a"], nullable: true }),
    ["a"],
    [null],
  ],
  ["nullable: false", object({ type: "string", nullable: false }), ["a"], [null]],
  [
    "nullable without a type, beside a union",
    object({ nullable: true, anyOf: [{ type: "string" }, { type: "integer" }] }),
    ["a", 1],
    [null],
  ],
  ["nullable without a type, with a note", object({ nullable: true, description: "x" }), [null, 1], []],
  [
    "nullable beside a reference",
    object({ nullable: true, allOf: [{ $ref: "#/$defs/A" }] }, { $defs: { A: { type: "string" } } }),
    ["a"],
    [null],
  ],
  [
    "nullable as a name",
    object({ type: "object", properties: { nullable: { type: "boolean" } } }),
    [{ nullable: true }],
    [{ nullable: 1 }],
  ],
  ["a flag of draft-04", object({ type: "integer", minimum: 0, exclusiveMinimum: true }, old), [1], [0]],
  [
    "a flag of draft-04 that is off",
    object({ type: "integer", maximum: 9, exclusiveMaximum: false }, old),
    [9],
    [10],
  ],
  ["an id of draft-04", object({ type: "string" }, { ...old, id: "x" }), ["a"], [1]],
  ["prices", object({ type: "number", multipleOf: 0.01 }), [19.99, 0.07, 1e21], [19.999]],
  ["tenths", object({ type: "number", multipleOf: 0.1 }), [0.3, 0.7, -1.1], [0.35]],
]

describe("a schema of another time", () => {
  it.each(cases)("means the same to both readers: %s", (_, schema, taken, refused) => {
    const validator = Validator.make(schema)
    const { spec } = fromJsonSchema(schema)
    if (spec === undefined) throw new Error("no spec")
    const { is } = compile(spec)
    for (const [values, fits] of [
      [taken, true],
      [refused, false],
    ] as const)
      for (const v of values)
        expect([v, validator.check({ v }).length === 0, is({ v })]).toEqual([v, fits, fits])
  })

  it("names the step that a number misses", () => {
    expect(Validator.make(object({ type: "number", multipleOf: 0.01 })).check({ v: 1.001 })).toMatchObject([
      { path: ["v"], expected: "a multiple of 0.01" },
    ])
  })
})
