import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { raw } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"

const parameters = {
  type: "object",
  properties: { id: { type: "string" }, count: { type: "integer", maximum: 3 } },
  required: ["id"],
} as const

let ran: unknown
const tool = (validate?: boolean) =>
  raw({
    name: "get",
    description: "Get.",
    parameters,
    ...(validate === undefined ? {} : { validate }),
    run: (args) => Effect.sync(() => (ran = args)),
  })

const call = (validate: boolean | undefined, text: string) => {
  ran = undefined
  return Effect.flatMap(ToolRunner.make(Toolbox.make(tool(validate))), (runner) =>
    runner.execute({ callId: "c1", name: "get", arguments: text }),
  )
}

describe("a raw tool", () => {
  it.effect("passes any object through unless it asks for the check", () =>
    Effect.gen(function* () {
      expect(yield* call(undefined, `{"count":9}`)).toMatchObject({ outcome: "success" })
      expect(ran).toEqual({ count: 9 })
      expect(yield* call(false, `{"count":9}`)).toMatchObject({ outcome: "success" })
    }),
  )

  it.effect("with the check refuses before the body, with every violation", () =>
    Effect.gen(function* () {
      const result = yield* call(true, `{"count":9}`)
      expect(ran).toBeUndefined()
      expect(result).toMatchObject({
        outcome: "rejected",
        error: { name: "ToolArgsInvalid", code: "INVALID_ARGS" },
        violations: [{ path: ["id"] }, { path: ["count"], expected: "number <= 3" }],
      })
    }),
  )

  it.effect("with the check gives the body what was sent, unknown keys included", () =>
    Effect.gen(function* () {
      yield* call(true, `{"id":"a","more":[1]}`)
      expect(ran).toEqual({ id: "a", more: [1] })
    }),
  )

  it.effect("with the check says what is wrong with a root that is no object", () =>
    Effect.gen(function* () {
      expect(yield* call(true, `[{"id":"a"}]`)).toMatchObject({
        violations: [{ path: [], fix: { kind: "convert", to: "item" } }],
      })
      expect(yield* call(true, "")).toMatchObject({ violations: [{ path: ["id"] }] })
    }),
  )

  it("is refused where it is defined when its schema is none, but only if it is to be checked", () => {
    const wrong = { type: "object", properties: { a: { type: "dict" } } }
    const define = (validate: boolean) => () =>
      raw({ name: "x", description: "X.", parameters: wrong, validate, run: () => Effect.void })
    expect(define(false)).not.toThrow()
    expect(define(true)).toThrow(/^JSON Schema, at properties\.a\.type: want one of "array"/)
  })
})
