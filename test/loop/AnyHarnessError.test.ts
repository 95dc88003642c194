import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import * as EventError from "../../src/event/EventError.ts"
import * as ForkError from "../../src/fork/ForkError.ts"
import { AnyHarnessError } from "../../src/loop/AnyHarnessError.ts"
import * as LoopError from "../../src/loop/LoopError.ts"
import * as ModelError from "../../src/model/ModelError.ts"
import * as SessionError from "../../src/session/SessionError.ts"
import * as StoreError from "../../src/store/StoreError.ts"
import * as ToolError from "../../src/tool/ToolError.ts"
import * as TurnError from "../../src/turn/TurnError.ts"

const isClass = (value: unknown): value is { readonly identifier: string } =>
  typeof value === "function" && Schema.isSchema(value)

const rooms = [ForkError, ToolError, ModelError, EventError, StoreError, SessionError, LoopError, TurnError]
const codec = Schema.toCodecJson(AnyHarnessError)

describe("AnyHarnessError", () => {
  it("has every error class of every room", () => {
    const classes = rooms.flatMap((room) => Object.values(room).filter(isClass))
    expect(classes.length).toBeGreaterThan(30)
    const members = new Set<unknown>(AnyHarnessError.members)
    expect(classes.filter((one) => !members.has(one))).toEqual([])
    expect(members.size).toBe(classes.length)
  })

  it("brings an error over a wire as an instance of its class", () => {
    const error = new TurnError.LimitReached({ code: "LIMIT_STEPS", message: "enough" })
    const sent: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(codec)(error)))
    const received = Schema.decodeUnknownSync(codec)(sent)
    expect(received).toBeInstanceOf(TurnError.LimitReached)
    expect(received).toMatchObject({
      _tag: "LimitReached",
      code: "LIMIT_STEPS",
      message: "enough",
      retry: "never",
    })
  })

  it("tells errors of one shape apart by their tag", () => {
    const error = new ModelError.ModelOverloaded({ message: "later", status: 529 })
    expect(Schema.decodeUnknownSync(codec)(Schema.encodeSync(codec)(error))).toBeInstanceOf(
      ModelError.ModelOverloaded,
    )
  })
})
