import { it } from "@effect/vitest"
import { Cause, Context, Deferred, Effect, Exit, Fiber, Schema, Semaphore } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { HarnessError } from "../../src/error/HarnessError.ts"
import type { ToolExecutionResult } from "../../src/message/ToolResult.ts"
import * as Approver from "../../src/policy/Approver.ts"
import * as Guard from "../../src/policy/Guard.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"
import { add, bodied, call, execute, textOf } from "./fixtures.ts"

class Speaker extends Context.Service<Speaker, { readonly says: string }>()("Speaker") {}

const good = call("add", { left: 1, right: 2 })
const adding = ToolRunner.make(Toolbox.make(add))

describe("a good call", () => {
  it.effect("gives its output as text and as JSON", () =>
    Effect.map(execute(add, { left: 1, right: 2 }), (result) => {
      expect(result).toEqual({
        callId: "c1",
        name: "add",
        outcome: "success",
        isError: false,
        content: [{ type: "text", text: '{"sum":3}' }],
        structured: { sum: 3 },
        durationMillis: 0,
      })
    }),
  )

  it.effect("is timed from the start of its body", () =>
    Effect.gen(function* () {
      const runner = yield* ToolRunner.make(Toolbox.make(bodied("slow", Effect.sleep("2 seconds"))))
      const slot = <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.delay(run, "5 seconds")
      const fiber = yield* Effect.forkChild(runner.execute(call("slow"), { slot }))
      yield* TestClock.adjust("7 seconds")
      expect((yield* Fiber.join(fiber)).durationMillis).toBe(2_000)
    }),
  )

  it.effect("passes on what its body says meanwhile", () =>
    Effect.gen(function* () {
      const heard: Array<string> = []
      const tool = Tool.defineTool({
        name: "talker",
        description: "",
        parameters: {},
        run: (_, { progress }) => Effect.andThen(progress("half"), progress("done")),
      })
      const runner = yield* ToolRunner.make(Toolbox.make(tool))
      const onProgress = (text: string): Effect.Effect<void> => Effect.sync(() => void heard.push(text))
      yield* runner.execute(call("talker"), { onProgress })
      expect(heard).toEqual(["half", "done"])
    }),
  )
})

