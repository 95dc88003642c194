import { it } from "@effect/vitest"
import { describe, expect } from "vitest"
import * as SchemaSpec from "../../src/spec/SchemaSpec.ts"
import * as Violations from "../../src/spec/Violations.ts"

const say = (spec: SchemaSpec.SchemaSpec, value: unknown): string =>
  Violations.toText(SchemaSpec.compile(spec).violations(value))

describe("toText", () => {
  it("writes one line a violation, hints included, in declaration order", () => {
    const spec = { b: { type: "string", required: true }, a: { type: "integer" } } as const
    expect(say(spec, { a: "5" })).toBe(
      '- b: missing, want string\n- a: want integer, got string "5": write it without quotes: 5',
    )
  })

  it("is empty when there is nothing to say", () => {
    expect(Violations.toText([])).toBe("")
  })

  it("is capped, and counts what it leaves out", () => {
    const text = say({ tags: { type: "array", items: { type: "string" } } }, { tags: Array(1_000).fill(1) })
    expect(text.length).toBeLessThan(Violations.maxTextLength + 100)
    expect(text).toContain('- tags[0]: want string, got number 1: write it in quotes: "1"\n- tags[1]')
    expect(text).toMatch(/\n- and at least \d+ more$/)
  })

  it("is whole up to the bound, and not beyond", () => {
    const line = (length: number) => ({ path: [], expected: "e", got: "g", message: "x".repeat(length - 2) })
    const fitting = [line(1_999), line(1_999)]
    expect(Violations.toText(fitting)).toHaveLength(Violations.maxTextLength - 1)
    expect(Violations.toText([...fitting, line(2)])).toMatch(/\n- and at least 1 more$/)
    expect(Violations.toText([line(1_999), line(2_000)])).toMatch(/\n- and at least 1 more$/)
  })

  it("shows one violation at least, and the whole of it", () => {
    const message = `a: ${"x".repeat(2 * Violations.maxTextLength)}`
    const violation = { path: ["a"], expected: "b", got: "c", message }
    expect(Violations.toText([violation, violation])).toBe(`- ${message}\n- and at least 1 more`)
  })
})

describe("a seal", () => {
  const hidden = {
    path: ["k"],
    expected: "e",
    got: "string (hidden)",
    message: "k: want e, got string (hidden)",
  }
  const seal = (value: unknown) => Violations.seal([hidden], value, (secret) => `digest of ${secret}`)

  it("puts the digest of a hidden value in place of the word for it", () => {
    expect(seal({ k: "s" })).toEqual([
      { ...hidden, got: "string (digest of s)", message: "k: want e, got string (digest of s)" },
    ])
  })

  it("has none of a value that is not there, or that is not hidden", () => {
    expect(seal({})).toEqual([hidden])
    const open = { ...hidden, got: 'string "hidden"' }
    expect(Violations.seal([open], { k: "hidden" }, () => "digest")).toEqual([open])
  })
})

