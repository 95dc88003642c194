/**
 * Everything that can go wrong with a call, alone and between two healthy calls: one outcome each, siblings unharmed.
 */
import { it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { describe, expect } from "vitest"
import { ToolExecutionResult } from "../../src/message/ToolResult.ts"
import * as Guard from "../../src/policy/Guard.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"
import { add, bodied, call, type Free, textOf } from "./fixtures.ts"

class NoSuchRow extends Schema.TaggedError<NoSuchRow>()("NoSuchRow", { key: Schema.String }) {}

const rejecting = (thrown: unknown): Free =>
  Tool.defineTool({ name: "rejecting", description: "", parameters: {}, run: () => Promise.reject(thrown) })
const throwing = (thrown: unknown): Free =>
  Tool.defineTool({
    name: "throwing",
    description: "",
    parameters: {},
    run: (): Effect.Effect<void> => {
      throw thrown
    },
  })
const giving = (output: unknown): Free =>
  bodied(
    "giving",
    Effect.sync(() => output),
  )

const circle: { self?: unknown } = {}
circle.self = circle
const hostile: object = new Proxy(
  {},
  {
    get: () => {
      throw new Error("no entry")
    },
    getPrototypeOf: () => {
      throw new Error("no entry")
    },
    ownKeys: () => {
      throw new Error("no entry")
    },
  },
)
const declared = Tool.defineTool({
  name: "declared",
  description: "",
  parameters: {},
  output: Schema.Struct({ result: Schema.Number }),
  run: (): Effect.Effect<{ result: number }> => Effect.succeed({ result: 1e308 + 1e308 }),
})

const dying: Guard.Guard = () => Effect.die(new Error("guard bug"))

interface Fault {
  readonly tool: Free
  readonly args?: unknown
  readonly name?: string
  readonly guard?: Guard.Guard
  /** Outcome, error name and code. */
  readonly ends: readonly [ToolExecutionResult["outcome"], string, string]
  /** What the model reads must hold this. */
  readonly says: string
}

const faults: Record<string, Fault> = {
  "arguments that are no JSON": {
    tool: add,
    args: '{"left":',
    ends: ["rejected", "ToolArgsMalformed", "ARGS_NOT_JSON"],
    says: "Nothing ran",
  },
  "a string for a number": {
    tool: add,
    args: { left: "1", right: 2 },
    ends: ["rejected", "ToolArgsInvalid", "INVALID_ARGS"],
    says: "left",
  },
  "an unknown tool": {
    tool: add,
    name: "ad",
    ends: ["unknown-tool", "ToolNotFound", "UNKNOWN_TOOL"],
    says: 'Did you mean "add"?',
  },
  "a deny": {
    tool: add,
    args: { left: 1, right: 2 },
    guard: () => Effect.succeed(Guard.deny("not on Sundays")),
    ends: ["denied", "ToolDenied", "TOOL_DENIED"],
    says: "not on Sundays",
  },
  "an ask that nobody answers": {
    tool: add,
    args: { left: 1, right: 2 },
    guard: () => Effect.succeed(Guard.ask("costs money")),
    ends: ["denied", "ToolDenied", "TOOL_DENIED"],
    says: "approval",
  },
  "a guard that dies": {
    tool: add,
    args: { left: 1, right: 2 },
    guard: dying,
    ends: ["denied", "ToolDenied", "TOOL_DENIED"],
    says: "guard bug",
  },
  "a guard that fails": {
    tool: add,
    args: { left: 1, right: 2 },
    guard: () => Effect.fail("offline"),
    ends: ["denied", "ToolDenied", "TOOL_DENIED"],
    says: "offline",
  },
  "a guard that throws": {
    tool: add,
    args: { left: 1, right: 2 },
    guard: () => {
      throw new Error("guard bug")
    },
    ends: ["denied", "ToolDenied", "TOOL_DENIED"],
    says: "guard bug",
  },
  "a guard that stops itself": {
    tool: add,
    args: { left: 1, right: 2 },
    guard: () => Effect.interrupt,
    ends: ["denied", "ToolDenied", "TOOL_DENIED"],
    says: "stopped itself",
  },
  "a typed failure": {
    tool: bodied("row", Effect.fail(new NoSuchRow({ key: "k" }))),
    ends: ["failed", "NoSuchRow", "NO_SUCH_ROW"],
    says: "row failed (NO_SUCH_ROW)",
  },
  "an untagged failure": {
    tool: bodied("row", Effect.fail(Object.assign(new Error("ENOENT: gone"), { code: "ENOENT" }))),
    ends: ["failed", "ToolFailed", "ENOENT"],
    says: "gone",
  },
  "a failure of nothing": {
    tool: bodied("row", Effect.fail(undefined)),
    ends: ["failed", "ToolFailed", "TOOL_FAILED"],
    says: "No reason was given",
  },
  "a hostile failure": {
    tool: bodied("row", Effect.fail(hostile)),
    ends: ["failed", "ToolFailed", "TOOL_FAILED"],
    says: "row failed",
  },
  "a rejected promise": {
    tool: rejecting(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })),
    ends: ["failed", "ToolFailed", "ECONNREFUSED"],
    says: "may work later",
  },
  "a rejection with a string": {
    tool: rejecting("boom"),
    ends: ["failed", "ToolFailed", "TOOL_FAILED"],
    says: "boom",
  },
  "a rejection with nothing": {
    tool: rejecting(undefined),
    ends: ["failed", "ToolFailed", "TOOL_FAILED"],
    says: "No reason was given",
  },
  "a rejection with an object": {
    tool: rejecting({ name: "RetryTimeout", data: { message: "gave up after 7 tries" } }),
    ends: ["failed", "ToolFailed", "RETRY_TIMEOUT"],
    says: "gave up after 7 tries",
  },
  "a hostile rejection": {
    tool: rejecting(hostile),
    ends: ["failed", "ToolFailed", "TOOL_FAILED"],
    says: "rejecting failed",
  },
  "a time-out of a signal": {
    tool: rejecting(new DOMException("timeout", "TimeoutError")),
    ends: ["failed", "ToolFailed", "TIMEOUT_ERR"],
    says: "may work later",
  },
  "a thrown error": {
    tool: throwing(new TypeError("x is not a function")),
    ends: ["defect", "ToolDefect", "TOOL_DEFECT"],
    says: "TypeError: x is not a function",
  },
  "a thrown string": { tool: throwing("boom"), ends: ["defect", "ToolDefect", "TOOL_DEFECT"], says: "boom" },
  "a thrown nothing": {
    tool: throwing(undefined),
    ends: ["defect", "ToolDefect", "TOOL_DEFECT"],
    says: "No reason was given",
  },
  "a thrown hostile object": {
    tool: throwing(hostile),
    ends: ["defect", "ToolDefect", "TOOL_DEFECT"],
    says: "throwing broke",
  },
  "a self-interruption": {
    tool: bodied("self", Effect.interrupt),
    ends: ["interrupted", "ToolInterrupted", "STOPPED_ITSELF"],
    says: "nobody aborted it",
  },
  "an output that breaks its schema": {
    tool: declared,
    ends: ["failed", "ToolOutputInvalid", "INVALID_TOOL_OUTPUT"],
    says: "output.result: expected a finite number, got Infinity",
  },
  "a BigInt": {
    tool: giving({ rows: [1n] }),
    ends: ["failed", "ToolOutputInvalid", "INVALID_TOOL_OUTPUT"],
    says: "output.rows[0]",
  },
  "a cycle": {
    tool: giving(circle),
    ends: ["failed", "ToolOutputInvalid", "INVALID_TOOL_OUTPUT"],
    says: "output.self",
  },
  "a NaN": {
    tool: giving(Number.NaN),
    ends: ["failed", "ToolOutputInvalid", "INVALID_TOOL_OUTPUT"],
    says: "NaN",
  },
  "a hostile output": {
    tool: giving(hostile),
    ends: ["failed", "ToolOutputInvalid", "INVALID_TOOL_OUTPUT"],
    says: "throws when it is read",
  },
}