describe("an abort", () => {
  /** Start the call in an uninterruptible fiber, as the loop does, and interrupt it when `reached` says so. */
  const abortWhen = (
    tool: (reached: Effect.Effect<void>) => Tool.Tool<string, never, unknown, unknown, never>,
    context: Context.Context<never> = Context.empty(),
    hooks?: (reached: Effect.Effect<void>) => Parameters<ToolRunner.ToolRunner["execute"]>[1],
  ): Effect.Effect<ToolExecutionResult> =>
    Effect.gen(function* () {
      const reached = yield* Deferred.make<void>()
      const mark = Effect.asVoid(Deferred.succeed(reached, undefined))
      const only = tool(mark)
      const runner = yield* ToolRunner.make(Toolbox.make(only))
      const ended = yield* Deferred.make<ToolExecutionResult>()
      const work = Effect.flatMap(runner.execute(call(only.name), hooks?.(mark)), (result) =>
        Deferred.succeed(ended, result),
      )
      const fiber = yield* Effect.forkChild(Effect.uninterruptible(Effect.provideContext(work, context)))
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(fiber)
      return yield* Deferred.await(ended)
    })

  it.effect("while the body runs stops it, waits for its finalisers and says so", () =>
    Effect.gen(function* () {
      let cleaned = false
      const result = yield* abortWhen((reached) =>
        bodied(
          "stuck",
          Effect.onInterrupt(Effect.andThen(reached, Effect.never), () =>
            Effect.andThen(
              Effect.yieldNow,
              Effect.sync(() => {
                cleaned = true
              }),
            ),
          ),
        ),
      )
      expect(cleaned).toBe(true)
      expect(result.outcome).toBe("interrupted")
      expect(result.error).toEqual({ name: "ToolInterrupted", code: "ABORTED" })
      expect(textOf(result)).toContain("its turn")
    }),
  )

  it.effect("aborts the signal of an async body", () =>
    Effect.gen(function* () {
      const signals: Array<AbortSignal> = []
      const result = yield* abortWhen((reached) =>
        Tool.defineTool({
          name: "stuck",
          description: "",
          parameters: {},
          run: (_, { signal }) => {
            signals.push(signal)
            Effect.runSync(reached)
            return new Promise<never>((_, reject) =>
              signal.addEventListener("abort", () => reject(signal.reason)),
            )
          },
        }),
      )
      expect(result.outcome).toBe("interrupted")
      expect(signals.map((signal) => signal.aborted)).toEqual([true])
    }),
  )

  it.effect("leaves no rejection of an async body unhandled", () =>
    Effect.gen(function* () {
      const unhandled: Array<unknown> = []
      const listen = (reason: unknown): void => void unhandled.push(reason)
      process.on("unhandledRejection", listen)
      const result = yield* abortWhen((reached) =>
        Tool.defineTool({
          name: "late",
          description: "",
          parameters: {},
          run: (_, { signal }) => {
            Effect.runSync(reached)
            return new Promise<never>((_, reject) => {
              const fail = (): void => reject(new Error("aborted"))
              if (signal.aborted) fail()
              else signal.addEventListener("abort", fail)
            })
          },
        }),
      )
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      process.off("unhandledRejection", listen)
      expect([result.outcome, unhandled]).toEqual(["interrupted", []])
    }),
  )

  it.effect("while an approval is awaited never starts the body", () =>
    Effect.gen(function* () {
      let ran = false
      const reached = yield* Deferred.make<void>()
      const context = Context.make(Guard.Guard, () => Effect.succeed(Guard.ask("sure?"))).pipe(
        Context.add(Approver.Approver, () =>
          Effect.andThen(Deferred.succeed(reached, undefined), Effect.never),
        ),
      )
      const result = yield* abortWhen((mark) => {
        Effect.runFork(Effect.andThen(Deferred.await(reached), mark))
        return bodied(
          "careful",
          Effect.sync(() => {
            ran = true
          }),
        )
      }, context)
      expect([ran, result.outcome, result.error?.code]).toEqual([
        false,
        "interrupted-before-start",
        "ABORTED_BEFORE_START",
      ])
      expect(textOf(result)).toContain("Nothing ran")
    }),
  )

  it.effect("while a slot is awaited never starts the body", () =>
    Effect.gen(function* () {
      let ran = false
      const result = yield* abortWhen(
        () =>
          bodied(
            "queued",
            Effect.sync(() => {
              ran = true
            }),
          ),
        Context.empty(),
        (reached) => ({ slot: (run) => Effect.andThen(reached, Effect.andThen(Effect.never, run)) }),
      )
      expect([ran, result.outcome]).toEqual([false, "interrupted-before-start"])
    }),
  )

  it.effect("that comes when the body is done changes nothing", () =>
    Effect.gen(function* () {
      const result = yield* abortWhen(
        () => bodied("quick", Effect.succeed("bought")),
        Context.empty(),
        // The slot is still held when the abort comes: the body has ended already.
        (reached) => ({ slot: (run) => Effect.tap(run, () => Effect.andThen(reached, Effect.never)) }),
      )
      expect([result.outcome, textOf(result)]).toEqual(["success", "bought"])
    }),
  )

  it.effect("in the middle of three calls with one slot leaves three outcomes", () =>
    Effect.gen(function* () {
      const reached = yield* Deferred.make<void>()
      const semaphore = yield* Semaphore.make(1)
      const runner = yield* ToolRunner.make(
        Toolbox.make(
          bodied("first", Effect.succeed("one")),
          bodied("second", Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)),
          bodied("third", Effect.succeed("three")),
        ),
      )
      const results: Array<ToolExecutionResult> = []
      const fibers = yield* Effect.forEach(["first", "second", "third"], (name) =>
        runner.execute(call(name, {}, name), { slot: semaphore.withPermits(1) }).pipe(
          Effect.map((result) => results.push(result)),
          Effect.forkChild({ uninterruptible: true }),
        ),
      )
      yield* Deferred.await(reached)
      yield* Fiber.interruptAll(fibers)
      expect(results.map(({ callId, outcome }) => [callId, outcome])).toEqual([
        ["first", "success"],
        ["second", "interrupted"],
        ["third", "interrupted-before-start"],
      ])
    }),
  )
})

