import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import * as CallInfo from "../../src/tool/CallInfo.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"
import { call } from "./fixtures.ts"

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
    const reason = new DOMException("enough", "AbortError")
    seen.abort(reason)
    unseen.abort(reason)
    expect([signal.aborted, unseen.signal.aborted, other.signal.aborted, call.signal.aborted]).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect([signal.reason, unseen.signal.reason]).toEqual([reason, reason])
  })
})

describe("progress", () => {
  const heard = (run: (call: CallInfo.CallInfo) => Effect.Effect<unknown> | Promise<unknown>) =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const tool = Tool.defineTool({
        name: "t",
        description: "",
        parameters: {},
        run: (_, call) => run(call),
      })
      const runner = yield* ToolRunner.make(Toolbox.make(tool))
      yield* runner.execute(call("t"), { onProgress: (text) => Effect.sync(() => void said.push(text)) })
      return said
    })

  it.effect("of an async body is told when it is called, before its promise is known and after", () =>
    Effect.gen(function* () {
      const said = heard(async ({ progress }) => {
        void progress("begun")
        await Promise.resolve()
        void progress("half")
        await Promise.resolve()
        void progress("done")
      })
      expect(yield* said).toEqual(["begun", "half", "done"])
    }),
  )

  it.effect("that an async body runs is told once", () =>
    Effect.gen(function* () {
      const said = heard(async ({ progress }) => {
        await Effect.runPromise(progress("begun"))
        await Effect.runPromise(progress("done"))
      })
      expect(yield* said).toEqual(["begun", "done"])
    }),
  )

  it.effect("of an Effect is told when it is run, and only then", () =>
    Effect.gen(function* () {
      const said = heard(({ progress }) => {
        void progress("never")
        return Effect.andThen(Effect.yieldNow, Effect.andThen(progress("one"), progress("two")))
      })
      expect(yield* said).toEqual(["one", "two"])
    }),
  )
})
