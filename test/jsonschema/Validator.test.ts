import { describe, expect, it } from "vitest"
import * as Validator from "../../src/jsonschema/Validator.ts"

const object = (properties: object, more: object = {}) => ({
  type: "object",
  properties: { ...properties },
  ...more,
})

const say = (schema: object, value: unknown) =>
  Validator.make({ ...schema })
    .check(value)
    .map(({ message, hint }) => (hint === undefined ? message : `${message}: ${hint}`))

const fixes = (schema: object, value: unknown) =>
  Validator.make({ ...schema })
    .check(value)
    .map(({ fix }) => fix)

const refusal = (schema: object): string => {
  try {
    Validator.make({ ...schema })
    return "taken"
  } catch (error) {
    return String(error)
  }
}

describe("the draft", () => {
  it.each([
    ["http://json-schema.org/draft-04/schema#", "draft-07"],
    ["http://json-schema.org/draft-06/schema#", "draft-07"],
    ["http://json-schema.org/draft-07/schema#", "draft-07"],
    ["https://json-schema.org/draft/2019-09/schema", "2019-09"],
    ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
  ])("is what $schema names: %s", ($schema, draft) => {
    expect(Validator.make({ $schema, type: "object" }).draft).toBe(draft)
  })

  it("is the newest when none is named, and an older one when the newest does not read it", () => {
    expect(Validator.make({ type: "object" }).draft).toBe("2020-12")
    const tuple = object({ at: { type: "array", items: [{ type: "number" }, { type: "number" }] } })
    expect(Validator.make({ ...tuple }).draft).toBe("draft-07")
    expect(say(tuple, { at: [1, "x"] })).toEqual([`at[1]: want number, got string "x"`])
  })

  it("is refused where it is not read", () => {
    expect(refusal({ $schema: "http://json-schema.org/draft-03/schema#" })).toBe(
      'TypeError: JSON Schema, at $schema: "http://json-schema.org/draft-03/schema#" is not read here; draft-04, draft-06, draft-07, 2019-09 and 2020-12 are',
    )
  })
})

describe("a schema that is none", () => {
  it.each([
    [
      "a wrong word",
      object({ at: { type: "dict" } }),
      `at properties.at.type: want one of "array", "boolean", "integer", "null", "number", "object", "string", got "dict"`,
    ],
    [
      "a wrong bound",
      object({ n: { type: "number", minimum: "1" } }),
      `at properties.n.minimum: want number, got "1"`,
    ],
    [
      "draft-04's flag",
      object({ n: { exclusiveMinimum: true } }),
      "at properties.n.exclusiveMinimum: want number, got true",
    ],
    [
      "a pattern",
      object({ s: { type: "string", pattern: "(" } }),
      "at properties.s.pattern: no regular expression",
    ],
    [
      "a far reference",
      object({ r: { $ref: "https://example.com/x" } }),
      `at properties.r.$ref: "https://example.com/x" is not in this schema, and nothing is fetched`,
    ],
    [
      "a lost reference",
      object({ r: { $ref: "#/$defs/No" } }),
      `at properties.r.$ref: "#/$defs/No" is not in this schema`,
    ],
    ["a circle", { $ref: "#" }, "at the root: its references go round in a circle"],
    ["a waiting one", { $async: true, type: "object" }, "at $async: a check that waits is not made here"],
  ])("is refused with its place: %s", (_, schema, text) => {
    expect(refusal(schema)).toContain(`TypeError: JSON Schema, ${text}`)
  })

  it("is a schema all the same where it only says more than one needs", () => {
    expect(
      refusal({
        type: "object",
        id: "x",
        example: 1,
        properties: { s: { type: "string", format: "no-such", pattern: "[\\w\\-.]" } },
      }),
    ).toBe("taken")
  })
})

