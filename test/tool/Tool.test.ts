import { it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Schedule, Schema } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import * as Ids from "../../src/message/Ids.ts"
import * as Guard from "../../src/policy/Guard.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { ToolFailed, ToolTimedOut } from "../../src/tool/ToolError.ts"
import { add, bodied, execute, textOf } from "./fixtures.ts"

class Flaky extends Schema.TaggedError<Flaky>()("Flaky", { code: Schema.String }) {}

/** Fail with these in turn, then succeed with the number of runs. */
const failing = (
  ...errors: ReadonlyArray<Flaky | ToolTimedOut>
): Tool.Tool<string, object, number, Flaky | ToolTimedOut, never> => {
  let runs = 0
  return bodied(
    "flaky",
    Effect.suspend(() => {
      const error = errors[runs++]
      return error === undefined ? Effect.succeed(runs) : Effect.fail(error)
    }),
  )
}

const busy = new Flaky({ code: "EBUSY" })
const gone = new Flaky({ code: "ENOENT" })
const late = new ToolTimedOut({ message: "late", tool: "flaky", timeoutMillis: 1 })

describe("a tool", () => {
  it.effect("says where a text stops being JSON, also to programs", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(Tool.run(add)('{"left":}'))).toMatchObject({ position: 8 })
    }),
  )

  it.effect("tells the caller of its typed door what a policy changed, before the body runs", () =>
    Effect.gen(function* () {
      const heard: Array<unknown> = []
      const hear = (one: unknown) => Effect.sync(() => heard.push(one))
      const kind = Tool.defineTool({
        name: "count",
        description: "",
        parameters: { n: { type: "integer", required: true } },
        run: ({ n }) => Effect.sync(() => heard.push(n)),
      }).pipe(Tool.lenient(["number-from-text"]))
      yield* Tool.run(kind)('{"n":"5"}', { onRepair: (repair) => Effect.asVoid(hear(repair)) })
      expect(heard).toMatchObject([{ policy: "number-from-text", path: ["n"], before: "5", after: 5 }, 5])
    }),
  )

  it("shows the model a schema, and names it by its digest", () => {
    expect(add.parameters).toMatchObject({ type: "object", required: ["left", "right"] })
    const same = Tool.defineTool({
      name: "plus",
      description: "Another text.",
      parameters: { left: { type: "number", required: true }, right: { type: "number", required: true } },
      run: () => Effect.void,
    })
    expect(same.fingerprint).toBe(add.fingerprint)
    expect(bodied("other", Effect.void).fingerprint).not.toBe(add.fingerprint)
  })

  it.effect("may take an Effect Schema, whose decoded type its body gets", () =>
    Effect.gen(function* () {
      const year = Tool.defineTool({
        name: "year",
        description: "",
        parameters: Schema.Struct({ at: Schema.DateFromString }),
        run: ({ at }) => Effect.succeed(at.getUTCFullYear()),
      })
      expect(yield* Tool.run(year)('{"at":"2024-05-01T00:00:00Z"}')).toBe(2024)
      const refused = yield* Effect.flip(Tool.run(year)('{"at":7}'))
      expect(refused).toMatchObject({ _tag: "ToolArgsInvalid", violations: [{ path: ["at"] }] })
    }),
  )

  it.effect("whose schema breaks while it reads runs nothing, and says whose fault it is", () =>
    Effect.gen(function* () {
      let ran = false
      const fragile = Schema.Struct({ at: Schema.String }).check(
        Schema.makeFilter(() => {
          throw new Error("bug in a check")
        }),
      )
      const tool = Tool.defineTool({
        name: "fragile",
        description: "",
        parameters: fragile,
        run: () =>
          Effect.sync(() => {
            ran = true
          }),
      })
      const result = yield* execute(tool, { at: "x" })
      expect([ran, result.outcome, result.error?.code]).toEqual([false, "rejected", "INVALID_ARGS"])
      expect(textOf(result)).toContain("The check of the arguments broke: bug in a check")
    }),
  )

  it.effect("of a raw JSON Schema gets any object, and nothing but an object", () =>
    Effect.gen(function* () {
      const raw = Tool.raw({
        name: "raw",
        description: "",
        parameters: { type: "object", properties: { n: { type: "number" } } },
        run: (args) => Effect.succeed(args["n"]),
      })
      expect(yield* Tool.run(raw)('{"n":"seven"}')).toBe("seven")
      expect(yield* Effect.flip(Tool.run(raw)("[1]"))).toMatchObject({ _tag: "ToolArgsInvalid" })
    }),
  )

  it.effect("may have its body called alone, under the caller's own signal", () =>
    Effect.gen(function* () {
      const controller = new AbortController()
      const tool = Tool.defineTool({
        name: "listener",
        description: "",
        parameters: {},
        run: async (_, { signal }) => {
          controller.abort()
          return signal.aborted
        },
      })
      const call = { callId: "c1", key: "k", signal: controller.signal, progress: () => Effect.void }
      expect(yield* tool.body({}, call)).toBe(true)
    }),
  )
})

