/** What a spec calls sensitive is told to nobody. */
import { it } from "@effect/vitest"
import type { Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import * as SchemaSpec from "../../src/spec/SchemaSpec.ts"
import * as Sensitive from "../../src/spec/Sensitive.ts"

const secret = "s3cr3t-hunter2"

const compiled = SchemaSpec.compile({
  user: { type: "string", required: true },
  token: { type: "string", minLength: 50, sensitive: true },
  pin: { type: "integer", sensitive: true },
  login: {
    type: "object",
    sensitive: true,
    properties: {
      name: { type: "string", required: true },
      tags: { type: "array", items: { type: "null" } },
    },
    additionalProperties: { type: "boolean" },
  },
  accounts: {
    type: "array",
    items: {
      type: "object",
      properties: { key: { type: "string", pattern: "^x", sensitive: true, required: true } },
    },
  },
  way: { anyOf: [{ type: "integer", sensitive: true }, { type: "null" }] },
})

/** JSON that may hold the secret, in all kinds of forms. */
const put = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(secret, [secret], JSON.stringify({ token: secret }), { key: secret }, null),
    fc.dictionary(fc.constantFrom("name", "tags", "key", "keys"), tie("json")),
    fc.array(tie("json"), { maxLength: 2 }),
  ),
}))

const planted = fc.record({
  token: put.json,
  pin: put.json,
  login: put.json,
  accounts: put.json,
  way: put.json,
})

describe("violations", () => {
  it("say the kind of a sensitive value and nothing else", () => {
    const found = compiled.violations({ user: "a", token: secret, pin: secret })
    expect(found.map(({ message }) => message)).toEqual([
      "token: want string of at least 50 characters, got string (hidden)",
      "pin: want integer, got string (hidden)",
    ])
  })

  it("name declared keys inside a sensitive object, and no others", () => {
    const found = compiled.violations({ user: "a", login: { [secret]: secret, tags: [secret] } })
    expect(found.map(({ message }) => message)).toEqual([
      "login.name: missing, want string",
      "login.tags[0]: want null, got string (hidden)",
      "login: want object whose other keys hold boolean (true or false without quotes), got object (hidden)",
    ])
  })

  it("quote no tag that is sensitive, and none of a union with a branch that is", () => {
    const other = { type: "object", properties: { k: { const: "b", required: true } } } as const
    const kind = (tag: object, branch: object) =>
      SchemaSpec.compile({
        x: {
          oneOf: [
            { type: "object", properties: { k: { const: secret, required: true, ...tag } }, ...branch },
            other,
          ],
        },
      } as SchemaSpec.SchemaSpec)
    for (const one of [kind({ sensitive: true }, {}), kind({}, { sensitive: true })]) {
      expect(one.violations({ x: { k: "hunter3-wrong" } })).toHaveLength(1)
      expect(JSON.stringify(one.violations({ x: { k: "hunter3-wrong" } }))).not.toContain("hunter3")
    }
    expect(JSON.stringify(kind({}, {}).violations({ x: { k: "hunter3" } }))).toContain("hunter3")
  })

  it("keep the advice that is about the kind", () => {
    const [violation] = compiled.violations({ user: "a", pin: "1234" })
    expect(violation?.hint).toBe("write it without quotes")
    expect(violation?.fix).toEqual({ kind: "convert", to: "integer" })
  })

  it("quote the secret nowhere, wherever it was put", () => {
    fc.assert(
      fc.property(planted, (value) => {
        expect(JSON.stringify(compiled.violations({ user: "a", ...value }))).not.toContain(secret)
      }),
    )
    expect(JSON.stringify(compiled.violations(JSON.stringify({ token: secret })))).not.toContain(secret)
  })
})

describe("the mask of the JSON Schema", () => {
  const mask = Sensitive.maskOf(compiled.jsonSchema)

  it("hides whatever the spec's own mask hides", () => {
    fc.assert(
      fc.property(planted, (value) => {
        const own = JSON.stringify(compiled.mask?.({ user: "a", ...value }, () => "***"))
        const other = JSON.stringify(mask?.({ user: "a", ...value }, () => "***"))
        expect(own).not.toContain(secret)
        expect(other).not.toContain(secret)
        expect(other).toContain('"user":"a"')
      }),
    )
  })

  it("follows references, and leaves what is open", () => {
    const tree = Sensitive.maskOf({
      type: "object",
      properties: { tree: { $ref: "#/$defs/Tree" }, path: { type: "string" } },
      $defs: {
        Tree: {
          type: "object",
          properties: { key: { type: "string", writeOnly: true }, next: { $ref: "#/$defs/Tree" }, n: {} },
        },
      },
    })
    const masked = tree?.(
      { path: "p", tree: { n: 1, key: secret, next: { key: secret, n: [2] } } },
      () => "*",
    )
    expect(masked).toEqual({ path: "p", tree: { n: 1, key: "*", next: { key: "*", n: [2] } } })
    expect(Sensitive.maskOf({ type: "object", properties: { a: {} } })).toBeUndefined()
  })
})

