/** What an Effect Schema refuses is said as a spec would say it. */
import { it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { describe, expect } from "vitest"
import * as Parameters from "../../src/spec/Parameters.ts"
import type { SchemaSpec } from "../../src/spec/SchemaSpec.ts"
import { decode } from "../../src/tool/decode.ts"

const { Array: List, Finite, Int, Literal, Literals, NullOr, Number: Num, String: Text, Struct } = Schema
const { Union, optionalKey } = Schema

const violationsOf = <A>(parameters: Parameters.Parameters<A>, value: Schema.Json) => {
  const result = Effect.runSync(Effect.result(parameters.decode(JSON.stringify(value))))
  return Result.isFailure(result) && result.failure._tag === "Invalid" ? result.failure.violations : []
}

const shape = Union([Struct({ kind: Literal("a"), n: Finite }), Struct({ kind: Literal("b"), s: Text })])
const ofShape: SchemaSpec = {
  x: {
    required: true,
    anyOf: [
      {
        type: "object",
        properties: {
          kind: { type: "string", enum: ["a"], required: true },
          n: { type: "number", required: true },
        },
      },
      {
        type: "object",
        properties: {
          kind: { type: "string", enum: ["b"], required: true },
          s: { type: "string", required: true },
        },
      },
    ],
  },
}

type Case = readonly [string, Schema.Codec<unknown, unknown>, SchemaSpec, Schema.Json]
const cases: ReadonlyArray<Case> = [
  ["a number as text", Struct({ n: Num }), { n: { type: "number", required: true } }, { n: "5" }],
  [
    "numbers as text in a list",
    Struct({ n: List(Num) }),
    { n: { type: "array", items: { type: "number" }, required: true } },
    { n: ["5"] },
  ],
  ["a broken integer", Struct({ n: Int }), { n: { type: "integer", required: true } }, { n: 1.5 }],
  [
    "a number out of bounds",
    Struct({ n: Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })) }),
    { n: { type: "integer", minimum: 1, maximum: 5, required: true } },
    { n: 7 },
  ],
  [
    "a misspelt key",
    Struct({ file_path: Text }),
    { file_path: { type: "string", required: true } },
    { filePath: "x" },
  ],
  [
    "a member of another case",
    Struct({ mode: Literals(["fast", "careful"]) }),
    { mode: { type: "string", enum: ["fast", "careful"], required: true } },
    { mode: "Fast" },
  ],
  ["a part of a union that names itself", Struct({ x: shape }), ofShape, { x: { kind: "a", n: "3" } }],
  ["a union without its tag", Struct({ x: shape }), ofShape, { x: { n: 3 } }],
  ["an unknown tag", Struct({ x: shape }), ofShape, { x: { kind: "c", n: 3 } }],
  ["null for an optional key", Struct({ d: optionalKey(Text) }), { d: { type: "string" } }, { d: null }],
  [
    "text for a number or null",
    Struct({ d: NullOr(Finite) }),
    { d: { type: "number", nullable: true, required: true } },
    { d: "5" },
  ],
  [
    "a part of a union beside another part",
    Struct({ x: Union([Struct({ file_path: Text }), Struct({ url: Text })]), y: Finite }),
    {
      x: {
        required: true,
        anyOf: [
          { type: "object", properties: { file_path: { type: "string", required: true } } },
          { type: "object", properties: { url: { type: "string", required: true } } },
        ],
      },
      y: { type: "number", required: true },
    },
    { x: { filePath: "a" }, y: "5" },
  ],
  [
    "misspelt keys beside another part",
    Struct({ path: Text, limit: optionalKey(Int) }),
    { path: { type: "string", required: true }, limit: { type: "integer" } },
    { path: 1, limits: 2 },
  ],
  [
    "what stands inside another key",
    Struct({ path: Text }),
    { path: { type: "string", required: true } },
    { input: { path: "a" } },
  ],
  [
    "a lone item",
    Struct({ d: List(Finite) }),
    { d: { type: "array", items: { type: "number" }, required: true } },
    { d: 1 },
  ],
]