describe("the typed door", () => {
  it.effect("gives the output itself", () =>
    Effect.map(Tool.run(add)('{"left":1,"right":2}'), (output) => expect(output).toEqual({ sum: 3 })),
  )

  it.effect("fails with what breaks, by tag", () =>
    Effect.gen(function* () {
      const closed: Guard.Guard = () => Effect.succeed(Guard.deny("closed"))
      expect((yield* Effect.flip(Tool.run(add)("{")))._tag).toBe("ToolArgsMalformed")
      expect((yield* Effect.flip(Tool.run(add)("{}")))._tag).toBe("ToolArgsInvalid")
      const denied = Tool.run(add)('{"left":1,"right":2}').pipe(Effect.provideService(Guard.Guard, closed))
      expect(yield* Effect.flip(denied)).toMatchObject({ _tag: "ToolDenied", reason: "closed" })
      expect((yield* Effect.flip(Tool.run(bodied("n", Effect.succeed(1n)))("{}")))._tag).toBe(
        "ToolOutputInvalid",
      )
      expect(yield* Effect.flip(Tool.run(bodied("f", Effect.fail(busy)))("{}"))).toBe(busy)
    }),
  )

  it.effect("keeps defects and interruption in the cause", () =>
    Effect.gen(function* () {
      const bug = new Error("bug")
      expect(yield* Effect.exit(Tool.run(bodied("d", Effect.die(bug)))("{}"))).toEqual(Exit.die(bug))
      expect(Exit.hasInterrupts(yield* Effect.exit(Tool.run(bodied("i", Effect.interrupt))("{}")))).toBe(true)
    }),
  )

  it.effect("tells the body the id it was given, or draws one", () =>
    Effect.gen(function* () {
      const ids: Array<string> = []
      const tool = Tool.defineTool({
        name: "t",
        description: "",
        parameters: {},
        run: (_, { callId }) => Effect.sync(() => void ids.push(callId)),
      })
      yield* Tool.run(tool)("{}", { callId: "mine" })
      yield* Tool.run(tool)("{}").pipe(Effect.provideService(Ids.Ids, Ids.sequential()))
      expect(ids).toEqual(["mine", "call-1"])
    }),
  )
})

