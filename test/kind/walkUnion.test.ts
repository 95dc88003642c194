/** What a value of no branch is told. */
import { describe, expect, it } from "vitest"
import * as SchemaSpec from "../../src/spec/SchemaSpec.ts"

const say = (spec: object, value: unknown) =>
  SchemaSpec.compile({ v: spec } as SchemaSpec.SchemaSpec)
    .violations({ v: value })
    .map(({ message, hint }) => (hint === undefined ? message : `${message}: ${hint}`))

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more })

describe("a value of several branches of oneOf", () => {
  it("is told which, by their numbers, titles and names", () => {
    const oneOf = [
      { type: "number" },
      { type: "integer", title: "Count" },
      { type: "integer", minimum: 1, name: "Positive" },
      { type: "string" },
    ]
    expect(say({ oneOf }, 1)).toEqual([
      "v: want a value of exactly one branch, got one of branch 1 and branch 2 (Count) and branch 3 (Positive)",
    ])
    expect(say({ oneOf }, 0)).toEqual([
      "v: want a value of exactly one branch, got one of branch 1 and branch 2 (Count)",
    ])
    expect(say({ oneOf }, 0.5)).toEqual([])
    expect(say({ anyOf: oneOf }, 1)).toEqual([])
  })
})

describe("a value of no branch", () => {
  const shapes = [
    object(
      { a: { type: "integer", required: true }, b: { type: "integer", required: true } },
      { title: "Pair" },
    ),
    object({ c: { type: "integer", required: true } }, { name: "Single" }),
  ]

  it("is held against the branch that fewest violations speak against", () => {
    expect(say({ anyOf: shapes }, { a: 1 })).toEqual([
      "v.b: missing, want integer (as branch 1 (Pair) of 2 comes nearest)",
    ])
    expect(say({ anyOf: shapes }, { c: "x" })).toEqual([
      'v.c: want integer, got string "x" (as branch 2 (Single) of 2 comes nearest)',
    ])
  })

  it("of another kind altogether is told what is wanted, and what the nearest branch advises", () => {
    expect(say({ anyOf: shapes }, 5)).toEqual(["v: want object, got number 5"])
    expect(say({ anyOf: [{ type: "null" }, { type: "integer" }] }, "5")).toEqual([
      'v: want null or integer, got string "5": write it without quotes: 5',
    ])
    expect(say({ anyOf: [{ type: "integer" }, { type: "null" }] }, "null")).toEqual([
      'v: want integer or null, got string "null": write it without quotes: null',
    ])
  })

  it("of one branch alone hears it as if it stood there", () => {
    expect(say({ anyOf: [shapes[1]] }, { c: "x" })).toEqual(['v.c: want integer, got string "x"'])
  })

  it("is guessed three unions deep, and no deeper", () => {
    const nest = (levels: number): object =>
      levels === 0
        ? { type: "integer" }
        : { anyOf: [object({ n: { ...nest(levels - 1), required: true } }), { type: "null" }] }
    const put = (levels: number): unknown => (levels === 0 ? "x" : { n: put(levels - 1) })
    const why = "(as branch 1 of 2 comes nearest)"
    expect(say(nest(1), put(1))).toEqual([`v.n: want integer, got string "x" ${why}`])
    expect(say(nest(3), put(3))).toEqual([`v.n.n.n: want integer, got string "x" ${why} ${why} ${why}`])
    expect(say(nest(4), put(4))).toEqual([
      `v.n.n.n: want object or null, got object with 1 key ${why} ${why} ${why}`,
    ])
  })
})

describe("a value that names its branch", () => {
  const spec = {
    oneOf: [
      object({ kind: { const: "file", required: true }, path: { type: "string", required: true } }),
      object({ kind: { enum: ["link", "alias"], required: true }, to: { type: "string", required: true } }),
    ],
  }

  it("is held against it, and told so", () => {
    expect(say(spec, { kind: "alias" })).toEqual(['v.to: missing, want string (as kind is "alias")'])
    expect(say(spec, { kind: "file", path: 1 })).toEqual([
      'v.path: want string, got number 1 (as kind is "file"): write it in quotes: "1"',
    ])
  })

  it("by a name that none has, or by none, is told the names", () => {
    expect(say(spec, { kind: "lnk", to: "x" })).toEqual([
      'v.kind: want one of "file", "link", "alias", got string "lnk": did you mean "link"?',
    ])
    expect(say(spec, { to: "x" })).toEqual(['v.kind: missing, want one of "file", "link", "alias"'])
    expect(say(spec, "file")).toEqual(['v: want object, got string "file"'])
  })

  it("does not name it by what objects inherit", () => {
    expect(say(spec, Object.assign(Object.create({ kind: "file" }), { path: "x" }))).toEqual([
      'v.kind: missing, want one of "file", "link", "alias"',
    ])
  })

  it("hears nothing of a tag that a branch calls sensitive", () => {
    const secret = {
      oneOf: [
        object({
          kind: { const: "file", required: true, sensitive: true },
          path: { type: "string", required: true },
        }),
        object({ kind: { const: "link", required: true } }),
      ],
    }
    expect(say(secret, { kind: "file" })).toEqual(["v.path: missing, want string"])
    expect(say(secret, { kind: "other" })).toEqual([
      'v.kind: want one of "file", "link", got string (hidden)',
    ])
  })
})