const isResult = Schema.is(ToolExecutionResult)

const runFault = (
  fault: Fault,
  siblings: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<ToolExecutionResult>> =>
  Effect.gen(function* () {
    const healthy = siblings.map((name) => bodied(name, Effect.as(Effect.yieldNow, name)))
    const runner = yield* ToolRunner.make(Toolbox.make(fault.tool, ...healthy))
    const guard: Guard.Guard = (guarded) =>
      guarded.tool === fault.tool.name && fault.guard !== undefined
        ? fault.guard(guarded)
        : Effect.succeed(Guard.allow)
    const [before, after] = siblings
    const calls = [before, fault.name ?? fault.tool.name, after].flatMap((name) =>
      name === undefined ? [] : [name],
    )
    return yield* Effect.forEach(
      calls,
      (name, i) =>
        runner.execute(call(name, name === before || name === after ? {} : (fault.args ?? {}), `c${i}`)),
      { concurrency: "unbounded" },
    ).pipe(Effect.provideService(Guard.Guard, guard))
  })

const expectFault = (fault: Fault, result: ToolExecutionResult | undefined): void => {
  expect(result === undefined ? [] : [result.outcome, result.error?.name, result.error?.code]).toEqual(
    fault.ends,
  )
  expect(result?.isError).toBe(true)
  expect(isResult(result)).toBe(true)
  const text = result === undefined ? "" : textOf(result)
  expect(text).toContain(fault.says)
  expect(text).not.toMatch(/\[object Object\]|undefined$/)
}

describe.each(Object.entries(faults))("%s", (_, fault) => {
  it.effect("ends in one outcome", () =>
    Effect.map(runFault(fault, []), (results) => {
      expect(results).toHaveLength(1)
      expectFault(fault, results[0])
    }),
  )

  it.effect("leaves its siblings alone", () =>
    Effect.map(runFault(fault, ["before", "after"]), (results) => {
      expect(results.map((result) => result.callId)).toEqual(["c0", "c1", "c2"])
      expect([results[0], results[2]].map((result) => result?.outcome)).toEqual(["success", "success"])
      expectFault(fault, results[1])
    }),
  )
})