describe("the hooks", () => {
  it.effect("come after every check and the slot, and before the body", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const note = (what: string): Effect.Effect<void> => Effect.sync(() => void order.push(what))
      const runner = yield* ToolRunner.make(Toolbox.make(bodied("noted", note("body"))))
      yield* runner
        .execute(call("noted"), {
          slot: (run) => Effect.andThen(note("slot"), run),
          onStart: () => note("start"),
        })
        .pipe(Effect.provideService(Guard.Guard, () => Effect.as(note("guard"), Guard.allow)))
      expect(order).toEqual(["guard", "slot", "start", "body"])
    }),
  )

  it.effect("hear of no call that is refused", () =>
    Effect.gen(function* () {
      const runner = yield* adding
      const onStart = () => Effect.die("heard")
      expect((yield* runner.execute(call("add", {}), { onStart })).outcome).toBe("rejected")
      expect((yield* runner.execute(call("sub", {}), { onStart })).outcome).toBe("unknown-tool")
    }),
  )

  it.effect("are told the key of an idempotent tool, and of no other", () =>
    Effect.gen(function* () {
      const told: Array<unknown> = []
      const put = Tool.defineTool({
        name: "put",
        description: "",
        parameters: {},
        idempotent: true,
        run: (_, { key }) => Effect.succeed(key),
      })
      const runner = yield* ToolRunner.make(Toolbox.make(put, add))
      const onStart = (info: object): Effect.Effect<void> => Effect.sync(() => void told.push(info))
      const result = yield* runner.execute(call("put"), { onStart })
      yield* runner.execute(good, { onStart })
      expect(told).toEqual([{ key: textOf(result) }, {}])
      expect(textOf(result)).toMatch(/^[0-9a-f]{64}$/)
    }),
  )

  it.effect("stop the body when they die, and their death is no outcome", () =>
    Effect.gen(function* () {
      let ran = false
      const runner = yield* ToolRunner.make(
        Toolbox.make(
          bodied(
            "never",
            Effect.sync(() => {
              ran = true
            }),
          ),
        ),
      )
      const exit = yield* Effect.exit(
        runner.execute(call("never"), { onStart: () => Effect.die("log is gone") }),
      )
      expect(exit).toEqual(Exit.die("log is gone"))
      expect(ran).toBe(false)
    }),
  )
})

describe("the context", () => {
  const speak = bodied(
    "speak",
    Effect.map(Speaker, ({ says }) => says),
  )
  const denyAll: Guard.Guard = () => Effect.succeed(Guard.deny("closed"))
  const allowAll: Guard.Guard = () => Effect.succeed(Guard.allow)

  it.effect("of the maker is there, and that of the caller wins", () =>
    Effect.gen(function* () {
      const runner = yield* ToolRunner.make(Toolbox.make(speak)).pipe(
        Effect.provideService(Speaker, { says: "maker" }),
      )
      expect(textOf(yield* runner.execute(call("speak")))).toBe("maker")
      const other = yield* runner
        .execute(call("speak"))
        .pipe(Effect.provideService(Speaker, { says: "caller" }))
      expect(textOf(other)).toBe("caller")
    }),
  )

  it.effect("of a caller never opens what the maker's guard closed", () =>
    Effect.gen(function* () {
      const runner = yield* adding.pipe(Effect.provideService(Guard.Guard, denyAll))
      const outcomes = yield* Effect.forEach([Guard.allowAll, allowAll, denyAll], (guard) =>
        Effect.map(
          runner.execute(good).pipe(Effect.provideService(Guard.Guard, guard)),
          ({ outcome }) => outcome,
        ),
      )
      expect(outcomes).toEqual(["denied", "denied", "denied"])
      expect((yield* runner.execute(good)).outcome).toBe("denied")
    }),
  )

  it.effect("of a caller may close what the maker left open", () =>
    Effect.gen(function* () {
      const runner = yield* adding
      const result = yield* runner.execute(good).pipe(Effect.provideService(Guard.Guard, denyAll))
      expect([result.outcome, result.isError]).toEqual(["denied", true])
    }),
  )
})

describe("what a body passes on from another tool", () => {
  it.effect("is a failure of the body, which did run", () =>
    Effect.gen(function* () {
      const outer = bodied("outer", Tool.run(add)("{}"))
      const result = yield* execute(outer)
      expect([result.outcome, result.error?.code]).toEqual(["failed", "INVALID_ARGS"])
      expect(result.violations?.map(({ path }) => path)).toEqual([["left"], ["right"]])
    }),
  )

  it.effect("is never made of a broken invariant: that goes up as it is", () =>
    Effect.gen(function* () {
      class InvariantViolated extends HarnessError.extend<InvariantViolated>("InvariantViolated")({
        _tag: Schema.tag("InvariantViolated"),
      }) {
        readonly code = "INVARIANT_VIOLATED"
        readonly retry = "never"
      }
      const broken = new InvariantViolated({ message: "turn.nests" })
      const exit = yield* Effect.exit(execute(bodied("sub-agent", Effect.die(broken))))
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBe(broken)
    }),
  )
})
