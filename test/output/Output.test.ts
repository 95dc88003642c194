import { it } from "@effect/vitest"
import { Context, Effect, Schema, SchemaGetter } from "effect"
import { describe, expect } from "vitest"
import type { ToolExecutionResult } from "../../src/message/ToolResult.ts"
import * as Output from "../../src/output/Output.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { bodied, execute, textOf } from "../tool/fixtures.ts"

const give = (output: unknown): Effect.Effect<ToolExecutionResult> =>
  execute(bodied("give", Effect.succeed(output)))

const texts: ReadonlyArray<readonly [string, unknown, string, unknown]> = [
  ["text as it is", 'plain\n"text"', 'plain\n"text"', undefined],
  ["an object as JSON, and as data", { a: [1, null] }, '{"a":[1,null]}', { a: [1, null] }],
  ["an array as JSON, and as data", [1, 2], "[1,2]", [1, 2]],
  ["a number", 7, "7", undefined],
  ["null", null, "null", undefined],
  ["nothing as a note that it is done", undefined, "(done, no output)", undefined],
  ["an empty text the same way: providers refuse an empty block", "", "(done, no output)", undefined],
  [
    "what toJSON says",
    { at: new Date(0) },
    '{"at":"1970-01-01T00:00:00.000Z"}',
    { at: "1970-01-01T00:00:00.000Z" },
  ],
  ["keys that hold undefined not at all", { a: undefined, b: 1 }, '{"b":1}', { b: 1 }],
  ["half a surrogate pair as U+FFFD", "a\uD83D", "a\uFFFD", undefined],
  ["half a pair in a key", { "\uDE00": "\uD83D" }, '{"\uFFFD":"\uFFFD"}', { "\uFFFD": "\uFFFD" }],
  [
    "a key that objects inherit",
    JSON.parse('{"__proto__":{"x":1}}'),
    '{"__proto__":{"x":1}}',
    JSON.parse('{"__proto__":{"x":1}}'),
  ],
]

describe("an output is given to the model:", () => {
  it.effect.each(texts)("%s", ([, output, text, structured]) =>
    Effect.map(give(output), (result) => {
      expect([result.outcome, textOf(result)]).toEqual(["success", text])
      expect(result.structured).toEqual(structured)
    }),
  )

  it.effect("detached from what the body keeps", () =>
    Effect.gen(function* () {
      const kept = { rows: [1] }
      const result = yield* give(kept)
      kept.rows.push(2)
      expect(result.structured).toEqual({ rows: [1] })
    }),
  )
})

/** One text, many times: the JSON of it is longer than any string can be. */
const overlong = (): ReadonlyArray<string> => {
  const text = "0123456789".repeat(1_000_000)
  return Array(60).fill(text)
}

describe("an output whose JSON is longer than a string can be is refused:", () => {
  const limit = "output: expected at most 67108864 characters, got more"

  it.effect("without a schema", () =>
    Effect.map(give(overlong()), (result) => {
      expect([result.outcome, result.error?.code]).toEqual(["failed", "INVALID_TOOL_OUTPUT"])
      expect(result.violations?.map(({ message }) => message)).toEqual([limit])
    }),
  )

  it.effect("with a schema", () =>
    Effect.gen(function* () {
      const tool = Tool.defineTool({
        name: "give",
        description: "",
        parameters: {},
        output: Schema.Array(Schema.String),
        run: () => Effect.succeed(overlong()),
      })
      const result = yield* execute(tool)
      expect([result.outcome, result.error?.code]).toEqual(["failed", "INVALID_TOOL_OUTPUT"])
    }),
  )

  it.effect("whether it is long by keys, or by a long list of nothing", () =>
    Effect.gen(function* () {
      const key = "k".repeat(2 ** 25)
      const empty = Object.assign([], { length: 2 ** 32 - 1 })
      for (const output of [[{ [key]: 1 }, { [key]: 1 }, { [key]: 1 }], empty])
        expect((yield* give(output)).error?.code).toBe("INVALID_TOOL_OUTPUT")
    }),
  )

  it.effect("but a text is cut, however long", () =>
    Effect.map(give("0".repeat(2 ** 26 + 1)), (result) => {
      expect([result.outcome, textOf(result).length < 60_000]).toEqual(["success", true])
    }),
  )

  it.effect("and what throws in place of an output is a bug of the tool, not the end of its caller", () =>
    Effect.gen(function* () {
      const tool = {
        ...bodied("give", Effect.succeed(1)),
        output: (): never => {
          throw new RangeError("Invalid string length")
        },
      }
      expect((yield* execute(tool)).outcome).toBe("defect")
    }),
  )
})

