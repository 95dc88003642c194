import { describe, expect, it } from "vitest"
import { fromJsonSchema } from "../../src/jsonschema/JsonSchema.ts"

const read = (properties: object, more: object = {}) =>
  fromJsonSchema({ type: "object", properties: { ...properties }, ...more })

const bars = (properties: object, more?: object) =>
  read(properties, more).unsupported?.map(({ path, why }) => `${path.join(".")}: ${why}`)

describe("a schema as a spec", () => {
  it("keeps what it says, and what it tells the model", () => {
    const { spec } = read(
      {
        q: {
          type: "string",
          minLength: 1,
          pattern: "^a",
          format: "uri",
          description: "words",
          examples: ["a"],
        },
        n: { type: "integer", minimum: 1, exclusiveMaximum: 9, default: 3 },
        l: { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true },
        o: {
          type: "object",
          properties: { x: { type: "number" } },
          required: ["x"],
          additionalProperties: false,
        },
        r: { type: "object", additionalProperties: { type: "string" } },
        e: { enum: ["a", 1, null], title: "E" },
      },
      { required: ["q"], $schema: "https://json-schema.org/draft/2020-12/schema", description: "Search." },
    )
    expect(spec).toEqual({
      type: "object",
      description: "Search.",
      properties: {
        q: {
          type: "string",
          minLength: 1,
          pattern: "^a",
          format: "uri",
          description: "words",
          examples: ["a"],
          required: true,
        },
        n: { type: "integer", minimum: 1, exclusiveMaximum: 9, default: 3 },
        l: { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true },
        o: {
          type: "object",
          properties: { x: { type: "number", required: true } },
          additionalProperties: false,
        },
        r: { type: "object", additionalProperties: { type: "string" } },
        e: { enum: ["a", 1, null], title: "E" },
      },
    })
  })

  it("says null beside a type, types side by side, and unions", () => {
    expect(
      read({
        a: { type: ["string", "null"] },
        b: { type: ["string", "number"] },
        c: { anyOf: [{ type: "integer" }, { type: "null" }] },
        d: { oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
        e: { type: ["string", "null"], enum: ["x", null] },
      }).spec?.properties,
    ).toEqual({
      a: { type: "string", nullable: true },
      b: { anyOf: [{ type: "string" }, { type: "number" }] },
      c: { type: "integer", nullable: true },
      d: { oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
      e: { enum: ["x", null] },
    })
  })

  it("names what a reference names, where it stands first", () => {
    const tree = {
      Node: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/Node" } } } },
    }
    expect(
      read({ a: { $ref: "#/$defs/Node" }, b: { $ref: "#/$defs/Node" } }, { $defs: tree }).spec?.properties,
    ).toEqual({
      a: { type: "object", name: "Node", properties: { kids: { type: "array", items: { ref: "Node" } } } },
      b: { ref: "Node" },
    })
  })

  it("drops a default that breaks its own schema", () => {
    expect(read({ n: { type: "integer", default: "None" } }).spec?.properties).toEqual({
      n: { type: "integer" },
    })
  })
})

describe("what a spec cannot say", () => {
  it("is listed, all of it, with its place", () => {
    expect(
      bars(
        {
          a: { type: "dict" },
          b: { type: "array", items: [{ type: "string" }] },
          c: { type: "object", patternProperties: { "^x": {} }, minProperties: 1 },
          d: { allOf: [{ type: "string" }, { minLength: 1 }] },
          e: { minLength: 3 },
          f: { type: "string", not: { const: "x" } },
          g: { enum: [{ a: 1 }] },
          h: { type: "integer", enum: ["1"] },
          i: false,
          j: { $ref: "https://example.com/x" },
          constructor: { type: "string" },
          k: { $ref: "#/$defs/%" },
          l: { type: "string", pattern: "(" },
          m: { type: "array", items: { type: "integer", minimum: 3, maximum: 1 } },
          n: { type: "integer", minimum: 0, exclusiveMinimum: true },
        },
        { required: ["z"], additionalProperties: false },
      ),
    ).toMatchInlineSnapshot(`
      [
        "properties.a.type: "dict" is no type of JSON Schema",
        "properties.b.items: specs have no tuples",
        "properties.c.patternProperties: specs have no such keyword",
        "properties.c.minProperties: specs have no such keyword",
        "properties.d.allOf: specs are not combined like this",
        "properties.e.minLength: without a type it also takes values of all other types",
        "properties.f.not: specs are not combined like this",
        "properties.g.enum: specs list strings, numbers, booleans and null only",
        "properties.h.enum: no member is of the type beside it: nothing fits",
        "properties.i: a place where nothing fits",
        "properties.j.$ref: "https://example.com/x" is no pointer into this schema",
        "properties.constructor: a spec has no property of this name",
        "properties.k.$ref: "#/$defs/%" is no pointer into this schema",
        "properties.l.pattern: pattern "(" is no regular expression with the u flag",
        "properties.m.items.minimum: nothing fits: there is no integer from 3 to 1",
        "properties.n.exclusiveMinimum: exclusiveMinimum is no finite number",
        "required: "z" is required and not allowed",
      ]
    `)
  })

  it("is the whole root when it takes no object", () => {
    expect(fromJsonSchema({ type: "array", items: { type: "string" } }).unsupported).toEqual([
      { path: [], keyword: "type", why: "a tool takes an object" },
    ])
  })
})
