/** What the JSON Schema marks is hidden, and nothing beside it. */
import type { Schema } from "effect"
import { describe, expect, it } from "vitest"
import * as Sensitive from "../../src/spec/Sensitive.ts"

const secret = { type: "string", writeOnly: true }
const mask = (schema: Schema.JsonObject, value: unknown) => Sensitive.maskOf(schema)?.(value, () => "*")
const object = (properties: Schema.JsonObject, more: Schema.JsonObject = {}) => ({ properties, ...more })

const masked: ReadonlyArray<
  readonly [what: string, schema: Schema.JsonObject, value: unknown, shown: unknown]
> = [
  ["a member", object({ k: secret, n: {} }), { k: "s", n: [1] }, { k: "*", n: [1] }],
  ["a stranger beside a secret", object({ k: secret }), { x: "s" }, { x: "*" }],
  ["what is no object", object({ k: secret }), "s", "*"],
  ["null in place of an object", object({ k: secret }), null, "*"],
  ["null that a type allows", object({ k: secret }, { type: ["object", "null"] }), null, null],
  ["a text where null is allowed", object({ k: secret }, { type: ["object", "null"] }), "s", "*"],
  ["null of another branch", { anyOf: [object({ k: secret }), { type: "null" }] }, null, null],
  ["items", { items: secret }, ["s", "t"], ["*", "*"]],
  [
    "members of items",
    { items: object({ k: secret, n: {} }) },
    [{ k: "s", n: 1 }, "t"],
    [{ k: "*", n: 1 }, "*"],
  ],
  ["a list where an object is wanted", object({ k: secret }), ["s"], "*"],
  ["an object where a list is wanted", { items: secret }, { 0: "s" }, { 0: "*" }],
  ["a list inside a list", { items: { items: secret } }, [["s"], "t"], [["*"], "*"]],
  [
    "what one branch marks",
    { anyOf: [object({ k: {} }), object({ k: secret })] },
    { k: "s", x: 1 },
    { k: "*", x: "*" },
  ],
  ["the whole of a marked branch", { oneOf: [{ type: "null" }, secret] }, null, "*"],
  [
    "a member of unknown name",
    object({ n: {} }, { additionalProperties: secret }),
    { n: 1, x: "s" },
    { n: 1, x: "*" },
  ],
  [
    "a member by its pattern",
    object({ n: {} }, { patternProperties: { "^x": secret } }),
    { n: 1, x: "s" },
    { n: 1, x: "*" },
  ],
  [
    "a stranger that a pattern allows",
    object({ k: secret }, { additionalProperties: { type: "integer" } }),
    { k: "s", x: 1 },
    { k: "*", x: 1 },
  ],
  [
    "a member under a reference",
    { $ref: "#/$defs/A", $defs: { A: object({ k: secret, n: {} }) } },
    { k: "s", n: 1 },
    { k: "*", n: 1 },
  ],
  [
    "nothing where only another definition is marked",
    object({ n: {} }, { $defs: { A: secret } }),
    { n: "s" },
    { n: "s" },
  ],
  ...["s", ["s"], { x: "s" }].map(
    (value) =>
      [
        "no stranger where only a definition is marked that nothing refers to",
        object({ n: {} }, { $defs: { A: secret } }),
        value,
        value,
      ] as const,
  ),
  [
    "all branches of a list",
    { anyOf: [{ items: secret }, { items: { type: "null" } }] },
    ["s", null],
    ["*", "*"],
  ],
]