describe("an async body", () => {
  it.effect("fails with the code of what it threw, and keeps the thing itself", () =>
    Effect.gen(function* () {
      const thrown: unknown = { name: "RetryTimeout", data: { message: "gave up after 7 tries" } }
      const tool = Tool.defineTool({
        name: "t",
        description: "",
        parameters: {},
        run: (): Promise<string> => Promise.reject(thrown),
      })
      const error = yield* Effect.flip(Tool.run(tool)("{}"))
      expect(error).toBeInstanceOf(ToolFailed)
      expect(error).toMatchObject({ code: "RETRY_TIMEOUT", message: "gave up after 7 tries" })
      expect("cause" in error && error.cause).toBe(thrown)
    }),
  )

  it.effect("that says nothing usable fails with the code of its tag", () =>
    Effect.gen(function* () {
      const thrown: unknown = "boom"
      const tool = Tool.defineTool({
        name: "t",
        description: "",
        parameters: {},
        run: (): Promise<string> => Promise.reject(thrown),
      })
      const error = yield* Effect.flip(Tool.run(tool)("{}"))
      expect(error).toMatchObject({ _tag: "ToolFailed", code: "TOOL_FAILED", message: "boom" })
    }),
  )

  it.live("whose own time limit passes reads as a time-out, not as a cancellation", () =>
    Effect.gen(function* () {
      const tool = Tool.defineTool({
        name: "slow",
        description: "",
        parameters: {},
        run: () =>
          new Promise<never>((_, reject) => {
            // What `AbortSignal.timeout` gives as its reason, without the time.
            const reason = new DOMException("The operation was aborted due to timeout", "TimeoutError")
            reject(
              Object.assign(new Error("aborted", { cause: reason }), {
                name: "AbortError",
                code: "ABORT_ERR",
              }),
            )
          }),
      })
      const result = yield* execute(tool)
      expect([result.outcome, result.error]).toEqual(["failed", { name: "ToolFailed", code: "TIMEOUT_ERR" }])
      expect(textOf(result)).toContain("may work later")
    }),
  )
})

describe("Tool.timeout", () => {
  it.effect("stops a slow body, waits for its finalisers, and says how long it had", () =>
    Effect.gen(function* () {
      let cleaned = false
      const clean = Effect.delay(
        Effect.sync(() => {
          cleaned = true
        }),
        "1 second",
      )
      const slow = bodied(
        "slow",
        Effect.onInterrupt(Effect.never, () => clean),
      ).pipe(Tool.timeout("2 seconds"))
      const fiber = yield* Effect.forkChild(execute(slow))
      yield* TestClock.adjust("2 seconds")
      expect([cleaned, fiber.pollUnsafe()]).toEqual([false, undefined])
      yield* TestClock.adjust("1 second")
      const result = yield* Fiber.join(fiber)
      expect([cleaned, result.outcome, result.error]).toEqual([
        true,
        "timed-out",
        { name: "ToolTimedOut", code: "TOOL_TIMEOUT" },
      ])
      expect(textOf(result)).toContain("2000 ms")
    }),
  )

  it.effect("leaves a fast body alone, and does not count the time before it", () =>
    Effect.gen(function* () {
      const fast = bodied("fast", Effect.delay(Effect.succeed("ok"), "1 second")).pipe(
        Tool.timeout("2 seconds"),
      )
      const thinking: Guard.Guard = () => Effect.as(Effect.sleep("1 hour"), Guard.allow)
      const fiber = yield* Effect.forkChild(execute(fast).pipe(Effect.provideService(Guard.Guard, thinking)))
      yield* TestClock.adjust("1 hour")
      yield* TestClock.adjust("1 second")
      expect((yield* Fiber.join(fiber)).outcome).toBe("success")
    }),
  )

  it.effect("aborts the signal of the run it stops, and the next run has a fresh one", () =>
    Effect.gen(function* () {
      const signals: Array<AbortSignal> = []
      const tool = Tool.defineTool({
        name: "t",
        description: "",
        parameters: {},
        run: (_, { signal }) => {
          signals.push(signal)
          return signals.length === 1
            ? new Promise<string>((_, reject) =>
                signal.addEventListener("abort", () => reject(signal.reason)),
              )
            : Promise.resolve("second")
        },
      }).pipe(Tool.timeout("1 second"), Tool.retry({ while: ["ToolTimedOut"] }))
      const fiber = yield* Effect.forkChild(Tool.run(tool)("{}"))
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(fiber)).toBe("second")
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    }),
  )
})