describe("violations", () => {
  it("come in the order of declaration, all of them", () => {
    const schema = object(
      { a: { type: "string" }, b: { type: "integer" }, c: { type: "boolean" } },
      { required: ["c", "a"] },
    )
    expect(say(schema, { b: 1.5 })).toEqual([
      "a: missing, want string",
      "b: want integer, got number 1.5",
      "c: missing, want boolean (true or false without quotes)",
    ])
  })

  it("name the place behind references and in arrays", () => {
    const schema = object(
      { list: { type: "array", items: { $ref: "#/definitions/Point" } } },
      { definitions: { Point: object({ x: { type: "number" } }, { required: ["x"] }) } },
    )
    expect(
      Validator.make({ ...schema })
        .check({ list: [{ x: 1 }, { x: true }, {}] })
        .map(({ path }) => path),
    ).toEqual([
      ["list", 1, "x"],
      ["list", 2, "x"],
    ])
  })

  it("have words for every keyword", () => {
    const schema = object({
      s: { type: "string", minLength: 3, pattern: "^a" },
      n: { type: "number", minimum: 5, multipleOf: 2 },
      l: { type: "array", maxItems: 1, uniqueItems: true },
      o: { type: "object", minProperties: 1 },
      c: { const: 1 },
      x: { not: { type: "string" } },
      k: { type: "object", propertyNames: { pattern: "^a" } },
      h: { type: "array", contains: { type: "number" } },
      i: { if: { type: "number" }, else: { minLength: 2 } },
    })
    expect(
      say(schema, { s: "x", n: 1, l: [1, 1], o: {}, c: 2, x: "y", k: { b: 1 }, h: ["a", "b"], i: "z" }),
    ).toMatchInlineSnapshot(`
      [
        "s: want string of at least 3 characters, got string "x" of 1 character",
        "s: want string that matches ^a, got string "x"",
        "n: want number >= 5, got number 1",
        "n: want a multiple of 2, got number 1",
        "l: want array of at most 1 item, got array of 2 items",
        "l: want items that differ (0 and 1 are the same), got array of 2 items",
        "o: want object with at least 1 key, got object with 0 keys",
        "c: want 1, got number 2",
        "x: want something that not does not describe, got string "y"",
        "k.b: want a key that fits propertyNames, got another key",
        "h: want array with 1 item of the kind in contains, got array of 2 items",
        "i: want string of at least 2 characters, got string "z" of 1 character",
      ]
    `)
  })

  it("say which key, which member, and what is inside a wrapper", () => {
    const schema = object(
      { user_id: { type: "string" }, sort: { enum: ["asc", "desc"] } },
      { required: ["user_id"] },
    )
    expect(say(schema, { userId: "x", sort: "ASC" })).toEqual([
      `user_id: missing, want string: you sent "userId", did you mean "user_id"?`,
      `sort: want one of "asc", "desc", got string "ASC": did you mean "asc"?`,
    ])
    expect(say(schema, { input: { user_id: "x" } })).toEqual([
      `user_id: missing, want string: write what is inside "input" one level up, without that key`,
    ])
    const closed = { ...schema, additionalProperties: false }
    expect(fixes(closed, { user_id: "x", sorted: "asc", z: 1 })).toEqual([
      { kind: "rename", from: "sorted", to: "sort" },
      { kind: "drop", key: "z" },
    ])
  })

  it("carry a fix only where trying it shows that it holds", () => {
    const schema = object({
      n: { type: "integer" },
      s: { type: "string" },
      l: { type: "array", items: { type: "string" } },
      o: { type: "object" },
    })
    expect(fixes(schema, { n: "3", s: 4, l: "a", o: `{"a":1}` })).toEqual([
      { kind: "convert", to: "integer" },
      { kind: "convert", to: "string" },
      { kind: "convert", to: "array" },
      { kind: "convert", to: "json" },
    ])
    expect(fixes(schema, { n: "three", l: 4, o: "[1]" })).toEqual([undefined, undefined, undefined])
    expect(fixes(schema, { n: null })).toEqual([{ kind: "drop", key: "n" }])
    expect(fixes({ ...schema, required: ["n"] }, { n: null })).toEqual([undefined])
  })

  it("do not advise to wrap what is meant as an array already", () => {
    const schema = object({ l: { type: "array", items: { type: "string" } } })
    expect(Validator.make({ ...schema }).check({ l: "['a', 'b']" })).toEqual([
      {
        path: ["l"],
        expected: "array of string",
        got: `string "['a', 'b']"`,
        message: `l: want array of string, got string "['a', 'b']"`,
        hint: "write it as JSON itself, without quotes around it",
      },
    ])
  })

  it("are capped in number, and in a large value only the first is looked for", () => {
    const schema = object({ l: { type: "array", items: { type: "string" } } })
    const numbers = (length: number) => ({ l: Array.from({ length }, () => 1) })
    expect(Validator.make({ ...schema }).check(numbers(100))).toHaveLength(Validator.maxViolations)
    expect(Validator.make({ ...schema }).check(numbers(Validator.maxThorough + 1))).toMatchObject([
      { path: ["l", 0] },
    ])
  })

  it("are there for values that cannot be compared", () => {
    const schema = object({ l: { type: "array", uniqueItems: true } })
    expect(say(schema, { l: [{ valueOf: 1 }, { valueOf: 1 }] })).toEqual([
      "arguments: want values that can be compared: no key valueOf or toString among them, got object with 1 key",
    ])
  })

  it("do not look through a prototype", () => {
    const schema = object(
      { toString: { type: "string" } },
      { required: ["toString"], additionalProperties: false },
    )
    expect(say(schema, {})).toEqual(["toString: missing, want string"])
    expect(say(schema, JSON.parse(`{"toString":"a","__proto__":{"x":1}}`))).toEqual([
      `__proto__: unknown key, want one of the keys "toString": leave it out`,
    ])
  })
})

