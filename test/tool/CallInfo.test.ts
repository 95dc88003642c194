import { describe, expect, it } from "vitest"
import * as CallInfo from "../../src/tool/CallInfo.ts"

const keyOf = (tool: string, text: string, callId: string): string => CallInfo.make(tool, text, callId).key

describe("the key of a call", () => {
  it("is the same for arguments that mean the same, however they are written", () => {
    expect(keyOf("put", '{ "b": 1.0, "a": "\\u0061" }', "c1")).toBe(keyOf("put", '{"a":"a","b":1}', "c1"))
  })

  it("differs by call, by tool and by arguments", () => {
    const keys = [
      keyOf("put", "{}", "c1"),
      keyOf("put", "{}", "c2"),
      keyOf("get", "{}", "c1"),
      keyOf("put", '{"a":1}', "c1"),
    ]
    expect(new Set(keys).size).toBe(4)
  })

  it("does not run its parts together", () => {
    expect(keyOf("b", "{}", "ca")).not.toBe(keyOf("ab", "{}", "c"))
    expect(keyOf("t", "not JSON", "c")).not.toBe(keyOf("t", "not  JSON", "c"))
  })

  it("is that of the call in every attempt", () => {
    const call = CallInfo.make("put", "{}", "c1")
    expect(CallInfo.attempt(call).key).toBe(call.key)
  })
})

describe("the signal of an attempt", () => {
  it("aborts with the attempt, also when nobody has looked at it before", () => {
    const call = CallInfo.make("put", "{}", "c1")
    const [seen, unseen, other] = [CallInfo.attempt(call), CallInfo.attempt(call), CallInfo.attempt(call)]
    const { signal } = seen
    seen.abort()
    unseen.abort()
    expect([signal.aborted, unseen.signal.aborted, other.signal.aborted, call.signal.aborted]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
