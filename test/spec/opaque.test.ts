/** When the marks of a JSON Schema cannot be followed to places in a value: then all of the arguments are one secret. */
import type { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { isOpaque } from "../../src/spec/opaque.ts"
import * as Sensitive from "../../src/spec/Sensitive.ts"

const secret = { type: "string", writeOnly: true }
const member = (m: Schema.Json, more: Schema.JsonObject = {}) => ({ properties: { m }, ...more })

/** Keywords that say something of a place, and that a mask does not follow. */
const aside: ReadonlyArray<readonly [keyword: string, schema: Schema.Json]> = [
  ["dependentSchemas", { a: member(secret) }],
  ["dependencies", { a: member(secret) }],
  ["contains", secret],
  ["propertyNames", secret],
  ["not", secret],
  ["contentSchema", member(secret)],
  ["unevaluatedProperties", secret],
  ["unevaluatedItems", secret],
  ["additionalItems", secret],
]

/** Keywords whose keys are names that somebody chose. */
const holders = [
  ...["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"],
]

/** Keywords that hold a value, or several. */
const values = ["const", "enum", "default", "examples"]

const lost = { $ref: "#T" }

describe("a schema that marks a secret", () => {
  it.each(aside)("below %s hides all of the arguments", (keyword, schema) => {
    for (const document of [{ [keyword]: schema }, member({ [keyword]: schema })]) {
      expect(isOpaque(document)).toBe(true)
      expect(Sensitive.maskOf(document)?.({ m: "s", a: 1 }, () => "*")).toBe("*")
    }
  })

  it.each(aside)("behind a reference below %s does, too", (keyword, schema) => {
    const document = member(
      { [keyword]: { x: { $ref: "#/$defs/S" } } },
      { $defs: { S: { anyOf: [schema] } } },
    )
    expect(Sensitive.maskOf(document)?.({ m: "s", a: 1 }, () => "*")).toBe("*")
  })

  it.each(aside)("beside %s hides what it marks", (keyword) => {
    const document = { properties: { k: secret, m: { [keyword]: { type: "string" } } } }
    expect(Sensitive.maskOf(document)?.({ k: "s", m: "t" }, () => "*")).toEqual({ k: "*", m: "t" })
  })
})

describe("a schema leads away", () => {
  const away: ReadonlyArray<readonly [what: string, schema: Schema.JsonObject]> = [
    ["an anchor", { $ref: "#T" }],
    ["a place that is not there", { $ref: "#/$defs/none" }],
    ["a flag in place of a schema", { $ref: "#/$defs/flag" }],
    ["another document", { $ref: "https://example.org/schema" }],
    ["a dynamic anchor", { $dynamicRef: "#T" }],
    ["a recursive anchor", { $recursiveRef: "#" }],
    ["another base", { $id: "other" }],
  ]
  it.each(away)("by %s, wherever it stands", (_, schema) => {
    const $defs = { flag: true }
    for (const document of [
      member(schema, { $defs }),
      { items: schema, $defs },
      { anyOf: [{}, schema], $defs },
      { allOf: [member(schema)], $defs },
      { additionalProperties: schema, $defs },
      { $defs: { ...$defs, X: schema } },
    ])
      expect([document, isOpaque(document)]).toEqual([document, true])
  })

  it("by no name of its own, and no reference into itself", () => {
    expect(isOpaque({ $id: "https://example.org/schema", ...member({ $ref: "#" }) })).toBe(false)
    expect(isOpaque(member({ $ref: "#/$defs/S" }, { $defs: { S: {} } }))).toBe(false)
    expect(isOpaque({ $dynamicRef: 1, $recursiveRef: 1, items: { $id: 1, $ref: 1 } })).toBe(false)
  })

  it.each(holders)("by the schema of any name in %s, whatever the name", (keyword) => {
    for (const name of [...values, "not", "a"])
      expect([name, isOpaque({ [keyword]: { [name]: lost } })]).toEqual([name, true])
  })

  it.each(holders.filter((keyword) => !aside.some(([other]) => other === keyword)))(
    "by no name in %s that is a keyword elsewhere",
    (keyword) => {
      for (const [name] of aside)
        expect([name, isOpaque({ [keyword]: { [name]: secret } })]).toEqual([name, false])
    },
  )

  it.each(values)("by no value in %s that looks like a schema", (keyword) => {
    expect(isOpaque(member({ [keyword]: lost }))).toBe(false)
    expect(isOpaque(member({ [keyword]: [lost] }))).toBe(false)
    expect(isOpaque({ items: { [keyword]: lost } })).toBe(false)
  })

  it("by nothing that is no schema", () => {
    expect(isOpaque({ properties: null, $defs: 1, items: "x", anyOf: [null, true] })).toBe(false)
  })
})
