import { it } from "@effect/vitest"
import { Context, Effect, Exit, Schema, SchemaGetter } from "effect"
import { describe, expect } from "vitest"
import * as Parameters from "../../src/spec/Parameters.ts"
import * as Violations from "../../src/spec/Violations.ts"

const hear = <A>(parameters: Parameters.Parameters<A>, text: string): string => {
  const problem = Effect.runSync(Effect.flip(parameters.decode(text)))
  return problem._tag === "Malformed" ? problem.message : Violations.toText(problem.violations)
}

const decode = <A>(parameters: Parameters.Parameters<A>, text: string): A =>
  Effect.runSync(parameters.decode(text))

describe("args/empty-text", () => {
  it("is an empty object for a tool that requires nothing", () => {
    for (const text of ["", " \n"]) {
      expect(decode(Parameters.fromSpec({}), text)).toEqual({})
      expect(decode(Parameters.fromSpec({ a: { type: "string" } }), text)).toEqual({})
      expect(decode(Parameters.fromSchema(Schema.Struct({})), text)).toEqual({})
      expect(decode(Parameters.raw({ type: "object" }), text)).toEqual({})
    }
  })

  it("names every required key for a tool that requires some", () => {
    const spec = { a: { type: "string", required: true }, b: { type: "integer", required: true } } as const
    const named = "- a: missing, want string\n- b: missing, want integer"
    expect(hear(Parameters.fromSpec(spec), "")).toBe(named)
    expect(hear(Parameters.fromSchema(Schema.Struct({ a: Schema.String, b: Schema.Int })), "")).toBe(named)
    for (const text of ["", " \n"])
      expect(hear(Parameters.raw({ type: "object", required: ["a", "b"] }), text)).toBe(
        "- a: missing, it is required\n- b: missing, it is required",
      )
  })
})

describe("args/trailing-text", () => {
  it("is refused with the place where it begins, and nothing is altered", () => {
    const spec = { query: { type: "string", required: true }, limit: { type: "integer" } } as const
    const text = '{"query":"todo","limit":10}\n\nNow I will search.'
    expect(hear(Parameters.fromSpec(spec), text)).toContain("not valid JSON")
    expect(hear(Parameters.fromSpec(spec), text)).toContain("text after position 27")
  })
})

describe("args/double-encoded", () => {
  it("is refused with a word that says so, at the root", () => {
    const text = JSON.stringify('{"param":"max"}')
    for (const parameters of [
      Parameters.fromSpec({ param: { type: "string" } }),
      Parameters.fromSchema(Schema.Struct({ param: Schema.String })),
      Parameters.raw({}),
    ]) {
      expect(hear<unknown>(parameters, text)).toContain("- arguments: want object, got string")
      expect(hear<unknown>(parameters, text)).toContain("encoded twice")
    }
  })

  it("is one kind of root that is no object: each is a violation at the empty path", () => {
    for (const text of ["[]", '"a"', "1", "null", "true"]) {
      for (const parameters of [
        Parameters.fromSpec({}),
        Parameters.fromSchema(Schema.Struct({})),
        Parameters.raw({ type: "object" }),
      ]) {
        const check: Effect.Effect<
          unknown,
          ReadonlyArray<{ readonly path: ReadonlyArray<unknown> }>
        > = parameters.check(JSON.parse(text))
        expect(Effect.runSync(Effect.flip(check)).map(({ path }) => path)).toEqual([[]])
      }
    }
  })
})

describe("args/null-optional", () => {
  it("is refused with the advice to leave the key out", () => {
    const spec = { q: { type: "string", required: true }, limit: { type: "number" } } as const
    expect(hear(Parameters.fromSpec(spec), '{"q":"cats","limit":null}')).toBe(
      "- limit: want number, got null: leave it out",
    )
    expect(hear(Parameters.fromSpec(spec), '{"q":null}')).toBe("- q: want string, got null")
  })

  it("is what the JSON Schema never invites, and an enum may allow", () => {
    expect(JSON.stringify(Parameters.fromSpec({ limit: { type: "number" } }).jsonSchema)).not.toContain(
      "null",
    )
    expect(decode(Parameters.fromSpec({ limit: { enum: [1, null] } }), '{"limit":null}')).toEqual({
      limit: null,
    })
  })
})

describe("args/number-as-text, args/boolean-as-text", () => {
  it("is refused, each with its own line, and nothing is coerced", () => {
    const spec = {
      path: { type: "string", required: true },
      offset: { type: "number" },
      limit: { type: "number" },
    } as const
    expect(hear(Parameters.fromSpec(spec), '{"path":"a.txt","offset":"500","limit":"100"}')).toBe(
      [
        '- offset: want number, got string "500": write it without quotes: 500',
        '- limit: want number, got string "100": write it without quotes: 100',
      ].join("\n"),
    )
  })

  it("keeps the model from dropping the field", () => {
    const spec = { name: { type: "string", required: true }, open: { type: "boolean" } } as const
    expect(hear(Parameters.fromSpec(spec), '{"name":"x","open":"false"}')).toContain(
      'open: want boolean (true or false without quotes), got string "false"',
    )
  })
})

