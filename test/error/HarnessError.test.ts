import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { hasCode, isHarnessError } from "../../src/error/HarnessError.ts"
import { ToolArgsMalformed, ToolFailed } from "../../src/tool/ToolError.ts"

const cause = Object.assign(
  new Error("no such file", { cause: Object.assign(new Error("disk gone"), { code: "EIO" }) }),
  {
    code: "ENOENT",
  },
)
const failed = new ToolFailed({ message: "cannot read", tool: "read_file", code: "ENOENT", cause })

describe("JSON of an error", () => {
  it("keeps its fields, and name, message and code of every cause", () => {
    expect(JSON.parse(JSON.stringify(failed))).toEqual({
      _tag: "ToolFailed",
      name: "ToolFailed",
      code: "ENOENT",
      retry: "now",
      message: "cannot read",
      tool: "read_file",
      cause: {
        name: "Error",
        message: "no such file",
        code: "ENOENT",
        cause: { name: "Error", message: "disk gone", code: "EIO" },
      },
    })
  })

  it("keeps a cause that is data, and says in words what JSON cannot", () => {
    const of = (thrown: unknown): unknown =>
      JSON.parse(JSON.stringify(new ToolFailed({ message: "m", tool: "t", code: "X", cause: thrown }))).cause
    expect(of({ data: { tries: 7 } })).toEqual({ data: { tries: 7 } })
    expect(of({ tries: 7n, message: "gave up" })).toEqual({
      tries: "7",
      message: "gave up",
    })
  })

  it("ends where causes run in a circle", () => {
    const circle = new Error("round")
    circle.cause = circle
    const json = JSON.stringify(new ToolFailed({ message: "m", tool: "t", code: "X", cause: circle }))
    expect(json.match(/round/g)).toHaveLength(1)
  })
})

describe("a console", () => {
  it("shows tag, code and message first, then the fields and the cause", () => {
    const shown = inspect(failed)
    expect(shown).toMatch(/^ToolFailed \(ENOENT\): cannot read\n\s+at /)
    expect(shown).toContain("{ tool: 'read_file' }")
    expect(shown).toContain("[cause]: Error: no such file")
  })

  it("comes to an end where an error is behind its own cause", () => {
    const plain: Error & { cause?: unknown } = new Error("plain")
    const ours = new ToolFailed({ message: "m", tool: "t", code: "X", cause: plain })
    plain.cause = ours
    expect(inspect(ours).match(/\[Circular ToolFailed \(X\): m\]/g)).toHaveLength(1)
    expect(inspect(ours)).not.toMatch(/^\[Circular/)
    expect(JSON.stringify(ours).length).toBeLessThan(500)
  })

  it("shows no cause where there is none", () => {
    expect(inspect(new ToolArgsMalformed({ message: "broken", tool: "t" }))).not.toContain("[cause]")
  })
})

describe("hasCode", () => {
  it("tells by the code, whatever the class", () => {
    expect(hasCode("ENOENT", "EACCES")(failed)).toBe(true)
    expect(hasCode("EACCES")(failed)).toBe(false)
    for (const other of [undefined, "ENOENT", {}]) expect(hasCode("ENOENT")(other)).toBe(false)
  })
})

describe("a template string", () => {
  it("holds name and message", () => {
    expect(`${failed}`).toBe("ToolFailed: cannot read")
  })
})

describe("isHarnessError", () => {
  it("tells ours from all else", () => {
    expect(isHarnessError(failed)).toBe(true)
    for (const other of [cause, undefined, "x", { _tag: "ToolFailed" }])
      expect(isHarnessError(other)).toBe(false)
  })
})
