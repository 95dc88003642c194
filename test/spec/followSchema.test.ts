/** Which parts of a JSON Schema speak of a place. */
import { describe, expect, it } from "vitest"
import { below, isOptional, names, nodesAt, refer, spread } from "../../src/spec/followSchema.ts"

const document = {
  type: "object",
  required: ["list", "tuple"],
  properties: {
    list: { type: "array", items: { title: "item" } },
    tuple: { prefixItems: [{ title: "first" }, { title: "second" }], items: [{ title: "old" }] },
    named: { $ref: "#/$defs/a~1b~0c" },
    lost: { $ref: "#/$defs/none" },
    far: { $ref: "https://example.org/schema" },
    either: { anyOf: [{ title: "any" }], oneOf: [{ title: "one" }], allOf: [{ title: "all" }] },
    when: Object.fromEntries(["if", "then", "else"].map((word) => [word, { title: word }])),
  },
  patternProperties: { "^x": { title: "pattern" } },
  additionalProperties: { title: "other" },
  $defs: { "a/b~c": { title: "named", properties: { self: { $ref: "#" } } } },
}

const titles = (path: ReadonlyArray<string | number>) =>
  nodesAt(document, path)
    .flatMap(({ title }) => title ?? [])
    .sort()

describe("a place in a value", () => {
  it.each<readonly [path: ReadonlyArray<string | number>, titles: ReadonlyArray<string>]>([
    [["list", 0], ["item"]],
    [
      ["tuple", 1],
      ["first", "old", "second"],
    ],
    [["named"], ["named"]],
    [["named", "self", "named"], ["named"]],
    [["lost"], []],
    [["far"], []],
    [["either"], ["all", "any", "one"]],
    [["when"], ["else", "if", "then"]],
    [["stranger"], ["other", "pattern"]],
    [["list", "length"], []],
  ])("%j is spoken of by %j", (path, expected) => {
    expect(titles(path)).toEqual(expected)
  })

  it("may be absent when it is declared and not required", () => {
    expect(isOptional(document, ["named"])).toBe(true)
    expect(isOptional(document, ["list"])).toBe(false)
    expect(isOptional(document, ["stranger"])).toBe(false)
    expect(isOptional(document, ["list", 0])).toBe(false)
    expect(isOptional(document, [])).toBe(false)
    expect(isOptional({ properties: { 0: {} } }, [0])).toBe(false)
    expect(isOptional(document, ["named", "self", "when"])).toBe(true)
    expect(isOptional(document, ["named", "self", "tuple"])).toBe(false)
    const both = { allOf: [{ properties: { a: {} } }, { required: ["a"] }] }
    expect(isOptional(both, ["a"])).toBe(false)
  })

  it("is declared by the node that lists it among its own properties", () => {
    expect(names([{}, document], "list")).toBe(true)
    expect(names([document], "toString")).toBe(false)
    expect(names([{ properties: [] }, { properties: 1 }], "length")).toBe(false)
  })
})

describe("a reference", () => {
  it("leads into its own document, by own keys", () => {
    expect(refer("#", document)).toBe(document)
    expect(refer("#/required/0", document)).toBeUndefined()
    expect(refer("#/$defs/a~1b~0c", document)).toBe(document.$defs["a/b~c"])
    expect(refer("#/properties/toString", document)).toBeUndefined()
    expect(refer("#/none/deeper", document)).toBeUndefined()
    expect(refer("other.json#/$defs/a~1b~0c", document)).toBeUndefined()
    expect(refer(5, document)).toBeUndefined()
  })
})

describe("a schema without end", () => {
  it("is spread once each, and 128 nodes of it at the most", () => {
    const round = { anyOf: [{ $ref: "#" }, { $ref: "#" }] }
    expect(spread([round], round)).toHaveLength(3)
    const wide = { anyOf: Array.from({ length: 200 }, (_, n) => ({ n })) }
    expect(spread([wide], wide)).toHaveLength(128)
    expect(spread([null, 1, "x", []], {})).toEqual([])
    expect(below([{ properties: { a: 1 } }], "a")).toEqual([1])
  })
})