const numbered = Array.from({ length: 100 }, (_, index) => `key${index}`)

describe("what an Effect Schema refuses", () => {
  it.each(cases)("is said as by the spec that takes the same: %s", (_, schema, spec, value) => {
    const said = violationsOf(Parameters.fromSchema(schema), value)
    expect(said.length).toBeGreaterThan(0)
    expect(said).toEqual(violationsOf(Parameters.fromSpec(spec), value))
  })

  it("is said of the one branch that comes nearest", () => {
    const either = Struct({ x: Union([Struct({ file_path: Text }), Struct({ url: Text })]) })
    const said = violationsOf(Parameters.fromSchema(either), { x: { filePath: "a" } })
    expect(said).toMatchObject([
      { path: ["x", "file_path"], fix: { kind: "rename", from: "filePath", to: "file_path" } },
    ])
  })

  it("is said in the schema's words where JSON Schema has none, and in the author's where there are any", () => {
    const schema = Struct({ day: Schema.Date, name: Text.annotate({ message: "give a name" }), n: Finite })
    const said = violationsOf(Parameters.fromSchema(schema), { day: "yesterday", name: 1, n: "x" })
    expect(said.map(({ message }) => message)).toEqual([
      'day: want a valid Date, got string "yesterday"',
      "name: give a name, got number 1",
      'n: want number, got string "x"',
    ])
  })

  it("names no key that only nobody reads", () => {
    const schema = Struct({ path: Text, limit: optionalKey(Int) })
    const said = violationsOf(Parameters.fromSchema(schema), { path: 1, limits: 2, colour: 3 })
    expect(said.map(({ path }) => path)).toEqual([["path"], ["limits"]])
  })

  it("is said in the author's words about the whole, with all that belongs to a violation", () => {
    const schema = Struct({ from: Finite, to: Finite }).check(
      Schema.makeFilter(({ from, to }) => from <= to || "from is above to"),
    )
    expect(violationsOf(Parameters.fromSchema(schema), { from: 2, to: 1 })).toEqual([
      {
        path: [],
        expected: "from is above to",
        got: "object with 2 keys",
        message: "arguments: from is above to, got object with 2 keys",
      },
    ])
  })

  it("is said in the author's words, though a spec has words of its own for the place", () => {
    const s = Text.check(Schema.isMinLength(3, { message: "too short" }), Schema.isPattern(/^a/))
    const said = violationsOf(Parameters.fromSchema(Struct({ s })), { s: "b" })
    expect(said.map(({ message }) => message)).toEqual([
      's: too short, got string "b"',
      's: want a string matching the RegExp ^a, got string "b"',
    ])
  })

  it("is said in a spec's words beside a place that the author speaks of", () => {
    const schema = Struct({ x: Struct({ a: Text.annotate({ message: "give an a" }), b: Finite }) })
    const said = violationsOf(Parameters.fromSchema(schema), { x: { a: 1, b: "5" } })
    expect(said.map(({ hint, message }) => [message, hint])).toEqual([
      ["x.a: give an a, got number 1", undefined],
      ['x.b: want number, got string "5"', "write it without quotes: 5"],
    ])
  })

  it("is said of a hundred places at the most, misspelt keys among them", () => {
    const schema = Struct({
      ...Object.fromEntries(numbered.map((key) => [key, Finite])),
      limit: optionalKey(Int),
    })
    const sent = { ...Object.fromEntries(numbered.map((key) => [key, "x"])), limits: 1 }
    expect(violationsOf(Parameters.fromSchema(schema), sent)).toHaveLength(100)
  })

  it("of a schema that no spec can be is said in the schema's words, all of it", () => {
    const schema = Struct({
      when: Union([Schema.Date, Text]),
      n: Finite,
      far: optionalKey(Struct({ m: optionalKey(Finite), k: Finite })),
      list: List(Struct({ m: optionalKey(Finite) })),
      name: Text.annotate({ message: "give a name" }),
    })
    const sent = { when: 1, far: { m: null, k: null }, list: [{ m: null }], name: null }
    expect(violationsOf(Parameters.fromSchema(schema), sent)).toEqual([
      { path: ["when"], expected: "string", got: "number 1", message: "when: want string, got number 1" },
      { path: ["n"], expected: "a value", got: "nothing", message: "n: missing, it is required" },
      {
        path: ["far", "m"],
        expected: "number",
        got: "null",
        message: "far.m: want number, got null",
        hint: "leave it out",
        fix: { kind: "drop", key: "m" },
      },
      { path: ["far", "k"], expected: "number", got: "null", message: "far.k: want number, got null" },
      {
        path: ["list", 0, "m"],
        expected: "number",
        got: "null",
        message: "list[0].m: want number, got null",
        hint: "leave it out",
        fix: { kind: "drop", key: "m" },
      },
      { path: ["name"], expected: "give a name", got: "null", message: "name: give a name, got null" },
    ])
  })

  it("has no advice for what is not null, where the schema speaks for itself", () => {
    const schema = Struct({ when: Union([Schema.Date, Text]), n: optionalKey(Finite), l: List(Finite) })
    const said = violationsOf(Parameters.fromSchema(schema), { when: "", n: "5", l: [null] })
    expect(said.map(({ hint }) => hint)).toEqual([undefined, undefined])
  })

  it("of a schema that holds itself is said at every depth", () => {
    interface Chain {
      readonly v: number
      readonly next?: Chain
    }
    const chain: Schema.Codec<Chain> = Struct({
      v: Finite,
      next: optionalKey(Schema.suspend((): Schema.Codec<Chain> => chain)),
    }).annotate({ identifier: "Chain" })
    const said = violationsOf(Parameters.fromSchema(chain), { v: 1, next: { v: 2, next: { v: "3" } } })
    expect(said).toMatchObject([
      { path: ["next", "next", "v"], expected: "number", fix: { kind: "convert", to: "number" } },
    ])
  })
})

