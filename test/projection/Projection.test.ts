import { describe, expect, it } from "vitest"
import * as Projection from "../../src/projection/Projection.ts"

const { openAi, anthropic } = Projection

const search = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: {
    q: { type: "string", minLength: 1, description: "words" },
    limit: { type: "integer", minimum: 1, default: 10 },
    order: { type: "string", enum: ["asc", "desc"] },
    after: { type: "string", format: "date-time" },
    link: { type: "string", format: "uri" },
    filter: { oneOf: [{ type: "string" }, { type: "array", items: { type: "string" }, minItems: 2 }] },
    note: { type: ["string", "null"] },
  },
  required: ["q"],
} as const

const losses = ({ losses: all }: Projection.Projected) =>
  all.map(({ path, what }) => `${path.join(".")}: ${what}`)

describe("the projection for OpenAI", () => {
  const projected = openAi.project(search)

  it("closes objects, requires every key, and lets null stand for an absent one", () => {
    expect(projected.isStrict).toBe(true)
    expect(projected.schema).toEqual({
      type: "object",
      properties: {
        q: { type: "string", description: "words" },
        limit: { type: ["integer", "null"], minimum: 1 },
        order: { type: ["string", "null"], enum: ["asc", "desc", null] },
        after: { type: ["string", "null"], format: "date-time" },
        link: { type: ["string", "null"] },
        filter: {
          anyOf: [
            { type: "string" },
            { type: "array", items: { type: "string" }, minItems: 2 },
            { type: "null" },
          ],
        },
        note: { type: ["string", "null"] },
      },
      required: ["q", "limit", "order", "after", "link", "filter", "note"],
      additionalProperties: false,
    })
  })

  it("says what is lost, and where", () => {
    expect(losses(projected)).toEqual([
      "properties.q.minLength: the model is not held to 1",
      "properties.limit.default: the model is not told",
      'properties.link.format: "uri" is not known there',
      "properties.filter.oneOf: sent as anyOf: more than one may fit",
      "properties.note: absent and null are one: null is what the tool gets",
    ])
  })

  it("takes the nulls away that it asked for, and no others", () => {
    const args = { q: "cats", limit: null, order: null, filter: null, note: null, other: null }
    expect(projected.restore(args)).toEqual({ q: "cats", note: null, other: null })
    const whole = { q: "cats", limit: 3 }
    expect(projected.restore(whole)).toBe(whole)
  })

  it("finds such nulls in items, branches and definitions", () => {
    const nested = {
      type: "object",
      properties: {
        list: { type: "array", items: { $ref: "#/$defs/Point" } },
        one: { anyOf: [{ $ref: "#/$defs/Point" }, { type: "string" }] },
      },
      required: ["list", "one"],
      $defs: {
        Point: {
          type: "object",
          properties: { x: { type: "number" }, label: { type: "string" } },
          required: ["x"],
        },
      },
    }
    const { restore, isStrict } = openAi.project(nested)
    expect(isStrict).toBe(true)
    expect(restore({ list: [{ x: 1, label: null }], one: { x: 2, label: null } })).toEqual({
      list: [{ x: 1 }],
      one: { x: 2 },
    })
    expect(restore({ list: [{ x: null, label: "a" }], one: "b" })).toEqual({
      list: [{ x: null, label: "a" }],
      one: "b",
    })
  })

  it("hands a schema back whose values it could not say, with the bars", () => {
    const open = {
      type: "object",
      properties: { headers: { type: "object", additionalProperties: { type: "string" } }, any: {} },
    }
    const result = openAi.project(open)
    expect(result.isStrict).toBe(false)
    expect(result.schema).toBe(open)
    expect(result.losses.filter(({ isBar }) => isBar).map(({ path }) => path.join("."))).toEqual([
      "properties.headers.additionalProperties",
      "properties.any.type",
    ])
  })

  it("reads what it gives, and not what it was given", () => {
    expect(openAi.reads(projected.schema)).toBe(true)
    expect(openAi.reads(search)).toBe(false)
  })

  it("bars what is larger than the provider reads", () => {
    const nest = (depth: number): object =>
      depth === 0
        ? { type: "string" }
        : { type: "object", properties: { in: nest(depth - 1) }, required: ["in"] }
    expect(openAi.project({ ...nest(10) }).isStrict).toBe(true)
    expect(openAi.project({ ...nest(11) }).losses).toEqual([
      { path: [], keyword: "properties", what: "11 objects inside one another, 10 are read", isBar: true },
    ])
  })
})

describe("the projection for Anthropic", () => {
  const projected = anthropic.project(search)

  it("closes objects, and leaves optional keys optional", () => {
    expect(projected.schema).toMatchObject({ required: ["q"], additionalProperties: false })
    expect(projected.schema["properties"]).toMatchObject({
      limit: { type: "integer", default: 10 },
      link: { type: "string", format: "uri" },
      filter: { anyOf: [{ type: "string" }, { type: "array", minItems: 1 }] },
    })
  })

  it("says which bounds are lost", () => {
    expect(losses(projected)).toEqual([
      "properties.q.minLength: the model is not held to 1",
      "properties.limit.minimum: the model is not held to 1",
      "properties.filter.oneOf: sent as anyOf: more than one may fit",
      "properties.filter.oneOf.1.minItems: the model is not held to 2",
    ])
  })

  it("bars recursion, which OpenAI reads", () => {
    const tree = {
      type: "object",
      properties: { root: { $ref: "#/$defs/Node" } },
      $defs: {
        Node: {
          type: "object",
          properties: { kids: { type: "array", items: { $ref: "#/$defs/Node" } } },
          required: ["kids"],
        },
      },
    }
    expect(anthropic.project(tree).losses).toEqual([
      { path: [], keyword: "$ref", what: "it goes round in a circle", isBar: true },
    ])
    expect(openAi.project(tree).isStrict).toBe(true)
  })

  it("drops patterns that are beyond a regular language", () => {
    const pattern = (text: string) => ({
      type: "object",
      properties: { x: { type: "string", pattern: text } },
    })
    expect(losses(anthropic.project(pattern("^[a-z]+$")))).toEqual([])
    expect(losses(anthropic.project(pattern("^(?=a)")))).toEqual([
      'properties.x.pattern: the model is not held to "^(?=a)"',
    ])
  })

  it("has nothing to take away from the arguments", () => {
    const args = { q: "cats", limit: null }
    expect(projected.restore(args)).toBe(args)
  })
})
