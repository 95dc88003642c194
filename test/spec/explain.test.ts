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
    "a lone item",
    Struct({ d: List(Finite) }),
    { d: { type: "array", items: { type: "number" }, required: true } },
    { d: 1 },
  ],
]

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