class Money {
  readonly amount = 1
}

const refused: ReadonlyArray<readonly [string, unknown, ReadonlyArray<string | number>]> = [
  ["Infinity", { result: 1e308 + 1e308 }, ["result"]],
  ["NaN in an array", [0, Number.NaN], [1]],
  ["a BigInt", { a: { b: 1n } }, ["a", "b"]],
  ["a function", { f: () => {} }, ["f"]],
  ["a symbol", [Symbol("x")], [0]],
  ["undefined in an array", [1, undefined], [1]],
  ["an instance of a class", { price: new Money() }, ["price"]],
  ["a Map", new Map([["a", 1]]), []],
  ["an invalid date", { at: new Date(Number.NaN) }, ["at"]],
  [
    "a getter that throws",
    {
      get x(): never {
        throw new Error("no entry")
      },
    },
    [],
  ],
  [
    "a toJSON that throws",
    {
      x: {
        toJSON: () => {
          throw new Error("no entry")
        },
      },
    },
    ["x"],
  ],
  [
    "a toJSON without end",
    {
      x: (() => {
        const endless: object = { toJSON: () => ({ ...endless }) }
        return endless
      })(),
    },
    ["x"],
  ],
]

describe("an output is refused, with its path:", () => {
  it.effect.each(refused)("%s", ([, output, path]) =>
    Effect.map(give(output), (result) => {
      expect([result.outcome, result.error?.code]).toEqual(["failed", "INVALID_TOOL_OUTPUT"])
      expect(result.violations?.map((violation) => violation.path)).toEqual([path])
      expect(result.structured).toBeUndefined()
    }),
  )

  it.effect("every place at once, up to a number", () =>
    Effect.gen(function* () {
      const two = yield* give({ a: 1n, b: [Number.NaN] })
      expect(two.violations?.map(({ path }) => path)).toEqual([["a"], ["b", 0]])
      const many = yield* give(Array.from({ length: 1_000 }, () => 1n))
      expect(many.violations?.length).toBe(20)
    }),
  )

  it.effect("every place that a schema refuses up to the same number, in short sentences", () =>
    Effect.gen(function* () {
      const checked = Tool.defineTool({
        name: "give",
        description: "",
        parameters: {},
        output: Schema.Array(Schema.String.check(Schema.isMaxLength(3))),
        run: () => Effect.succeed(Array.from({ length: 1_000 }, () => "long".repeat(10_000))),
      })
      const result = yield* execute(checked)
      expect([result.error?.code, result.violations?.length]).toEqual(["INVALID_TOOL_OUTPUT", 20])
      expect(JSON.stringify(result).length).toBeLessThan(100_000)
    }),
  )

  it.effect("what is nested too deeply", () =>
    Effect.gen(function* () {
      let deep: unknown = 1
      for (let i = 0; i < 300; i++) deep = [deep]
      expect((yield* give(deep)).violations?.[0]?.expected).toBe("at most 199 levels")
    }),
  )
})

describe("a shared part", () => {
  it.effect("is no cycle", () =>
    Effect.gen(function* () {
      const part = { n: 1 }
      expect((yield* give({ a: part, b: part })).structured).toEqual({ a: { n: 1 }, b: { n: 1 } })
    }),
  )
})

