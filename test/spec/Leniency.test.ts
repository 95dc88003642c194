/** Policies change what they name and nothing else; specs, Effect Schemas and JSON Schemas alike. */
import { createRequire } from "node:module"
import { it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import type { Violation } from "../../src/error/Violation.ts"
import * as RawParameters from "../../src/jsonschema/RawParameters.ts"
import * as Leniency from "../../src/spec/Leniency.ts"
import * as Parameters from "../../src/spec/Parameters.ts"
import { runs } from "../runs.ts"

const spec = Parameters.fromSpec({
  query: { type: "string", required: true },
  limit: { type: "integer" },
  all: { type: "boolean" },
  tags: { type: "array", items: { type: "integer" } },
  where: { type: "object", properties: { depth: { type: "number", required: true } } },
})
const schema = Parameters.fromSchema(
  Schema.Struct({
    query: Schema.String,
    limit: Schema.optionalKey(Schema.Int),
    all: Schema.optionalKey(Schema.Boolean),
    tags: Schema.optionalKey(Schema.Array(Schema.Int)),
    where: Schema.optionalKey(Schema.Struct({ depth: Schema.Finite })),
  }),
)
const ways: ReadonlyArray<readonly [string, Parameters.Parameters<unknown>]> = [
  ["a spec", spec],
  ["an Effect Schema", schema],
  ["a JSON Schema", RawParameters.make(spec.jsonSchema)],
]

const read = (
  parameters: Parameters.Parameters<unknown>,
  text: string,
  ...allowed: ReadonlyArray<Leniency.Policy>
) => Effect.runSync(Effect.result(Leniency.read(parameters, Leniency.toPolicies(allowed), String)(text)))

const nested = String.raw`{"query":"a","where":"{\"depth\":2}"}`
const cases: ReadonlyArray<
  readonly [Leniency.Policy, text: string, args: object, path: ReadonlyArray<string>]
> = [
  ["null-as-absent", `{"query":"a","limit":null}`, { query: "a" }, ["limit"]],
  ["number-from-text", `{"query":"a","limit":"5"}`, { query: "a", limit: 5 }, ["limit"]],
  ["boolean-from-text", `{"query":"a","all":"False"}`, { query: "a", all: false }, ["all"]],
  ["json-from-text", nested, { query: "a", where: { depth: 2 } }, ["where"]],
  ["json-from-text", JSON.stringify(`{"query":"a"}`), { query: "a" }, []],
  ["list-from-single", `{"query":"a","tags":7}`, { query: "a", tags: [7] }, ["tags"]],
  ["json-repair", `{'query': "a",}`, { query: "a" }, []],
  ["json-repair", '```json\n{"query":"a"}\n```', { query: "a" }, []],
]

describe.each(ways)("by %s", (_, parameters) => {
  it.each(cases)("%s takes %s, and leaves a trace", (policy, text, args, path) => {
    const reading = Result.getOrThrow(read(parameters, text, policy))
    expect(reading.args).toEqual(args)
    expect(reading.repairs).toMatchObject([{ policy, path, why: expect.stringMatching(/want|no JSON/) }])
  })

  it.each(cases)("without %s, %s is refused, whatever else is on", (policy, text) => {
    const others = Leniency.policies.filter((other) => other !== policy)
    expect(Result.isFailure(read(parameters, text, ...others))).toBe(true)
    expect(Result.isFailure(read(parameters, text))).toBe(true)
  })

  it.each([
    `{"query":"abc`,
    `{"query":"abc"`,
    `{"query":"abc",`,
    `{'query':'abc`,
    `{'query':'abc','where':{'depth':1}`,
    `{'query':'abc' // the`,
    `{query:"a","tags":[1,2`,
    `{'query':"a\\`,
    '```json\n{"query":"abc',
    '{"query":"line\nbreak',
  ])("json-repair does not make up the rest of %j", (text) => {
    expect(Result.isFailure(read(parameters, text, ...Leniency.policies))).toBe(true)
  })

  it.each([`{query:"it's"} // done`, `{'query':'a'}}`, "```json\n{'query':'a'}", `callback({'query':'a'})`])(
    "json-repair mends %j, which is whole",
    (text) => {
      expect(Result.isSuccess(read(parameters, text, "json-repair"))).toBe(true)
    },
  )

  it("changes what a change reveals, in order", () => {
    const text = JSON.stringify(JSON.stringify({ query: "a", tags: "[1,2]", where: { depth: "3" } }))
    const { args, repairs } = Result.getOrThrow(read(parameters, text, "json-from-text", "number-from-text"))
    expect(args).toEqual({ query: "a", tags: [1, 2], where: { depth: 3 } })
    expect(repairs.map(({ path }) => path.join("."))).toEqual(["", "tags", "where.depth"])
  })

  it("leaves what is good as it is", () => {
    const text = `{"query":"5","limit":5,"tags":[],"where":{"depth":1}}`
    const { args, repairs } = Result.getOrThrow(read(parameters, text, ...Leniency.policies))
    expect(args).toEqual(JSON.parse(text))
    expect(repairs).toEqual([])
  })

  it("says only what still stands in the way", () => {
    const refused = read(parameters, `{"limit":"5","all":"perhaps"}`, ...Leniency.policies)
    const problem = Result.isFailure(refused) ? refused.failure : undefined
    expect(problem?._tag === "Invalid" && problem.violations.map(({ path }) => path[0])).toEqual([
      "query",
      "all",
    ])
  })

  it("guesses no key, no member and no text", () => {
    for (const text of [`{"qery":"a"}`, `{"query":5}`, `{"input":{"query":"a"}}`, `{"query":["a"]}`])
      expect(Result.isFailure(read(parameters, text, ...Leniency.policies))).toBe(true)
  })

  it("gives the body nothing but what the check takes", () => {
    const scalar = fc.oneof(
      fc.constantFrom("1", "true", "null", "[1]", '{"depth":"1"}', "x"),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const args = fc.record(
      { query: scalar, limit: scalar, all: scalar, tags: scalar, where: scalar },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(args, fc.subarray([...Leniency.policies]), (value, allowed) => {
        const reading = read(parameters, JSON.stringify(value), ...allowed)
        if (Result.isFailure(reading)) return
        expect(Result.isSuccess(Effect.runSync(Effect.result(parameters.check(reading.success.args))))).toBe(
          true,
        )
        expect(new Set(allowed)).toEqual(
          new Set([...allowed, ...reading.success.repairs.map(({ policy }) => policy)]),
        )
      }),
      { numRuns: runs(300) },
    )
  })
})

describe("bounds", () => {
  it("hold for text in text in text: that is no slip any more", () => {
    const twice = JSON.stringify(JSON.stringify(`{"query":"a"}`))
    expect(Result.isFailure(read(spec, twice, "json-from-text"))).toBe(true)
    const deep = JSON.stringify({ query: "a", where: "[".repeat(20_000) })
    expect(Result.isFailure(read(spec, deep, ...Leniency.policies))).toBe(true)
  })

  it("hold for many changes, and for long ones", () => {
    const many = { query: "a", tags: Array.from({ length: 2_000 }, (_, index) => String(index)) }
    const { args, repairs } = Result.getOrThrow(read(spec, JSON.stringify(many), "number-from-text"))
    expect(args).toMatchObject({ tags: Array.from({ length: 2_000 }, (_, index) => index) })
    expect(repairs.length).toBe(2_000)
    const long = JSON.stringify(JSON.stringify({ query: "é😀".repeat(5_000) }))
    const [repair] = Result.getOrThrow(read(spec, long, "json-from-text")).repairs
    expect(JSON.stringify(repair).length).toBeLessThan(3_000)
  })
})

describe("members of an enum", () => {
  const members = Parameters.fromSpec({
    n: { enum: [1, 2] },
    b: { type: "boolean", const: true },
    mode: { enum: ["fast", "slow"] },
    z: { enum: ["1", null] },
  })
  it.each<readonly [text: string, policy: Leniency.Policy, args: object]>([
    [`{"n":"2"}`, "number-from-text", { n: 2 }],
    [`{"b":"True"}`, "boolean-from-text", { b: true }],
  ])("are taken from the text %s by %s alone", (text, policy, args) => {
    const { args: taken, repairs } = Result.getOrThrow(read(members, text, policy))
    expect(taken).toEqual(args)
    expect(repairs).toMatchObject([{ policy }])
    const others = Leniency.policies.filter((other) => other !== policy)
    expect(Result.isFailure(read(members, text, ...others))).toBe(true)
  })

  it.each([`{"mode":"Fast"}`, `{"z":"null"}`, `{"z":1}`, `{"n":[1]}`])("are not guessed: %s", (text) => {
    expect(Result.isFailure(read(members, text, ...Leniency.policies))).toBe(true)
  })
})

describe("an unknown key", () => {
  it("is not left out, null or not: nobody says that it means nothing", () => {
    const closed = Parameters.fromSpec({
      type: "object",
      properties: { query: { type: "string", required: true }, limit: { type: "integer" } },
      additionalProperties: false,
    })
    for (const parameters of [closed, RawParameters.make(closed.jsonSchema)])
      for (const text of [`{"query":"a","colour":null}`, `{"query":"a","colour":1}`])
        expect(Result.isFailure(read(parameters, text, ...Leniency.policies))).toBe(true)
  })

  it("that looks like a known one is noted, in texts of up to 16,384 characters", () => {
    const notes = (length: number) => {
      const text = `{"query":"a","limits":1,"colour":2}`.padEnd(length)
      const { notes: asked } = Result.getOrThrow(read(spec, text, "number-from-text"))
      return asked().map(({ path }) => path)
    }
    expect(notes(0)).toEqual([["limits"]])
    expect(notes(16_384)).toEqual([["limits"]])
    expect(notes(16_385)).toEqual([])
  })
})

describe("the check", () => {
  const counted = (found: (times: number) => ReadonlyArray<Violation>) => {
    let times = 0
    const check: typeof spec.check = () => Effect.suspend(() => Effect.fail(found(++times)))
    return { parameters: { ...spec, check }, times: () => times }
  }
  const violation = { path: ["query"], expected: "e", got: "g", message: "m" }

  it("is asked once where nothing is permitted", () => {
    const { parameters, times } = counted(() => [{ ...violation, fix: { kind: "convert", to: "array" } }])
    expect(Result.isFailure(read(parameters, `{"query":"a"}`, "number-from-text"))).toBe(true)
    expect(times()).toBe(1)
  })

  it("is asked once where what is permitted cannot be done", () => {
    const { parameters, times } = counted(() => [
      { ...violation, fix: { kind: "convert", to: "number" } },
      { ...violation, path: ["none"], fix: { kind: "convert", to: "array" } },
    ])
    expect(Result.isFailure(read(parameters, `{"query":"a"}`, ...Leniency.policies))).toBe(true)
    expect(times()).toBe(1)
  })

  it("is asked 33 times at the most, where each change needs another", () => {
    const { parameters, times } = counted((time) => [
      { ...violation, message: `m${time}`, fix: { kind: "convert", to: "array" } },
    ])
    const refused = read(parameters, `{"query":"a"}`, "list-from-single")
    expect(Result.isFailure(refused) && refused.failure).toMatchObject({ violations: [{ message: "m33" }] })
    expect(times()).toBe(33)
  })
})

describe("a trace", () => {
  it("repeats a value whose JSON has up to 1,000 characters, and the beginning of a longer one", () => {
    const before = (length: number) => {
      const text = JSON.stringify({ query: "a", tags: "[]".padEnd(length - 2) })
      return Result.getOrThrow(read(spec, text, "json-from-text")).repairs[0]?.before
    }
    expect(before(1_000)).toBe("[]".padEnd(998))
    expect(before(1_001)).toBe(`"${"[]".padEnd(999)}…`)
  })
})

describe("secrets", () => {
  it("that are null and optional are left out as others are", () => {
    const pin = Parameters.fromSpec({ pin: { type: "integer", sensitive: true } })
    const { args, repairs } = Result.getOrThrow(read(pin, `{"pin":null}`, "null-as-absent"))
    expect(args).toEqual({})
    expect(repairs).toMatchObject([{ policy: "null-as-absent", path: ["pin"] }])
  })

  it("stand as digests in repairs within what is secret as a whole", () => {
    const login = Parameters.fromSpec({
      login: { type: "object", sensitive: true, properties: { pin: { type: "integer" } } },
    })
    const { repairs } = Result.getOrThrow(
      Effect.runSync(
        Effect.result(
          Leniency.read(login, new Set(Leniency.policies), () => "hmac")(`{"login":{"pin":"1234"}}`),
        ),
      ),
    )
    expect(repairs).toMatchObject([{ path: ["login", "pin"], before: "hmac", after: "hmac" }])
  })

  it("stand as digests in repairs, and in what still stands in the way", () => {
    const secret = Parameters.fromSpec({
      pin: { type: "integer", sensitive: true },
      login: { type: "object", properties: { key: { type: "integer", sensitive: true } } },
      all: { type: "boolean" },
    })
    const digest = (value: unknown) => `hmac:${String(value).length}`
    const run = (text: string) =>
      Effect.runSync(Effect.result(Leniency.read(secret, new Set(Leniency.policies), digest)(text)))
    const good = Result.getOrThrow(run(String.raw`{"pin":"1234","login":"{\"key\":98765}"}`))
    expect(good.args).toEqual({ pin: 1234, login: { key: 98765 } })
    expect(JSON.stringify(good.repairs)).not.toMatch(/1234|98765/)
    expect(good.repairs[0]).toMatchObject({ before: "hmac:4", after: "hmac:4" })
    expect(good.repairs[1]?.after).toEqual({ key: "hmac:5" })
    expect(JSON.stringify(Result.getOrThrow(run(`{pin:'1234'}`)).repairs)).not.toContain("1234")
    const bad = run(`{"pin":"12x4"}`)
    expect(Result.isFailure(bad) && bad.failure).toMatchObject({
      violations: [{ got: "string (hmac:4)", message: "pin: want integer, got string (hmac:4)" }],
    })
  })
})

describe("names", () => {
  it("that are none are refused, with those there are", () => {
    const names: ReadonlyArray<never> = JSON.parse('["coerce"]')
    expect(() => Leniency.toPolicies(names)).toThrow(
      'there is no policy "coerce"; the policies are null-as-absent, number-from-text',
    )
  })

  it("that need a package are refused where it is missing, with what to install", () => {
    const load = createRequire(import.meta.url)
    const loaded: unknown = load("jsonrepair")
    const module = load.cache[load.resolve("jsonrepair")]
    const missing = () => {
      throw new Error("Cannot find module 'jsonrepair'")
    }
    Object.defineProperty(module, "exports", { get: missing, configurable: true })
    try {
      expect(() => Leniency.toPolicies(["json-repair"])).toThrow("npm install jsonrepair@3")
      expect(Leniency.toPolicies(["number-from-text"])).toEqual(new Set(["number-from-text"]))
    } finally {
      Object.defineProperty(module, "exports", { value: loaded, configurable: true, writable: true })
    }
  })
})