describe("args/enum", () => {
  it("lists what is allowed and takes nothing else", () => {
    const spec = {
      method: { type: "string", enum: ["similarity", "regression", "both"], required: true },
    } as const
    expect(hear(Parameters.fromSpec(spec), '{"method":"kriging"}')).toBe(
      '- method: want one of "similarity", "regression", "both", got string "kriging"',
    )
  })
})

describe("args/deep-nesting", () => {
  it("ends in a message above the stated depth, for every kind of parameters", () => {
    const text = `{"x":${"[".repeat(20_000)}${"]".repeat(20_000)}}`
    for (const parameters of [
      Parameters.fromSpec({ x: { type: "array" } }),
      Parameters.fromSchema(Schema.Struct({ x: Schema.Json })),
      Parameters.raw({ type: "object", properties: { x: {} } }),
    ]) {
      expect(hear<unknown>(parameters, text)).toContain("nest deeper than 128 levels")
    }
  })

  it("is held against the limits that the tool's author gives", () => {
    const limits = { maxLength: 20, maxDepth: 3 }
    const parameters = Parameters.fromSpec({ x: { type: "array" } }, { limits })
    expect(decode(parameters, '{"x":[[]]}')).toEqual({ x: [[]] })
    expect(hear(parameters, '{"x":[[[]]]}')).toContain("deeper than 3 levels")
    expect(hear(parameters, '{"x":["aaaaaaaaaaaaaaa"]}')).toContain("the limit is 20")
  })
})

describe("args/nested-as-text", () => {
  it("is refused with the path, the kind that is wanted and the kind that came", () => {
    const spec = {
      id: { type: "string", required: true },
      fields: { type: "object", required: true },
    } as const
    const text = String.raw`{"id":"A-1","fields":"{\"note\":\"x\"}"}`
    expect(hear(Parameters.fromSpec(spec), text)).toContain("- fields: want object, got string")
    expect(hear(Parameters.fromSpec(spec), text)).toContain("write the object itself")
  })
})

describe("unicode/lone-surrogate", () => {
  const spec = Parameters.fromSpec({ text: { type: "string", maxLength: 3, required: true } })

  it("is JSON: the body receives it as it was written, and counts it as one character", () => {
    expect(decode(spec, String.raw`{"text":"a\ud83d"}`)).toEqual({ text: "a\ud83d" })
    expect(decode(spec, String.raw`{"text":"\ud83d\ude00"}`)).toEqual({ text: "😀" })
    expect(decode(spec, String.raw`{"text":"\ude00\ud83d\ud83d"}`)).toEqual({ text: "\ude00\ud83d\ud83d" })
  })

  it("is quoted as an escape, which every file and provider can hold", () => {
    const told = hear(spec, String.raw`{"text":"\ud83d\ud83d\ud83d\ud83d"}`)
    expect(told).toContain(String.raw`\ud83d`)
    expect(told.isWellFormed()).toBe(true)
  })
})

describe("args/duplicate-key", () => {
  it("is refused by name: one of the two would be lost in silence", () => {
    for (const parameters of [Parameters.fromSpec({}), Parameters.raw({})])
      expect(hear<unknown>(parameters, `{"path":"a","path":"b"}`)).toContain(
        'the key "path" stands a second time in its object, first at 1: write each key once',
      )
  })
})

describe("loop/error-text", () => {
  it("holds all violations in one message, with paths", () => {
    const spec = { a: { type: "integer", required: true }, b: { type: "string", required: true } } as const
    expect(hear(Parameters.fromSpec(spec), '{"a":"1"}')).toBe(
      '- a: want integer, got string "1": write it without quotes: 1\n- b: missing, want string',
    )
  })
})

describe("fromSpec", () => {
  it("gives the body what was checked, unknown keys included", () => {
    const parameters = Parameters.fromSpec({ path: { type: "string", required: true } })
    const args: { readonly path: string } = decode(parameters, '{"path":"a","more":[1]}')
    expect(args).toEqual({ path: "a", more: [1] })
  })

  it("throws a wrong spec where the tool is defined", () => {
    const wrong = JSON.parse('{"a":{"type":"text"}}')
    expect(() => Parameters.fromSpec(wrong)).toThrow(TypeError)
  })
})

