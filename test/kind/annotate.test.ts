/** What every kind understands beside its own keywords, in all readings. */
import { Exit, Schema } from "effect"
import { describe, expect, it } from "vitest"
import * as SchemaSpec from "../../src/spec/SchemaSpec.ts"

const compile = (spec: object) => SchemaSpec.compile({ v: spec } as SchemaSpec.SchemaSpec)
const say = (spec: object, value: unknown) =>
  compile(spec)
    .violations({ v: value })
    .map(({ message }) => message)

describe("nullable", () => {
  it.each<readonly [what: string, spec: object, shown: object, says: string]>([
    ["a type", { type: "string" }, { type: ["string", "null"] }, "string"],
    ["a choice", { enum: ["a", 1] }, { enum: ["a", 1, null] }, 'one of "a", 1'],
    ["a constant", { const: "a" }, { enum: ["a", null] }, '"a"'],
    [
      "a choice of a type",
      { type: "string", enum: ["a", "b"], title: "T" },
      { type: ["string", "null"], enum: ["a", "b", null], title: "T" },
      'one of "a", "b"',
    ],
    [
      "branches",
      { anyOf: [{ type: "string" }, { type: "integer" }] },
      { anyOf: [{ anyOf: [{ type: "string" }, { type: "integer" }] }, { type: "null" }] },
      "string or integer",
    ],
  ])("adds null to %s, wherever it is read", (_, spec, shown, says) => {
    const compiled = compile({ ...spec, nullable: true })
    expect(compiled.jsonSchema).toEqual({ type: "object", properties: { v: shown } })
    expect([compiled.is({ v: null }), compile(spec).is({ v: null })]).toEqual([true, false])
    expect(Exit.isSuccess(Schema.decodeUnknownExit(compiled.schema)({ v: null }))).toBe(true)
    expect(say({ ...spec, nullable: true }, null)).toEqual([])
    expect(say({ ...spec, nullable: true }, [])).toEqual([`v: want ${says}, got array of 0 items`])
    const [missing] = compile({ ...spec, nullable: true, required: true }).violations({})
    expect(missing?.message).toBe(`v: missing, want ${says} or null`)
  })

  it("keeps a choice a tag, null included", () => {
    const branch = (kind: object) => ({ type: "object", properties: { kind: { ...kind, required: true } } })
    const oneOf = [branch({ const: "a", nullable: true }), branch({ const: "b" })]
    expect(say({ oneOf }, { kind: "c" })).toEqual(['v.kind: want one of "a", null, "b", got string "c"'])
    expect(say({ oneOf }, { kind: null })).toEqual([])
  })

  it("hides what is in it, and not null itself", () => {
    const { mask } = compile({
      type: "object",
      nullable: true,
      properties: { key: { type: "string", sensitive: true } },
    })
    expect(mask?.({ v: null }, () => "*")).toEqual({ v: null })
    expect(mask?.({ v: { key: "k" } }, () => "*")).toEqual({ v: { key: "*" } })
  })

  it("puts defaults into what is there, and not into null", () => {
    const { fill } = compile({
      type: "object",
      nullable: true,
      properties: { n: { type: "integer", default: 7, applyDefault: true } },
    })
    expect(fill({ v: null })).toEqual({ v: null })
    expect(fill({ v: {} })).toEqual({ v: { n: 7 } })
  })
})

describe("sensitive", () => {
  it("is shown as writeOnly, and hides the whole value", () => {
    const { jsonSchema, mask } = compile({ type: "integer", sensitive: true })
    expect(jsonSchema).toEqual({ type: "object", properties: { v: { type: "integer", writeOnly: true } } })
    expect(mask?.({ v: 5 }, (secret) => [secret])).toEqual({ v: [5] })
  })

  it("tells no key of a closed object that it does not know, but what the keys are", () => {
    const spec = {
      type: "object",
      sensitive: true,
      properties: { a: { type: "null" }, b: { type: "null" } },
      additionalProperties: false,
    }
    expect(say(spec, { a: null, key: "s" })).toEqual([
      "v: want object without other keys than a, b, got object (hidden)",
    ])
    expect(say({ ...spec, additionalProperties: true }, { a: 1, key: "s" })).toEqual([
      "v.a: want null, got number (hidden)",
    ])
    expect(say({ type: "object", sensitive: true, properties: spec.properties }, { a: 1, key: "s" })).toEqual(
      ["v.a: want null, got number (hidden)"],
    )
  })
})

describe("words for the model", () => {
  it("are shown as they are given, also when they say no", () => {
    const words = { title: "", description: "d", default: null, examples: [], deprecated: false }
    expect(compile({ type: "any", ...words }).jsonSchema).toEqual({
      type: "object",
      properties: { v: words },
    })
    expect(compile({ type: "any", default: false, examples: [1, null] }).jsonSchema).toEqual({
      type: "object",
      properties: { v: { default: false, examples: [1, null] } },
    })
  })
})

describe("any", () => {
  it("is JSON through and through", () => {
    const holes: Array<number> = []
    holes[1] = 1
    const bare: unknown = Object.assign(Object.create(null), { a: 1 })
    for (const value of [null, "", 0, -1.5, false, [], [[null]], {}, { a: [{}] }, bare]) {
      expect([value, say({ type: "any" }, value)]).toEqual([value, []])
    }
    for (const value of [undefined, 1n, Number.NaN, Number.POSITIVE_INFINITY, () => 1, Symbol("s"), holes]) {
      expect(say({ type: "any" }, value)).toHaveLength(1)
      expect(say({ type: "any" }, [value])).toHaveLength(1)
      expect(say({ type: "any" }, { a: value })).toHaveLength(1)
    }
    expect(say({ type: "any" }, new Date(0))).toEqual(["v: want any JSON, got object with 0 keys"])
    expect(say({ type: "any" }, Object.create({ a: 1n }))).toHaveLength(1)
  })
})
