import { describe, expect, it } from "vitest"
import * as Approver from "../../src/policy/Approver.ts"

const digest = Approver.digest("write", '{"path":"a","text":"b"}', "f1")

describe("the digest of an approval", () => {
  it("is the same however the arguments are written", () => {
    expect(Approver.digest("write", ' { "text" : "b", "path" : "\\u0061" } ', "f1")).toBe(digest)
  })

  it.each([
    ["the arguments", "write", '{"path":"a","text":"c"}', "f1"],
    ["the tool", "append", '{"path":"a","text":"b"}', "f1"],
    ["the schema", "write", '{"path":"a","text":"b"}', "f2"],
    ["text that is no JSON", "write", '{"path":"a","text":"b"', "f1"],
  ])("differs with %s", (_, tool, text, fingerprint) => {
    expect(Approver.digest(tool, text, fingerprint)).not.toBe(digest)
  })

  it("tells JSON text from the JSON that it holds", () => {
    expect(Approver.digest("write", '"{}"', "f1")).not.toBe(Approver.digest("write", "{}", "f1"))
  })
})