describe("a JSON Schema whose secrets cannot be followed", () => {
  const marked = { type: "integer", writeOnly: true }
  const open = { a: { type: "string" }, t: {} }
  it.each<readonly [what: string, schema: Schema.JsonObject]>([
    ["an anchor", { properties: { t: { $ref: "#T" } }, $defs: { T: { $anchor: "T", ...marked } } }],
    [
      "a dynamic anchor",
      { properties: { t: { $dynamicRef: "#T" } }, $defs: { T: { $dynamicAnchor: "T", ...marked } } },
    ],
    ["an $id", { properties: { t: { $ref: "tok" } }, $defs: { T: { $id: "tok", ...marked } } }],
    ["an escaped pointer", { properties: { t: { $ref: "#/$defs/a%20b" } }, $defs: { "a b": marked } }],
    ["dependentSchemas", { properties: open, dependentSchemas: { a: { properties: { t: marked } } } }],
    ["unevaluatedProperties", { properties: open, unevaluatedProperties: marked }],
  ])("is hidden whole: %s", (_, schema) => {
    const document = { type: "object", ...schema }
    expect(Sensitive.maskOf(document)?.({ a: "x", t: secret }, () => "*")).toBe("*")
    const violation = { path: ["t"], expected: "integer", got: `string "${secret}"`, message: secret }
    expect(JSON.stringify(Sensitive.hideIn([violation], document))).not.toContain(secret)
  })

  it("names no key that it does not declare", () => {
    const at = (path: ReadonlyArray<string | number>, document: Schema.JsonObject) =>
      Sensitive.hideIn([{ path, expected: "a key that fits", got: "another", message: secret }], document)
    const object = { type: "object", properties: { a: {} }, propertyNames: { pattern: "^[a-z]$" } }
    const inside = { type: "object", properties: { m: { ...object, writeOnly: true } } }
    expect(at(["m", secret], inside)).toMatchObject([{ path: ["m"] }])
    expect(JSON.stringify(at(["m", secret], inside))).not.toContain(secret)
    expect(at(["m", "a"], inside)).toMatchObject([{ path: ["m", "a"] }])
    const names = { ...object, propertyNames: { pattern: "^[a-z]$", writeOnly: true } }
    expect(at([secret], names)).toMatchObject([{ path: [] }])
    expect(JSON.stringify(at([secret], names))).not.toContain(secret)
  })

  it("is another matter when a property has the name of a keyword, or nothing is marked", () => {
    const named = Sensitive.maskOf({ type: "object", properties: { not: marked, $id: { const: "a" } } })
    expect(named?.({ not: 1, $id: "a" }, () => "*")).toEqual({ not: "*", $id: "a" })
    expect(Sensitive.maskOf({ type: "object", properties: { t: { $ref: "#T" } } })).toBeUndefined()
  })
})

describe("mask", () => {
  const mask = (value: unknown): unknown => compiled.mask?.(value, () => "***")

  it("replaces what is sensitive, and leaves the rest", () => {
    const value = { user: "a", token: secret, accounts: [{ key: secret }], login: { name: secret } }
    expect(mask(value)).toEqual({ user: "a", token: "***", accounts: [{ key: "***" }], login: "***" })
  })

  it("replaces what may be sensitive under a wrong name or in a wrong form", () => {
    expect(mask({ user: "a", tokn: secret })).toEqual({ user: "a", tokn: "***" })
    expect(mask(JSON.stringify({ token: secret }))).toBe("***")
    expect(mask({ accounts: { key: secret } })).toEqual({ accounts: "***" })
  })

  it("is not there when nothing is sensitive", () => {
    expect(SchemaSpec.compile({ a: { type: "string" } }).mask).toBeUndefined()
  })

  it("follows names", () => {
    const tree = SchemaSpec.compile({
      tree: {
        type: "object",
        name: "Tree",
        properties: { key: { type: "string", sensitive: true }, next: { ref: "Tree" } },
      },
    })
    const masked = tree.mask?.({ tree: { key: secret, next: { key: secret } } }, () => "***")
    expect(masked).toEqual({ tree: { key: "***", next: { key: "***" } } })
  })
})