describe("a refusal", () => {
  const many: ReadonlyArray<readonly [string, Parameters.Parameters<unknown>, Schema.Json]> = [
    [
      "an Effect Schema",
      Parameters.fromSchema(Struct({ d: List(Finite) })),
      { d: Array.from({ length: 9_000 }, () => "x") },
    ],
    [
      "a spec",
      Parameters.fromSpec(
        Object.fromEntries(
          Array.from(
            { length: 500 },
            (__, index) => [`k${index}`, { type: "integer", required: true }] as const,
          ),
        ),
      ),
      {},
    ],
  ]
  it.effect.each(many)(
    "of %s keeps a hundred violations, and a text that can be read",
    ([, parameters, value]) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(decode("t", parameters)(JSON.stringify(value), new Set()))
        expect(error).toMatchObject({ _tag: "ToolArgsInvalid" })
        if (error._tag === "ToolArgsInvalid") expect(error.violations).toHaveLength(100)
        expect(error.message.length).toBeLessThan(4_100)
      }),
  )
})

describe("two misspelt keys", () => {
  it.each([
    ["of one that is required", true],
    ["of one that is not", false],
  ])("%s are not both renamed to it", (_, required) => {
    const spec: SchemaSpec = {
      type: "object",
      properties: { path: { type: "string", required } },
      additionalProperties: false,
    }
    const fixes = violationsOf(Parameters.fromSpec(spec), { pat: "a", paths: "b" }).map(({ fix }) => fix)
    expect(fixes).toHaveLength(2)
    expect(fixes.filter((fix) => fix?.kind === "rename")).toHaveLength(1)
    expect(fixes.filter((fix) => fix?.kind === "drop")).toHaveLength(1)
  })
})