describe("Tool.retry", () => {
  const info = { callId: "c1", key: "k", signal: new AbortController().signal, progress: () => Effect.void }
  const runs = <E>(tool: Tool.Tool<string, object, number, E, never>): Effect.Effect<number | E> =>
    Effect.match(tool.body({}, info), { onFailure: (error) => error, onSuccess: (count) => count })

  it.effect("runs again once, when nothing more is said", () =>
    Effect.gen(function* () {
      expect(yield* runs(failing(busy).pipe(Tool.retry({})))).toBe(2)
      expect(yield* runs(failing(busy, gone).pipe(Tool.retry({})))).toBe(gone)
    }),
  )

  it.effect("runs again only for the tags and codes that it names", () =>
    Effect.gen(function* () {
      const byCode = Tool.retry<Flaky | ToolTimedOut>({ times: 5, while: ["EBUSY"] })
      expect(yield* runs(failing(busy, busy).pipe(byCode))).toBe(3)
      expect(yield* runs(failing(busy, gone).pipe(byCode))).toBe(gone)
      const byTag = Tool.retry<Flaky | ToolTimedOut>({ times: 5, while: ["ToolTimedOut"] })
      expect(yield* runs(failing(late).pipe(byTag))).toBe(2)
      expect(yield* runs(failing(busy).pipe(byTag))).toBe(busy)
    }),
  )

  it.effect("asks a predicate, and keeps to a schedule", () =>
    Effect.gen(function* () {
      const tool = failing(busy, gone).pipe(
        Tool.retry({ schedule: Schedule.spaced("1 second"), while: (error) => error._tag === "Flaky" }),
      )
      const fiber = yield* Effect.forkChild(runs(tool))
      yield* TestClock.adjust("1 second")
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(fiber)).toBe(3)
    }),
  )

  it.effect("does not repeat what can never work", () =>
    Effect.gen(function* () {
      let runs = 0
      const nested = bodied(
        "nested",
        Effect.andThen(
          Effect.sync(() => runs++),
          Tool.run(bodied("n", Effect.succeed(1n)))("{}"),
        ),
      )
      expect((yield* Effect.flip(Tool.run(nested.pipe(Tool.retry({ times: 3 })))("{}")))._tag).toBe(
        "ToolOutputInvalid",
      )
      expect(runs).toBe(1)
    }),
  )
})

describe("the other combinators", () => {
  it.effect("mapEffect goes on with the output, and leaves its declared schema behind", () =>
    Effect.gen(function* () {
      const dated = Tool.defineTool({
        name: "dated",
        description: "",
        parameters: {},
        output: Schema.Struct({ at: Schema.Date }),
        run: () => Effect.succeed({ at: new Date(0) }),
      })
      expect(textOf(yield* execute(dated))).toBe('{"at":"1970-01-01T00:00:00.000Z"}')
      const year = dated.pipe(Tool.mapEffect(({ at }) => Effect.succeed(at.getUTCFullYear())))
      expect(yield* Tool.run(year)("{}")).toBe(1970)
      expect(textOf(yield* execute(year))).toBe("1970")
    }),
  )

  it.effect("provide gives services to the body", () =>
    Effect.gen(function* () {
      class Name extends Context.Service<Name, string>()("Name") {}
      const hello = bodied(
        "hello",
        Effect.map(Name, (name) => `Hello, ${name}.`),
      )
      expect(yield* Tool.run(hello.pipe(Tool.provide(Context.make(Name, "Ada"))))("{}")).toBe("Hello, Ada.")
    }),
  )

  it.effect("all of them change the body that is called alone, too", () =>
    Effect.gen(function* () {
      const doubled = add.pipe(Tool.mapEffect(({ sum }) => Effect.succeed(sum * 2)))
      const call = {
        callId: "c1",
        key: "k",
        signal: new AbortController().signal,
        progress: () => Effect.void,
      }
      expect(yield* doubled.body({ left: 1, right: 2 }, call)).toBe(6)
    }),
  )
})