describe("fromSchema", () => {
  const When = Schema.Struct({ when: Schema.Date, count: Schema.optionalKey(Schema.NumberFromString) })

  it("decodes what the schema transforms", () => {
    const args = decode(Parameters.fromSchema(When), '{"when":"2026-01-02T00:00:00Z","count":"3"}')
    expect(args).toEqual({ when: new Date("2026-01-02T00:00:00Z"), count: 3 })
  })

  it("shows the model the encoded side, an object at the root", () => {
    expect(Parameters.fromSchema(When).jsonSchema).toMatchObject({
      type: "object",
      properties: { when: { type: "string" }, count: { type: "string" } },
      required: ["when"],
    })
    expect(Parameters.fromSchema(Schema.Struct({})).jsonSchema).toMatchObject({
      type: "object",
      properties: {},
    })
  })

  it("puts a named root where providers look for it, and keeps what it refers to", () => {
    class Tree extends Schema.Class<Tree>("Tree")({
      name: Schema.String,
      children: Schema.Array(Schema.suspend((): Schema.Codec<Tree, unknown> => Tree)),
    }) {}
    const { jsonSchema } = Parameters.fromSchema(Tree)
    expect(jsonSchema).toMatchObject({ type: "object", properties: { name: { type: "string" } } })
    const referred = [...JSON.stringify(jsonSchema).matchAll(/"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name)
    expect(referred.length).toBeGreaterThan(0)
    for (const name of referred) expect(jsonSchema).toHaveProperty(["$defs", String(name)])
    expect(
      decode(Parameters.fromSchema(Tree), '{"name":"a","children":[{"name":"b","children":[]}]}'),
    ).toBeInstanceOf(Tree)
  })

  it("says all that is wrong, without whole values", () => {
    const schema = Schema.Struct({
      a: Schema.Int,
      b: Schema.Struct({ c: Schema.Array(Schema.String) }),
      d: Schema.String.check(Schema.isMinLength(3)),
      e: Schema.String.annotate({ message: "give a name" }),
      f: Schema.Boolean,
    })
    const secret = "s3cret ".repeat(100)
    const text = JSON.stringify({ a: 1.5, b: { c: ["x", { secret }] }, d: "ab", e: 1 })
    const heard = hear(Parameters.fromSchema(schema), text)
    expect(heard.split("\n")).toEqual([
      "- a: want integer, got number 1.5",
      "- b.c[1]: want string, got object with 1 key",
      expect.stringMatching(/^- d: want .*3.*, got string "ab"$/),
      "- e: give a name, got number 1",
      "- f: missing, want boolean (true or false without quotes)",
    ])
  })

  it("runs a transformation that needs a service in the caller's context", () => {
    class Base extends Context.Service<Base, { readonly root: string }>()("test/spec/Base") {}
    const Rooted = Schema.String.pipe(
      Schema.decodeTo(Schema.String, {
        decode: SchemaGetter.transformEffect((path: string) => Base.useSync(({ root }) => `${root}/${path}`)),
        encode: SchemaGetter.passthrough(),
      }),
    )
    const decoded = Parameters.fromSchema(Schema.Struct({ path: Rooted })).decode('{"path":"a"}')
    expect(Effect.runSync(Effect.provideService(decoded, Base, { root: "/srv" }))).toEqual({ path: "/srv/a" })
  })

  it("refuses a schema whose JSON is no object, where the tool is defined", () => {
    expect(() => Parameters.fromSchema(Schema.String)).toThrow("a tool takes an object")
  })

  it("refuses a schema whose author puts into its JSON Schema what is no JSON", () => {
    const noJson = Schema.makeFilter(() => true, { toJsonSchema: () => ({ minLength: 1n }) })
    const odd = Schema.Struct({ a: Schema.String.check(noJson) })
    expect(() => Parameters.fromSchema(odd)).toThrow("the JSON Schema of this Effect Schema is no JSON")
  })

  it("shows no definitions where there are none, and has no notes: what it does not know, it drops", () => {
    const parameters = Parameters.fromSchema(Schema.Struct({ a: Schema.optionalKey(Schema.Int) }))
    expect(Object.keys(parameters.jsonSchema)).not.toContain("$defs")
    expect(parameters.notes({ b: 1 })).toEqual([])
  })
})

describe("raw", () => {
  it("shows the schema as it is and lets any JSON object through", () => {
    const jsonSchema = {
      type: "object",
      properties: { x: { $ref: "#/$defs/x" } },
      required: ["x"],
      $defs: { x: {} },
    }
    const parameters = Parameters.raw(jsonSchema)
    expect(parameters.jsonSchema).toEqual(jsonSchema)
    expect(decode(parameters, '{"y":[1,{"z":null}]}')).toEqual({ y: [1, { z: null }] })
    expect(decode(parameters, "{}")).toEqual({})
  })

  it("takes nothing that is no JSON", () => {
    const parameters = Parameters.raw({})
    for (const value of [{ a: undefined }, { a: Number.NaN }, { a: () => 1 }, new Date(0)]) {
      expect(Exit.isFailure(Effect.runSyncExit(parameters.check(value)))).toBe(true)
    }
    expect(Effect.runSync(Effect.flip(parameters.check({ a: undefined })))).toEqual([
      {
        path: [],
        expected: "an object of JSON values only",
        got: "object with 1 key",
        message: "arguments: want an object of JSON values only, got object with 1 key",
      },
    ])
  })

  it("has no notes, since it knows no key", () => {
    expect(Parameters.raw({ properties: { limit: {} } }).notes({ limits: 1 })).toEqual([])
  })

  it("refuses a schema of anything but objects, where the tool is defined", () => {
    expect(() => Parameters.raw({ type: "array" })).toThrow('is of type "array"')
  })
})