describe("the words", () => {
  const line = (spec: SchemaSpec.ValueSpec, value: unknown): string => say({ v: spec }, { v: value })
  const table: ReadonlyArray<readonly [spec: SchemaSpec.ValueSpec, value: unknown, says: string]> = [
    [{ type: "string" }, 5, 'want string, got number 5: write it in quotes: "5"'],
    [{ type: "string" }, {}, "want string, got object with 0 keys"],
    [{ type: "integer" }, 5.5, "want integer, got number 5.5"],
    [{ type: "integer" }, "5.5", 'want integer, got string "5.5"'],
    [
      { type: "integer" },
      1e30,
      "want integer, got number 1e+30: whole numbers beyond ±9007199254740991 are not exact",
    ],
    [{ type: "integer" }, [5], "want integer, got array of 1 item: write it without the array around it"],
    [{ type: "number" }, "1.5e3", 'want number, got string "1.5e3": write it without quotes: 1500'],
    [{ type: "number" }, Number.POSITIVE_INFINITY, "want number, got number out of range"],
    [
      { type: "boolean" },
      "False",
      'want boolean (true or false without quotes), got string "False": write it without quotes: false',
    ],
    [{ type: "boolean" }, 0, "want boolean (true or false without quotes), got number 0"],
    [{ type: "null" }, "null", 'want null, got string "null"'],
    [{ const: "fast" }, "quick", 'want "fast", got string "quick"'],
    [
      { enum: ["fast", "slow"] },
      "Fast",
      'want one of "fast", "slow", got string "Fast": did you mean "fast"?',
    ],
    [{ enum: ["fast", "slow"] }, ["slow"], "got array of 1 item: write it without the array around it"],
    [{ type: "integer", enum: [1, 2] }, "2", 'want one of 1, 2, got string "2": write it without quotes: 2'],
    [{ type: "string", enum: ["1", "2"] }, 2, 'want one of "1", "2", got number 2: write it in quotes: "2"'],
    [
      { enum: ["a", null] },
      "null",
      'want one of "a", null, got string "null": write it without quotes: null',
    ],
    [
      { type: "array", items: { type: "string" } },
      "a",
      'want array of string, got string "a": put it in an array, also when it is the only one',
    ],
    [
      { type: "array", items: { type: "integer" } },
      "[1]",
      "it is JSON inside a string (encoded twice): write the array itself",
    ],
    [{ type: "object" }, '{"a":1}', "it is JSON inside a string (encoded twice): write the object itself"],
    [{ type: "object" }, [{}], "want object, got array of 1 item: write it without the array around it"],
  ]
  for (const [spec, value, says] of table) {
    it(`for ${JSON.stringify(spec)} and ${JSON.stringify(value)}`, () => {
      const found = line(spec, value)
      expect(found).toContain(says)
      expect(found.split("\n")).toHaveLength(1)
    })
  }

  it("write paths as code does, and odd keys in quotes", () => {
    const leaf = { type: "string" } as const
    const spec = {
      rows: { type: "array", items: { type: "object", properties: { "a b": leaf, "x-y": leaf } } },
    } as const
    const text = say(spec, { rows: [{}, { "a b": true, "x-y": true }] })
    expect(text).toContain('- rows[1]["a b"]: want string')
    expect(text).toContain("- rows[1].x-y: want string")
  })

  it("cut a long fragment, never inside a surrogate pair", () => {
    for (const lead of ["", "a"]) {
      const text = say({ n: { type: "integer" } }, { n: lead + "😀".repeat(1_000) })
      expect(text.length).toBeLessThan(120)
      expect(text).toContain('😀…"')
      expect(text).not.toMatch(/\\ud|\p{Cs}/iu)
    }
  })

  it("cut a long list of members and still name the nearest", () => {
    const members = Array.from({ length: 500 }, (_, index) => `member-${index}`)
    const text = say({ m: { type: "string", enum: members } }, { m: "member_499" })
    expect(text).toContain("… (500 in all)")
    expect(text).toContain('did you mean "member-499"')
    expect(text.length).toBeLessThan(700)
  })
})

describe("unknown keys", () => {
  const spec = { path: { type: "string", required: true }, limit: { type: "integer" } } as const

  it("are no violation by themselves", () => {
    expect(say(spec, { path: "a", colour: 1, pth: 2 })).toBe("")
  })

  it("are named in the hint of the missing key they stand for, and only there", () => {
    expect(say(spec, { pth: "a" })).toBe('- path: missing, want string: you sent "pth", did you mean "path"?')
  })

  it("are mentioned beside other violations, with the nearest key that was not sent", () => {
    expect(say(spec, { path: 1, limits: 2, colour: 3 })).toBe(
      [
        '- path: want string, got number 1: write it in quotes: "1"',
        '- limits: unknown key, want one of the keys "path", "limit": did you mean "limit"?',
        '- colour: unknown key, want one of the keys "path", "limit"',
      ].join("\n"),
    )
  })

  it("that hold the arguments are told to open up", () => {
    expect(say(spec, { input: { path: "a" } })).toContain("- input: unknown key, want one of the keys")
    expect(say(spec, { input: { path: "a" } })).toContain(
      "write what is inside it one level up, without this key",
    )
  })

  it("are looked at up to a number, however many there are", () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, 0]))
    const found = SchemaSpec.compile(spec).violations(many)
    expect(found).toHaveLength(18)
    expect(found.at(-1)?.message).toBe("arguments: want only the keys there are, got 9984 more unknown keys")
  })
})