describe("the mask of a JSON Schema", () => {
  it.each(masked)("hides %s", (_, schema, value, shown) => {
    expect(mask(schema, value)).toEqual(shown)
  })

  it("is none where nothing is marked, or marked as no secret", () => {
    expect(Sensitive.maskOf({ properties: { k: { writeOnly: false } } })).toBeUndefined()
    expect(Sensitive.maskOf({ properties: { k: { writeOnly: "yes" } } })).toBeUndefined()
    expect(Sensitive.maskOf({ enum: [null, "writeOnly"] })).toBeUndefined()
    expect(Sensitive.maskOf({ enum: [true], items: {}, title: "writeOnly" })).toBeUndefined()
  })

  it("is found however deep the mark, and in a schema that holds itself", () => {
    const nest = (levels: number, of: Schema.JsonObject): Schema.JsonObject =>
      levels === 0 ? of : { items: nest(levels - 1, of) }
    expect(mask(nest(1_000, secret), ["s"])).toBeDefined()
    const round: { [key: string]: Schema.Json } = { properties: { k: secret } }
    round["not"] = round
    expect(mask(round, { k: "s" })).toBe("*")
    const open: { [key: string]: Schema.Json } = { title: "round" }
    open["items"] = open
    expect(Sensitive.maskOf(open)).toBeUndefined()
  })

  it("hides the whole of what lies deeper than 128 levels", () => {
    const tree = { properties: { k: secret, next: { $ref: "#" }, list: { items: { $ref: "#" } } } }
    const nest = (levels: number, of: unknown): unknown =>
      levels === 0 ? of : { next: nest(levels - 1, of) }
    const lists = (levels: number, of: unknown): unknown =>
      levels === 0 ? of : { list: [lists(levels - 1, of)] }
    expect(mask(tree, nest(128, {}))).toEqual(nest(128, {}))
    expect(mask(tree, nest(129, {}))).toEqual(nest(129, "*"))
    expect(mask(tree, lists(64, {}))).toEqual(lists(64, {}))
    expect(mask(tree, lists(65, {}))).toEqual(lists(64, { list: "*" }))
  })
})

describe("a violation", () => {
  const at = (path: ReadonlyArray<string | number>, document: Schema.JsonObject) => {
    const violation = {
      path,
      expected: "e",
      got: 'string "s"',
      message: `${path.join(".")}: want e, got string "s"`,
    }
    return Sensitive.hideIn([violation], document).map(({ got, path: shown }) => [shown, got])
  }
  const hidden = "string (hidden)"
  const shown = 'string "s"'

  it("tells nothing of a value at, below or around a secret, and all beside it", () => {
    const document = object({
      n: {},
      k: { ...secret, properties: { a: {} } },
      o: object({ k: secret, n: {} }),
    })
    expect(at(["n"], document)).toEqual([[["n"], shown]])
    expect(at(["k"], document)).toEqual([[["k"], hidden]])
    expect(at(["k", "a"], document)).toEqual([[["k", "a"], hidden]])
    expect(at(["k", "b"], document)).toEqual([[["k"], hidden]])
    expect(at(["k", 0], document)).toEqual([[["k", 0], hidden]])
    expect(at(["o"], document)).toEqual([[["o"], hidden]])
    expect(at(["o", "n"], document)).toEqual([[["o", "n"], shown]])
    expect(at(["o", "x"], document)).toEqual([[["o", "x"], shown]])
    expect(at([], document)).toEqual([[[], hidden]])
  })

  it("names a key that no schema declares where it stands around a secret, not inside", () => {
    const document = object({ n: {} }, { additionalProperties: object({ k: secret }) })
    expect(at(["x"], document)).toEqual([[["x"], hidden]])
    expect(at(["x", "k"], document)).toEqual([[["x", "k"], hidden]])
    expect(at(["x", "k", "y"], document)).toEqual([[["x", "k"], hidden]])
  })

  it("names no key that is undeclared inside what one branch of several marks", () => {
    const document = object({ m: { anyOf: [object({ a: {} }), { ...object({}), writeOnly: true }] } })
    expect(at(["m", "a"], document)).toEqual([[["m", "a"], hidden]])
    expect(at(["m", "x"], document)).toEqual([[["m"], hidden]])
  })

  it("is told whole where nothing is marked", () => {
    expect(at(["n"], object({ n: { $ref: "#lost" } }))).toEqual([[["n"], shown]])
    expect(at(["n"], object({ n: {} }))).toEqual([[["n"], shown]])
    const violation = { path: [], expected: "e", got: shown, message: "m" }
    expect(Sensitive.guard(violation, object({ n: {} }))).toBe(violation)
    expect(Sensitive.guard(violation, object({ n: secret })).got).toBe(hidden)
  })

  it("of one branch of several is hidden when any of them marks it", () => {
    const document = { anyOf: [object({ k: { type: "null" } }), object({ k: secret })] }
    expect(at(["k"], document)).toEqual([[["k"], hidden]])
  })
})