describe("a union", () => {
  const shape = {
    oneOf: [
      object({ kind: { const: "circle" }, radius: { type: "number" } }, { required: ["kind", "radius"] }),
      object({ kind: { const: "square" }, side: { type: "number" } }, { required: ["kind", "side"] }),
      { type: "null" },
    ],
  }
  const schema = object({ shape })

  it("is answered from the branch whose constant fits", () => {
    expect(say(schema, { shape: { kind: "square", side: "2" } })).toEqual([
      `shape.side: want number, got string "2": write it without quotes: 2`,
    ])
  })

  it("names the constants when none fits", () => {
    expect(say(schema, { shape: { kind: "cirle" } })).toEqual([
      `shape.kind: want one of "circle", "square", got string "cirle": did you mean "circle"?`,
    ])
  })

  it("names the kinds when none fits", () => {
    expect(say(schema, { shape: 7 })).toEqual(["shape: want object or null, got number 7"])
    expect(say(object({ v: { anyOf: [{ type: "integer" }, { type: "null" }] } }), { v: "7" })).toEqual([
      `v: want integer or null, got string "7": write it without quotes: 7`,
    ])
  })

  it("says when more than one fits and only one may", () => {
    expect(say(object({ v: { oneOf: [{ type: "number" }, { minimum: 0 }] } }), { v: 7 })).toEqual([
      "v: want exactly one of 2 forms (it fits 2), got number 7",
    ])
  })

  it("is answered through references and in other unions, beside other faults", () => {
    const tree = object(
      { a: { $ref: "#/$defs/Node" }, z: { type: "string" } },
      {
        $defs: {
          Leaf: object(
            { leaf: { anyOf: [{ type: "number" }, { type: "boolean" }] } },
            { required: ["leaf"] },
          ),
          Node: { anyOf: [{ $ref: "#/$defs/Leaf" }, { type: "array", items: { $ref: "#/$defs/Node" } }] },
        },
      },
    )
    expect(say(tree, { a: [[{ leaf: "x" }], { leaf: 1 }], z: 1 })).toEqual([
      `a[0][0].leaf: want number or boolean (true or false without quotes), got string "x"`,
      `z: want string, got number 1: write it in quotes: "1"`,
    ])
  })
})
