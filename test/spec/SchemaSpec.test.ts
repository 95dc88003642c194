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
    ["a bad pattern", { a: { type: "string", pattern: "(" } }, 'at a: pattern "(" is no regular expression'],
    [
      "lengths that leave nothing",
      { a: { type: "string", minLength: 3, maxLength: 2 } },
      "at a: nothing fits",
    ],
    ["a length that is no count", { a: { type: "string", minLength: -1 } }, "at a: minLength is no count"],
    ["items that leave nothing", { a: { type: "array", minItems: 2, maxItems: 1 } }, "at a: nothing fits"],
    [
      "bounds that leave nothing",
      { a: { type: "number", minimum: 2, exclusiveMaximum: 2 } },
      "at a: nothing fits",
    ],
    [
      "bounds without an integer between",
      { a: { type: "integer", minimum: 1.2, maximum: 1.8 } },
      "at a: nothing fits: there is no integer from 1.2 to 1.8",
    ],
    [
      "bounds without a multiple between",
      { a: { type: "integer", minimum: 1, maximum: 4, multipleOf: 5 } },
      "at a: nothing fits",
    ],
    ["a step of nothing", { a: { type: "number", multipleOf: 0 } }, "at a: multipleOf is not above 0"],
    [
      "a const outside the bounds",
      { a: { type: "integer", const: 9, maximum: 5 } },
      "at a: the member 9 is no",
    ],
    [
      "a default that breaks its spec",
      { a: { type: "integer", default: "x" } },
      "at a: the default breaks its own spec",
    ],
    [
      "an example that breaks its spec",
      { a: { type: "string", minLength: 2, examples: ["ok", "x"] } },
      "at a: an example breaks its own spec",
    ],
    [
      "a default to apply that is not there",
      { a: { type: "string", applyDefault: true } },
      "at a: applyDefault has no",
    ],
    [
      "a default for a key that is never absent",
      { a: { type: "string", default: "", applyDefault: true, required: true } },
      "at a: a required key is never absent",
    ],
    ["a nullable null", { a: { enum: ["x", null], nullable: true } }, "at a: nullable says nothing new"],
    ["no branches", { a: { oneOf: [] } }, "at a: oneOf is no list of specs"],
    [
      "two branches that are the same",
      { a: { oneOf: [{ type: "string" }, { type: "null" }, { type: "string" }] } },
      "at a: branches 1 and 3 of oneOf are the same",
    ],
    [
      "a fault in a branch",
      { a: { anyOf: [{ type: "null" }, { type: "text" }] } },
      "at a(anyOf 2): unknown type",
    ],
    ["a ref to nothing", { a: { ref: "Tree" } }, 'at a: no spec here has the name "Tree"'],
    [
      "a spec made of itself alone",
      { a: { name: "A", anyOf: [{ type: "null" }, { ref: "A" }] } },
      'at a(anyOf 2): "A" is made of itself',
    ],
    [
      "properties that are null",
      { a: { type: "object", properties: null } },
      "at a: properties are no object",
    ],
    [
      "a spec that requires itself",
      { a: { type: "object", name: "A", properties: { next: { ref: "A", required: true } } } },
      "at A: nothing fits: it requires itself",
    ],
    [
      "two specs that require one another, through a list",
      {
        a: {
          type: "object",
          name: "A",
          properties: {
            b: {
              type: "array",
              name: "B",
              minItems: 1,
              required: true,
              items: { anyOf: [{ ref: "A" }, { ref: "B" }] },
            },
          },
        },
      },
      "nothing fits: it requires itself",
    ],
    [
      "more items than differ",
      { a: { type: "array", items: { enum: ["a", "b"] }, minItems: 3, uniqueItems: true } },
      "at a: nothing fits: there are no 3 items that differ",
    ],
    [
      "one name for two specs",
      { a: { type: "string", name: "A" }, b: { type: "null", name: "A" } },
      'at b: another spec has the name "A"',
    ],
    [
      "a fault in a record",
      { a: { type: "object", additionalProperties: { type: "x" } } },
      "at a{}: unknown type",
    ],
    [
      "a sensitive that is no flag",
      { a: { type: "string", sensitive: "yes" } },
      "at a: sensitive is neither",
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

describe("a spec that holds itself by name", () => {
  const node = (next: object) => ({ a: { type: "object", name: "A", properties: { next } } })
  it.each([
    ["is optional", node({ ref: "A" })],
    ["may be null", node({ ref: "A", nullable: true, required: true })],
    ["is in a list that may be empty", node({ type: "array", items: { ref: "A" }, required: true })],
    ["is one branch of two", node({ anyOf: [{ ref: "A" }, { type: "string" }], required: true })],
  ])("is taken where it %s", (_, spec) => {
    expect(SchemaSpec.compile(untyped(spec)).jsonSchema).toHaveProperty(["$defs", "A"])
  })
})

describe("a spec that holds itself in JavaScript", () => {
  it("is refused, and told how to say so", () => {
    const items: { type: string; items?: unknown } = { type: "array" }
    items.items = items
    expect(() => SchemaSpec.toSchema(Object({ a: items }))).toThrow("says so with name and ref")
  })
})

describe("branches", () => {
  const expression: SchemaSpec.ValueSpec = {
    name: "Expression",
    oneOf: [
      { type: "integer" },
      { type: "object", properties: { of: { ref: "Expression", required: true } } },
      {
        type: "object",
        properties: { of: { ref: "Expression", required: true }, not: { const: true, required: true } },
      },
    ],
  }
  const nest = (depth: number, innermost: unknown): unknown =>
    depth === 0 ? innermost : { of: nest(depth - 1, innermost) }

  it("that look into the same part do not double the work at each level", () => {
    const { is, violations } = SchemaSpec.compile({ e: { ...expression, required: true } })
    expect(is({ e: nest(100, 1) })).toBe(true)
    expect(is({ e: nest(100, "x") })).toBe(false)
    expect(violations({ e: nest(100, "x") }).length).toBeGreaterThan(0)
  })

  it("of oneOf exclude each other, of anyOf not", () => {
    const branches = [{ type: "number" }, { type: "integer" }] as const
    expect(accepts({ n: { oneOf: branches } }, { n: 1 })).toBe(false)
    expect(accepts({ n: { oneOf: branches } }, { n: 1.5 })).toBe(true)
    expect(accepts({ n: { anyOf: branches } }, { n: 1 })).toBe(true)
  })
})

describe("multipleOf", () => {
  it("divides the decimals that were written, not the doubles", () => {
    const takes = (multipleOf: number, value: number): boolean =>
      SchemaSpec.compile({ n: { type: "number", multipleOf } }).is({ n: value })
    const multiples: ReadonlyArray<readonly [number, number]> = [
      [0.1, 0.3],
      [0.01, 1.1],
      [1e-7, 3e-7],
      [0.5, 1e300],
      [3, -9],
      [0.1, 0],
    ]
    for (const [step, value] of multiples)
      expect([step, value, takes(step, value)]).toEqual([step, value, true])
    const others: ReadonlyArray<readonly [number, number]> = [
      [0.1, 0.35],
      [3, 1e-9],
      [0.5, 5e-324],
      [7, 2 ** 53 - 1],
    ]
    for (const [step, value] of others)
      expect([step, value, takes(step, value)]).toEqual([step, value, false])
  })
})

describe("defaults", () => {
  it("are applied where the spec says so, inside one another, and anew for each call", () => {
    const { fill } = SchemaSpec.compile({
      limit: { type: "integer", default: 10, applyDefault: true },
      shown: { type: "integer", default: 5 },
      at: {
        type: "object",
        default: {},
        applyDefault: true,
        properties: { line: { type: "integer", default: 1, applyDefault: true } },
      },
    })
    expect(fill({})).toEqual({ limit: 10, at: { line: 1 } })
    expect(fill({ limit: 1, at: { line: 2 } })).toEqual({ limit: 1, at: { line: 2 } })
    const [first, second] = [fill({}), fill({})]
    expect(Reflect.get(Object(first), "at")).not.toBe(Reflect.get(Object(second), "at"))
  })
})
