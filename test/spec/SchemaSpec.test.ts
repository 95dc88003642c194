import { it } from "@effect/vitest"
import { Exit, Schema } from "effect"
import { describe, expect } from "vitest"
import * as SchemaSpec from "../../src/spec/SchemaSpec.ts"

/** Specs from code that no compiler looked at. */
const untyped = (spec: object): SchemaSpec.SchemaSpec => JSON.parse(JSON.stringify(spec))

const accepts = (spec: SchemaSpec.SchemaSpec, value: unknown): boolean =>
  Exit.isSuccess(Schema.decodeUnknownExit(SchemaSpec.toSchema(spec))(value))

describe("the codec", () => {
  it("gives back what it was given, unknown keys included", () => {
    const schema = SchemaSpec.toSchema({
      path: { type: "string", required: true },
      line: { type: "integer" },
    })
    const value = { path: "a", extra: [1, { b: null }] }
    expect(Schema.decodeUnknownSync(schema)(value)).toEqual(value)
  })

  it("keeps a __proto__ key an own key", () => {
    const sent = JSON.parse('{"path":"a","__proto__":{"admin":true},"at":{"__proto__":{"line":1}}}')
    const spec = {
      path: { type: "string" },
      at: { type: "object", properties: { line: { type: "integer" } } },
    } as const
    const args = Schema.decodeUnknownSync(SchemaSpec.toSchema(spec))(sent)
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype)
    expect(Object.hasOwn(args, "__proto__")).toBe(true)
    expect(Object.keys(args.at ?? {})).toEqual(["__proto__"])
    expect("admin" in args).toBe(false)
    expect(args.at?.line).toBeUndefined()
  })

  it("counts own members only", () => {
    const optional = { toString: { type: "string" } } as const
    const required = { toString: { type: "string", required: true } } as const
    expect(accepts(optional, {})).toBe(true)
    expect(accepts(required, {})).toBe(false)
    expect(accepts(required, { toString: "text" })).toBe(true)
    expect(accepts({ path: { type: "string", required: true } }, Object.create({ path: "inherited" }))).toBe(
      false,
    )
  })

  it("takes objects only, also when nothing is required", () => {
    for (const root of [[], "", "{}", 1, true, null, undefined]) expect(accepts({}, root)).toBe(false)
    expect(accepts({}, {})).toBe(true)
  })

  it("takes only numbers that a double holds", () => {
    const number = { n: { type: "number" } } as const
    const integer = { n: { type: "integer" } } as const
    expect(accepts(number, JSON.parse('{"n":1e400}'))).toBe(false)
    expect(accepts(number, { n: 1e300 })).toBe(true)
    expect(accepts(integer, { n: 2 ** 53 })).toBe(false)
    expect(accepts(integer, JSON.parse('{"n":1.0}'))).toBe(true)
    expect(accepts(integer, { n: 1.5 })).toBe(false)
  })
})

describe("the JSON Schema", () => {
  it("says what the spec says", () => {
    expect(
      SchemaSpec.toJsonSchema({
        path: { type: "string", required: true, description: "where to read" },
        mode: { type: "string", enum: ["fast", "slow"] },
        kind: { const: null },
        rows: { type: "array", items: { type: "array" } },
        at: { type: "object", required: true, properties: { line: { type: "integer", required: true } } },
        open: { type: "object" },
      }),
    ).toEqual({
      type: "object",
      properties: {
        path: { type: "string", description: "where to read" },
        mode: { type: "string", enum: ["fast", "slow"] },
        kind: { const: null },
        rows: { type: "array", items: { type: "array" } },
        at: { type: "object", properties: { line: { type: "integer" } }, required: ["line"] },
        open: { type: "object" },
      },
      required: ["path", "at"],
    })
  })

  it("is an object with properties for a tool without parameters", () => {
    expect(SchemaSpec.toJsonSchema({})).toEqual({ type: "object", properties: {} })
  })
})

describe("a wrong spec", () => {
  const cases: ReadonlyArray<readonly [name: string, spec: object, message: string]> = [
    ["an unknown type", { a: { type: "strin" } }, 'at a: unknown type "strin", known are string'],
    ["no type", { a: { description: "x" } }, "at a: has no type, enum, const, oneOf, anyOf or ref"],
    ["an unknown keyword", { a: { type: "string", minLenght: 1 } }, 'at a: unknown keyword "minLenght"'],
    [
      "required on an item",
      { a: { type: "array", items: { type: "string", required: true } } },
      'at a[]: unknown keyword "required"',
    ],
    [
      "a required that is no boolean",
      { a: { type: "string", required: "yes" } },
      "at a: required is neither",
    ],
    [
      "a description that is no text",
      { a: { type: "string", description: 1 } },
      "at a: description is no string",
    ],
    ["an empty enum", { a: { type: "string", enum: [] } }, "at a: enum is no list"],
    ["a doubled member", { a: { enum: [1, 1] } }, "at a: enum has a member twice"],
    [
      "a member of another type",
      { a: { type: "integer", enum: [1.5] } },
      "at a: the member 1.5 is no integer",
    ],
    ["a member that is no scalar", { a: { enum: [[]] } }, "at a: only strings, finite numbers"],
    ["enum beside const", { a: { enum: [1], const: 1 } }, "at a: has both enum and const"],
    [
      "a nested fault",
      { a: { type: "object", properties: { b: { type: "array", items: 3 } } } },
      "at a.b[]: want a spec",
    ],
    ["a property that is no spec", { a: "string" }, "at a: want a spec"],
    [
      "the name constructor",
      { constructor: { type: "string" } },
      "at constructor: a property cannot have this name",
    ],
    [
      "the name prototype",
      { prototype: { type: "string" } },
      "at prototype: a property cannot have this name",
    ],
  ]
  for (const [name, spec, message] of cases) {
    it(`is refused with its place: ${name}`, () => {
      expect(() => SchemaSpec.toSchema(untyped(spec))).toThrow(message)
    })
  }

  it("is refused with its place: the name __proto__", () => {
    const spec = JSON.parse('{"__proto__":{"type":"string"}}')
    expect(() => SchemaSpec.toSchema(spec)).toThrow("at __proto__: a property cannot have this name")
  })

  it("is refused when it is no object", () => {
    expect(() => SchemaSpec.toSchema(JSON.parse("[]"))).toThrow("at the root: properties are no object")
  })
})
