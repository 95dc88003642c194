import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Resources from "../../src/policy/Resources.ts"

const name = fc.stringMatching(/^[ab]{0,3}\*?$/)
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const resources = fc.record({ reads: fc.array(name), writes: fc.array(name) }, { requiredKeys: [] })

describe("two calls conflict", () => {
  it.each([
    ["when both write the same", { writes: ["a"] }, { writes: ["a"] }, true],
    ["when one reads what the other writes", { reads: ["a"] }, { writes: ["b", "a"] }, true],
    ["not when both only read it", { reads: ["a"] }, { reads: ["a"] }, false],
    ["not when they touch different things", { writes: ["a"] }, { writes: ["b"], reads: ["c"] }, false],
    ["when one names all that begins so", { reads: ["src/*"] }, { writes: ["src/a.ts"] }, true],
    ["not when the other begins otherwise", { reads: ["src/*"] }, { writes: ["test/a.ts"] }, false],
    [
      "when one writes everything and the other names something",
      Resources.everything,
      { reads: ["a"] },
      true,
    ],
    ["not when the other names nothing", Resources.everything, Resources.none, false],
    ["when two that name everything meet", Resources.everything, Resources.everything, true],
  ])("%s", (_, left, right, expected) => {
    expect(Resources.conflict(left, right)).toBe(expected)
    expect(Resources.conflict(right, left)).toBe(expected)
  })

  it("exactly when some name fits both, one of them written", () => {
    const fits = (pattern: string, text: string): boolean =>
      pattern.endsWith("*") ? text.startsWith(pattern.slice(0, -1)) : pattern === text
    const texts = ["", "a", "b", "aa", "ab", "ba", "bb"].flatMap((text) => [text, `${text}a`, `${text}b`])
    const touches = (names: ReadonlyArray<string> | undefined, text: string): boolean =>
      names?.some((one) => fits(one, text)) ?? false
    fc.assert(
      fc.property(resources, resources, (left, right) => {
        const isShared = texts.some(
          (text) =>
            (touches(left.writes, text) && (touches(right.writes, text) || touches(right.reads, text))) ||
            (touches(right.writes, text) && touches(left.reads, text)),
        )
        expect(Resources.conflict(left, right)).toBe(isShared)
      }),
    )
  })
})

describe("what a tool named", () => {
  const hostile = {
    get reads(): never {
      throw new Error("no")
    },
  }
  it.each([
    ["nothing at all", undefined],
    ["null", null],
    ["a text", "file:a"],
    ["a number", 1],
    ["a list", ["file:a"]],
    ["an empty list", []],
    ["a set", new Set(["file:a"])],
    ["a map", new Map()],
    ["a promise", Promise.resolve({ writes: ["file:a"] })],
    ["a function", () => ({})],
    ["a misspelt list", { write: ["file:a"] }],
    ["a list of something absent", { writes: [undefined] }],
    ["a list with a hole", { writes: Array(1) }],
    ["a list of one text too few", { reads: ["file:a"], writes: ["file:a", 1] }],
    ["a text for a list", { writes: "file:a" }],
    ["a set for a list", { reads: new Set(["file:a"]) }],
    ["a list that is null", { reads: null }],
    ["a getter that throws", hostile],
    ["a proxy that is revoked", revoked()],
  ])("is everything where it is no two lists of texts: %s", (_, named) => {
    expect(Resources.copy(named)).toEqual(Resources.everything)
  })

  it("is heard where it is a promise that rejects, which would end the process", async () => {
    expect(Resources.copy(Promise.reject(new Error("no")))).toEqual(Resources.everything)
    await new Promise(setImmediate)
  })

  it("is copied where it is one, and no later change of it counts", () => {
    const writes = ["a"]
    const copied = Resources.copy({ writes })
    writes.push("b")
    expect(copied).toEqual({ writes: ["a"] })
    expect(Resources.copy({})).toEqual(Resources.none)
    expect(Resources.copy({ reads: ["a"], writes: undefined })).toEqual({ reads: ["a"] })
    fc.assert(
      fc.property(resources, (named) => {
        expect(Resources.copy(named)).toEqual(named)
      }),
    )
  })
})

describe("a file", () => {
  it.each([
    ["src/a.ts", "file:src/a.ts"],
    ["./src//a.ts", "file:src/a.ts"],
    ["src/x/../a.ts", "file:src/a.ts"],
    ["src\\a.ts", "file:src/a.ts"],
    ["../a.ts", "file:*"],
    ["/etc/passwd", "file:*"],
    ["C:\\a.ts", "file:*"],
    [".", "file:*"],
  ])("is named by its path: %s", (path, expected) => {
    expect(Resources.file(path)).toBe(expected)
  })

  it("is in its folder, and the root holds them all", () => {
    const written = { writes: [Resources.file("src/a.ts")] }
    expect(Resources.conflict({ reads: [Resources.folder("src")] }, written)).toBe(true)
    expect(Resources.conflict({ reads: [Resources.folder(".")] }, written)).toBe(true)
    expect(Resources.conflict({ reads: [Resources.folder("test")] }, written)).toBe(false)
  })
})
