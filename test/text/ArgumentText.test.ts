import { it } from "@effect/vitest"
import { Result } from "effect"
import { describe, expect } from "vitest"
import * as ArgumentText from "../../src/text/ArgumentText.ts"

const problem = (text: string, limits?: ArgumentText.Limits): ArgumentText.Malformed => {
  const parsed = ArgumentText.parse(text, limits)
  if (Result.isSuccess(parsed)) throw new Error(`accepted ${text}`)
  return parsed.failure
}

const value = (text: string): unknown => Result.getOrThrow(ArgumentText.parse(text))

const nest = (depth: number): string => "[".repeat(depth) + "]".repeat(depth)

describe("parse", () => {
  it("reads empty text as an empty object", () => {
    expect(value("")).toEqual({})
    expect(value(" \n\t")).toEqual({})
  })

  it("says that nothing ran and what to do, each time", () => {
    for (const text of ["{", "x", "{} {}", nest(200)]) {
      expect(problem(text).message).toContain("Nothing ran. Send the whole call again")
    }
  })

  const faults: ReadonlyArray<readonly [text: string, position: number, says: string]> = [
    [`{'path':1}`, 1, `stands "'path':1}", want a key in double quotes or "}"`],
    [`{"path":"a`, 10, "the text ends, want the closing quote of the string that begins at position 8"],
    [`{"path":"a"`, 11, `the text ends, want "," or "}"`],
    [`{"path":"a",}`, 12, `stands "}", want a key in double quotes`],
    [`{"path" "a"}`, 8, `want ":"`],
    [`{"path":NaN}`, 8, `stands "NaN}", want a JSON value`],
    [`{"path":-Infinity}`, 8, `stands "-Infinity}", want a JSON value`],
    [`[1 2]`, 3, `want "," or "]"`],
    [`[1,]`, 3, "want a JSON value"],
    [`{"a":"\\x"}`, 6, "want an escape that JSON knows"],
    [`{"a":"\n"}`, 6, String.raw`write \n for a new line`],
    ["```json\n{}\n```", 0, "want a JSON value"],
    [`{"a":01}`, 6, `want "," or "}"`],
    [`{"a":tru}`, 5, `stands "tru}"`],
  ]
  for (const [text, position, says] of faults) {
    it(`names the place and what stands there: ${JSON.stringify(text)}`, () => {
      const found = problem(text)
      expect(found.message).toContain(`At position ${position} `)
      expect(found.message).toContain(says)
      expect(found.position).toBe(position)
    })
  }

  it("names text that follows the JSON", () => {
    const found = problem('{"query":"todo","limit":10}\n\nNow I will search.')
    expect(found.message).toContain("not valid JSON")
    expect(found.message).toContain('text after position 27: "Now I will search."')
    expect(found.position).toBe(27)
    expect(problem('{"a":1}{"b":2}').message).toContain(
      'another JSON value after position 7: "{\\"b\\":2}". Make one call for each.',
    )
  })

  it("quotes a fragment and never the whole", () => {
    expect(problem(`{} ${"x".repeat(10_000)}`).message.length).toBeLessThan(300)
    expect(problem(`{${"x".repeat(10_000)}`).message.length).toBeLessThan(300)
  })

  it("cuts no surrogate pair", () => {
    for (const lead of ["", "a"])
      expect(problem(`{} ${lead}${"😀".repeat(100)}`).message).not.toMatch(/\\ud[89a-f]/i)
  })

  it("keeps __proto__ an own key", () => {
    const parsed = value('{"__proto__":{"admin":true}}')
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
    expect(Object.keys(Object(parsed))).toEqual(["__proto__"])
  })
})

describe("text that is JSON and says two things", () => {
  const told: ReadonlyArray<readonly [text: string, position: number, says: string]> = [
    [`{"a":1,"a":2}`, 7, 'the key "a" stands a second time in its object, first at 1: write each key once'],
    [`{"a" :1,"a":2}`, 8, 'the key "a"'],
    [`{"a":1,"\\u0061":2}`, 7, 'the key "a"'],
    [`[{"b":1},{"x":{"é":":","é":1}}]`, 23, 'the key "é"'],
    [`{"a\\\\":1,"a\\\\":":b"}`, 9, String.raw`the key "a\\"`],
    [`{"__proto__":1,"__proto__":{}}`, 15, 'the key "__proto__"'],
    [`{"a":1e999}`, 5, 'the number "1e999", which is out of range'],
    [`{"a":[-1e999]}`, 6, 'the number "-1e999"'],
    [`{"a":${"9".repeat(400)}}`, 5, 'the number "99999999999999999999…"'],
  ]
  for (const [text, position, says] of told) {
    it(`is refused by name and place: ${JSON.stringify(text.slice(0, 40))}`, () => {
      const found = problem(text)
      expect(found.message).toContain(says)
      expect(found.position).toBe(position)
    })
  }

  it("is not what only looks like it", () => {
    for (const text of [
      `{"a":{"b":1},"c":{"b":1}}`,
      `[{"a":1},{"a":1}]`,
      `{"a":"\\ud83d\\ude00"}`,
      `{"a":"\\ud83d"}`,
      `{"a":"\\ude00\\ud83d","\\udc00":"\ud83d"}`,
      `{"a":"x\\":\\"y","b":"\\"a\\":1"}`,
      `{"a" : ":b" , "c":"\\\\"}`,
      `{"a":-1e-999,"b":1e308}`,
      `{"toString":1,"a":"\\u00e9"}`,
    ])
      expect(value(text)).toEqual(JSON.parse(text))
  })
})

describe("hidden", () => {
  it("repeats no piece of the text, whatever is wrong with it", () => {
    for (const text of [
      `{"token":hunter2}`,
      `hunter2`,
      `{} hunter2`,
      `{"a":1}{"hunter2":2}`,
      `{"hunter2":1,"hunter2":2}`,
      `{"a":"hunter2\n"}`,
      `{"a" hunter2`,
      `[1e999]`,
    ]) {
      const parsed = ArgumentText.parse(text, undefined, true)
      if (Result.isSuccess(parsed)) throw new Error(`accepted ${text}`)
      expect(parsed.failure.message).not.toMatch(/hunter2|1e999/)
      expect(parsed.failure.message).toContain("Nothing ran.")
    }
  })
})

describe("limits", () => {
  it("stop an array of twenty thousand levels, broken or not", () => {
    for (const text of [nest(20_000), "[".repeat(20_000), `{"x":${nest(20_000)}}`]) {
      expect(problem(text).message).toContain("nest deeper than 128 levels")
    }
  })

  it("let through exactly what they say", () => {
    expect(value(nest(128))).toBeDefined()
    expect(problem(nest(129)).position).toBe(128)
    expect(value(`{"a":${JSON.stringify("[".repeat(1_000))}}`)).toEqual({ a: "[".repeat(1_000) })
    expect(value(`[${"[],".repeat(1_000)}[]]`)).toHaveLength(1_001)
  })

  it("stop a text that is too long", () => {
    const limits = { maxLength: 10, maxDepth: 2 }
    expect(problem(`"${"x".repeat(9)}"`, limits).message).toContain("11 characters long, the limit is 10")
    expect(Result.isSuccess(ArgumentText.parse(`"${"x".repeat(8)}"`, limits))).toBe(true)
    expect(problem("[[[]]]", limits).message).toContain("deeper than 2 levels")
  })
})
