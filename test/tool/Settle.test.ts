/** What a program gets beside the result, and what a caller hears of a call on its way. */
import { it } from "@effect/vitest"
import { Cause, Deferred, Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import * as Foreign from "../../src/error/Foreign.ts"
import type { ToolExecutionResult } from "../../src/message/ToolResult.ts"
import * as RateLimit from "../../src/policy/RateLimit.ts"
import * as Resources from "../../src/policy/Resources.ts"
import type { Again } from "../../src/policy/Retry.ts"
import type { CallInfo } from "../../src/tool/CallInfo.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as ToolError from "../../src/tool/ToolError.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"
import { add, bodied, call, execute, textOf } from "./fixtures.ts"

class Closed extends Schema.TaggedError<Closed>()("Closed", { until: Schema.String }) {}

const errno = (code: string): Error => Object.assign(new Error(`${code}: no`), { code })

/** Fails so often, then succeeds. */
const flaky = (failures: number, code = "EBUSY") => {
  let runs = 0
  return bodied(
    "flaky",
    Effect.suspend(() => (runs++ < failures ? Effect.fail(errno(code)) : Effect.succeed(runs))),
  )
}

const settle = (tool: Tool.Tool<string, never, unknown, unknown, never>, args: unknown = {}) =>
  Effect.flatMap(ToolRunner.make(Toolbox.make(tool)), (runner) => runner.settle(call(tool.name, args)))

describe("the error beside a result", () => {
  it.effect("is the body's own, as it was", () =>
    Effect.gen(function* () {
      const closed = new Closed({ until: "Monday" })
      const { error, result } = yield* settle(bodied("shop", Effect.fail(closed)))
      expect(error).toBe(closed)
      expect(result.error?.name).toBe("Closed")
    }),
  )

  it.effect("is what the result names, with name and code, whatever went wrong", () =>
    Effect.gen(function* () {
      const runner = yield* ToolRunner.make(Toolbox.make(add, bodied("broken", Effect.die("bug")), flaky(9)))
      for (const one of [call("add", "{"), call("add", {}), call("none"), call("broken"), call("flaky")]) {
        const { error, result } = yield* runner.settle(one)
        const { name, code } = Foreign.normalise(error)
        expect({ name, code }).toEqual(result.error)
      }
    }),
  )

  it.effect("keeps what a foreign failure was as its cause", () =>
    Effect.gen(function* () {
      const { error } = yield* settle(flaky(1, "ENOENT"))
      expect(error).toBeInstanceOf(ToolError.ToolFailed)
      expect(error).toMatchObject({ code: "ENOENT", cause: { code: "ENOENT" } })
    }),
  )

  it.effect("is not there after a success", () =>
    Effect.map(settle(add, { left: 1, right: 2 }), (settled) => {
      expect(Object.keys(settled)).toEqual(["result"])
    }),
  )
})

/** Case: mcp/error-vs-output-schema. */
describe("a failure that a body reports in its own words", () => {
  const blocks = [
    { type: "text", text: "workflow disabled" },
    { type: "image", mediaType: "image/png", data: "AA==" },
  ] as const
  const output = Schema.Struct({ value: Schema.String })
  const remote = (isAsync: boolean) =>
    Tool.raw({
      name: "remote",
      description: "",
      parameters: { type: "object" },
      output,
      run: ():
        | Effect.Effect<{ readonly value: string }, ToolError.ToolFailed>
        | Promise<{ value: string }> => {
        const error = ToolError.reported("remote", blocks, "WORKFLOW_DISABLED")
        return isAsync ? Promise.reject(error) : Effect.fail(error)
      },
    })

  it.effect.each([false, true])(
    "reaches the model, unchecked by the schema of a success: async %s",
    (isAsync) =>
      Effect.map(execute(remote(isAsync)), (result) => {
        expect(result).toMatchObject({
          outcome: "failed",
          isError: true,
          error: { name: "ToolFailed", code: "WORKFLOW_DISABLED" },
        })
        expect(result.violations).toBeUndefined()
        expect(result.content.slice(1, 3)).toEqual(blocks)
        expect(textOf(result)).toMatch(/^remote failed \(WORKFLOW_DISABLED\):workflow disabled/)
      }),
  )

  it.effect("is cut like an output, and a wrong character in it does no harm", () =>
    Effect.gen(function* () {
      const long = [{ type: "text", text: `\uD83D${"x".repeat(200_000)}` }] as const
      const result = yield* execute(bodied("long", Effect.fail(ToolError.reported("long", long))))
      expect(textOf(result).length).toBeLessThan(50_200)
      expect(textOf(result)).not.toMatch(/\p{Surrogate}/u)
    }),
  )

  it("has the words as its message, and some when there are none", () => {
    expect(ToolError.reported("t", blocks).message).toBe("workflow disabled")
    expect(ToolError.reported("t", []).message).toBe("it gave no reason in words")
  })
})

describe("how a call ended", () => {
  it.effect("is a failure where a failure and a defect come together", () =>
    Effect.gen(function* () {
      const cause = Cause.combine(Cause.die(new Error("a bug")), Cause.fail(new Closed({ until: "May" })))
      const result = yield* execute(bodied("both", Effect.failCause(cause)))
      expect([result.outcome, result.error?.name]).toEqual(["failed", "Closed"])
    }),
  )

  it.effect("is named in one line, without what a terminal would obey", () =>
    Effect.gen(function* () {
      const odd = { _tag: "Odd\n\u001b[31mName\u202e", message: "m" }
      const result = yield* execute(bodied("odd", Effect.fail(odd)))
      expect(result.error?.name).toBe("Odd [31mName")
    }),
  )
})

describe("what a body says", () => {
  it.effect("once its call is over is not told, whoever runs the call", () =>
    Effect.gen(function* () {
      const heard: Array<string> = []
      let say: CallInfo["progress"] = () => Effect.void
      const tool = Tool.defineTool({
        name: "talk",
        description: "",
        parameters: {},
        run: (_, { progress }) => {
          say = progress
          return progress("in time")
        },
      })
      const runner = yield* ToolRunner.make(Toolbox.make(tool))
      yield* runner.execute(call("talk"), { onProgress: (text) => Effect.sync(() => heard.push(text)) })
      yield* say("too late")
      expect(heard).toEqual(["in time"])
    }),
  )
})

describe("a retry", () => {
  it.effect("is counted in the result and told before it begins", () =>
    Effect.gen(function* () {
      const heard: Array<Again> = []
      const runner = yield* ToolRunner.make(Toolbox.make(flaky(2).pipe(Tool.retry({ times: 5 }))))
      const onRetry = (again: Again): Effect.Effect<void> => Effect.sync(() => void heard.push(again))
      const result = yield* runner.execute(call("flaky"), { onRetry })
      expect([result.outcome, result.attempts]).toEqual(["success", 3])
      expect(heard.map(({ attempt, error }) => [attempt, error.code])).toEqual([
        [2, "EBUSY"],
        [3, "EBUSY"],
      ])
    }),
  )

  it.effect("is told by the name that a result has: the tag of what an async body threw", () =>
    Effect.gen(function* () {
      const heard: Array<string> = []
      const tool = Tool.defineTool({
        name: "shut",
        description: "",
        parameters: {},
        run: () => Promise.reject(new Closed({ until: "May" })),
      }).pipe(Tool.retry({ while: ["CLOSED"] }))
      const runner = yield* ToolRunner.make(Toolbox.make(tool))
      const onRetry = ({ error }: Again): Effect.Effect<void> =>
        Effect.sync(() => void heard.push(error.name))
      const result = yield* runner.execute(call("shut"), { onRetry })
      expect([...heard, result.error?.name]).toEqual(["Closed", "Closed"])
    }),
  )

  it.effect("that was in vain says how often the body ran", () =>
    Effect.map(execute(flaky(9).pipe(Tool.retry({ times: 2 }))), (result) => {
      expect([result.outcome, result.attempts]).toEqual(["failed", 3])
      expect(textOf(result)).toContain("failed after 3 runs (EBUSY)")
    }),
  )

  it.effect("counts no run that waited for its turn until it was stopped", () =>
    Effect.gen(function* () {
      const limited = flaky(9).pipe(
        Tool.rateLimit({ limit: 1, per: "1 hour" }),
        Tool.timeout("1 second"),
        Tool.retry({ times: 2 }),
      )
      const ended = yield* Effect.forkChild(execute(limited))
      yield* TestClock.adjust("5 seconds")
      const first = yield* Fiber.join(ended)
      expect([first.outcome, first.attempts]).toEqual(["timed-out", undefined])
      const late = yield* Effect.forkChild(execute(limited))
      yield* TestClock.adjust("5 seconds")
      const second = yield* Fiber.join(late)
      expect([second.outcome, second.attempts]).toEqual(["timed-out", undefined])
      expect(textOf(second)).toContain("waiting for its turn, and nothing ran")
    }),
  )

  it.effect("is not told where there was none", () =>
    Effect.map(execute(flaky(0).pipe(Tool.retry({ times: 2 }))), (result) => {
      expect(result).not.toHaveProperty("attempts")
    }),
  )

  it.effect("knows codes that an author gave to foreign errors", () =>
    Effect.gen(function* () {
      let runs = 0
      const body = Effect.suspend(() =>
        runs++ === 0 ? Effect.fail({ reason: "throttled" }) : Effect.succeed("ok"),
      )
      const patient = bodied("aws", body).pipe(Tool.retry({ while: ["THROTTLED"] }))
      expect((yield* execute(patient)).outcome).toBe("failed")
      runs = 0
      const layer = Foreign.layer((thrown) =>
        typeof thrown === "object" && thrown !== null && "reason" in thrown
          ? { code: "THROTTLED" }
          : undefined,
      )
      expect((yield* execute(patient).pipe(Effect.provide(layer))).outcome).toBe("success")
      runs = 0
      const failed = yield* execute(bodied("aws", body)).pipe(Effect.provide(layer))
      expect(failed.error).toEqual({ name: "ToolFailed", code: "THROTTLED" })
    }),
  )

  it.effect("stops when a budget that tools share is used up, and only retries take from it", () =>
    Effect.gen(function* () {
      const budget = RateLimit.make({ limit: 3, per: "1 minute" })
      const attempts = (failures: number) =>
        Effect.map(
          execute(flaky(failures).pipe(Tool.retry({ times: 2, budget }))),
          (result): number => result.attempts ?? 1,
        )
      expect([yield* attempts(9), yield* attempts(0), yield* attempts(9), yield* attempts(9)]).toEqual([
        3, 1, 2, 1,
      ])
      yield* TestClock.adjust("1 minute")
      expect(yield* attempts(9)).toBe(3)
    }),
  )

  it.effect("has the key of the call in every run", () =>
    Effect.gen(function* () {
      const keys: Array<string> = []
      const tool = Tool.defineTool({
        name: "put",
        description: "",
        parameters: {},
        run: (_, { key }) => {
          keys.push(key)
          return keys.length < 3 ? Effect.fail("no") : Effect.succeed("ok")
        },
      }).pipe(Tool.retry({ times: 2 }))
      yield* execute(tool)
      expect([keys.length, new Set(keys).size]).toEqual([3, 1])
    }),
  )
})

describe("Tool.rateLimit", () => {
  it.effect("lets bodies wait, and is shared by the tools that hold it", () =>
    Effect.gen(function* () {
      const slow = Tool.rateLimit({ limit: 1, per: "1 second" })
      const [one, two] = [bodied("one", Effect.succeed(1)), bodied("two", Effect.succeed(2))]
      const both = Effect.all([execute(one.pipe(slow)), execute(two.pipe(slow))], { concurrency: 2 })
      const fiber = yield* Effect.forkChild(both)
      yield* TestClock.adjust("1 second")
      expect((yield* Fiber.join(fiber)).map(({ durationMillis }) => durationMillis)).toEqual([0, 1_000])
    }),
  )
})

describe("Toolbox.map", () => {
  it.effect("wraps every tool of a box", () =>
    Effect.gen(function* () {
      const box = Toolbox.make(bodied("hang", Effect.never), add, flaky(1))
      const patient = Toolbox.map(
        Toolbox.map(box, Tool.timeout("1 second")),
        Tool.retry({ while: ["EBUSY"] }),
      )
      const runner = yield* ToolRunner.make(patient)
      const fiber = yield* Effect.forkChild(
        Effect.forEach(["hang", "add", "flaky"], (name) => runner.execute(call(name, { left: 1, right: 2 }))),
      )
      yield* TestClock.adjust("1 second")
      expect((yield* Fiber.join(fiber)).map(({ outcome }) => outcome)).toEqual([
        "timed-out",
        "success",
        "success",
      ])
      expect(patient.descriptions).toEqual(box.descriptions)
    }),
  )

  it("refuses two tools of one name", () => {
    const same = (tool: Toolbox.Entry<never>): Toolbox.Entry<never> => ({ ...tool, name: "same" })
    expect(() => Toolbox.map(Toolbox.make(add, bodied("b", Effect.void)), same)).toThrow(TypeError)
  })
})

describe("what a call touches", () => {
  const write = (body: (path: string) => Effect.Effect<unknown>) =>
    Tool.defineTool({
      name: "write",
      description: "",
      parameters: { path: { type: "string", required: true } },
      resources: ({ path }) => ({ writes: [Resources.file(path)] }),
      run: ({ path }) => body(path),
    })

  it.effect("is told once its arguments are decoded, and of every tool", () =>
    Effect.gen(function* () {
      const told: Array<Resources.Resources> = []
      const onPlanned = (resources: Resources.Resources): void => void told.push(resources)
      const broken = Tool.defineTool({
        name: "broken",
        description: "",
        parameters: {},
        resources: () => {
          throw new Error("bug")
        },
        run: () => Effect.void,
      })
      const box = Toolbox.make(write(() => Effect.void).pipe(Tool.timeout("1 second")), add, broken)
      const runner = yield* ToolRunner.make(box)
      yield* runner.execute(call("write", { path: "./a" }), { onPlanned })
      yield* runner.execute(call("add", { left: 1, right: 2 }), { onPlanned })
      yield* runner.execute(call("broken"), { onPlanned })
      yield* runner.execute(call("write", {}), { onPlanned })
      expect(told).toEqual([{ writes: ["file:a"] }, Resources.none, Resources.everything])
    }),
  )

  it.effect("is enough for a caller to keep conflicting calls in order, and let the rest pass", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const opened = yield* Deferred.make<void>()
      const tool = write((path) =>
        Effect.andThen(
          path === "a" ? Deferred.await(opened) : Effect.void,
          Effect.sync(() => order.push(path)),
        ),
      )
      const runner = yield* ToolRunner.make(Toolbox.make(tool))
      const before: Array<{ plan: Deferred.Deferred<Resources.Resources>; end: Deferred.Deferred<void> }> = []
      const one = (path: string, callId: string): Effect.Effect<ToolExecutionResult> => {
        const mine = { plan: Deferred.makeUnsafe<Resources.Resources>(), end: Deferred.makeUnsafe<void>() }
        const earlier = [...before]
        before.push(mine)
        let plan: Resources.Resources = Resources.none
        const turn = Effect.forEach(earlier, (other) =>
          Effect.flatMap(Deferred.await(other.plan), (theirs) =>
            Resources.conflict(theirs, plan) ? Deferred.await(other.end) : Effect.void,
          ),
        )
        const ended = Effect.andThen(Deferred.succeed(mine.plan, plan), Deferred.succeed(mine.end, undefined))
        return runner
          .execute(call("write", { path }, callId), {
            onPlanned: (resources) => {
              plan = resources
              Deferred.doneUnsafe(mine.plan, Effect.succeed(resources))
            },
            slot: (run) => Effect.andThen(turn, run),
          })
          .pipe(Effect.ensuring(ended))
      }
      const fiber = yield* Effect.forkChild(
        Effect.all([one("a", "c1"), one("b", "c2"), one("a/../a", "c3"), one("*", "c4")], { concurrency: 4 }),
      )
      while (!order.includes("b")) yield* Effect.yieldNow
      expect(order).toEqual(["b"])
      yield* Deferred.succeed(opened, undefined)
      yield* Fiber.join(fiber)
      expect(order).toEqual(["b", "a", "a/../a", "*"])
    }),
  )
})