describe("a declared output", () => {
  const typed = <S extends Schema.Codec<unknown, unknown, never, unknown>>(output: S, value: S["Type"]) =>
    Tool.defineTool({
      name: "typed",
      description: "",
      parameters: {},
      output,
      run: () => Effect.succeed(value),
    })

  it.effect("is given in its encoded form", () =>
    Effect.gen(function* () {
      const result = yield* execute(
        typed(Schema.Struct({ at: Schema.Date, n: Schema.BigInt }), { at: new Date(0), n: 7n }),
      )
      expect(result.structured).toEqual({ at: "1970-01-01T00:00:00.000Z", n: "7" })
    }),
  )

  it.effect("is enforced, every violation with its path", () =>
    Effect.gen(function* () {
      const short = Schema.String.check(Schema.isMaxLength(2))
      const tool = typed(Schema.Struct({ a: short, b: Schema.Array(short) }), {
        a: "long",
        b: ["ok", "long"],
      })
      const result = yield* execute(tool)
      expect(result.error).toEqual({ name: "ToolOutputInvalid", code: "INVALID_TOOL_OUTPUT" })
      expect(result.violations?.map(({ path }) => path)).toEqual([["a"], ["b", 1]])
    }),
  )

  it.effect("may need services to be encoded, and the tool says so", () =>
    Effect.gen(function* () {
      class Prefix extends Context.Service<Prefix, string>()("Prefix") {}
      const schema = Schema.String.pipe(
        Schema.decodeTo(Schema.String, {
          decode: SchemaGetter.passthrough(),
          encode: SchemaGetter.transformEffect((text: string) =>
            Effect.map(Prefix, (prefix) => `${prefix}${text}`),
          ),
        }),
      )
      const result = yield* execute(typed(schema, "x")).pipe(Effect.provideService(Prefix, "> "))
      expect(textOf(result)).toBe("> x")
    }),
  )
})

describe("a long output", () => {
  it.effect("keeps its beginning and its end, and says how much is gone", () =>
    Effect.gen(function* () {
      const result = yield* give(`${"a".repeat(60_000)}z`)
      const text = textOf(result)
      expect(text.startsWith("aaaa") && text.endsWith("z")).toBe(true)
      expect(text).toContain("[… 10001 of 60001 characters are left out here …]")
      expect(text.length).toBeLessThan(Output.maxTextLength + 100)
    }),
  )

  it.effect("is never cut inside a character, and never kept whole as data", () =>
    Effect.gen(function* () {
      for (const lead of ["", "a"])
        for (const end of ["", "z"])
          expect(textOf(yield* give(lead + "😀".repeat(40_000) + end))).not.toMatch(/\p{Surrogate}/u)
      expect((yield* give({ text: "a".repeat(60_000) })).structured).toBeUndefined()
    }),
  )
})

describe("content", () => {
  const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const

  it.effect("passes through as blocks", () =>
    Effect.gen(function* () {
      const blocks = [{ type: "text", text: "a chart" } as const, image]
      expect((yield* give(Output.content(blocks))).content).toEqual(blocks)
      expect(textOf(yield* give(Output.content([])))).toBe("(done, no output)")
    }),
  )

  it.effect("shares one limit among its texts", () =>
    Effect.gen(function* () {
      const text = { type: "text", text: "a".repeat(40_000) } as const
      const result = yield* give(Output.content([text, image, text]))
      expect(result.content.map(({ type }) => type)).toEqual(["text", "image", "text"])
      expect(textOf(result).length).toBeLessThan(Output.maxTextLength + 200)
    }),
  )

  it.effect("with an image that is nowhere is refused, before a provider refuses every later request", () =>
    Effect.gen(function* () {
      for (const where of [{}, { data: "" }, { url: "not a url" }]) {
        const result = yield* give(Output.content([{ type: "image", mediaType: "image/png", ...where }]))
        expect(result.error?.code).toBe("INVALID_TOOL_OUTPUT")
        expect(textOf(result)).toContain("image blocks with data or a url")
      }
      const far = { type: "image", mediaType: "image/png", url: "https://example.com/a.png" } as const
      expect((yield* give(Output.content([far]))).content).toEqual([far])
    }),
  )

  it.effect("of unknown blocks is refused", () =>
    Effect.gen(function* () {
      const odd = Output.content(JSON.parse('[{"type":"sound"}]'))
      expect((yield* give(odd)).error?.code).toBe("INVALID_TOOL_OUTPUT")
      const lookalike = yield* give([{ type: "text", text: "data, not content" }])
      expect(lookalike.structured).toEqual([{ type: "text", text: "data, not content" }])
    }),
  )
})
