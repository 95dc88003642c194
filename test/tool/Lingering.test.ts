/** An async body that does not stop when it is told to, at the two doors of the pipeline. */
import { it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import * as Grace from "../../src/policy/Grace.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"

/** A body that says when it runs, and ends when it is let go; how often it ran. */
const makeDeaf = () => {
  const started = Deferred.makeUnsafe<void>()
  const open = Deferred.makeUnsafe<void>()
  let runs = 0
  const tool = Tool.defineTool({
    name: "deaf",
    description: "Does not hear its signal",
    parameters: {},
    run: async () => {
      runs += 1
      Deferred.doneUnsafe(started, Effect.void)
      await Effect.runPromise(Deferred.await(open))
      return "done"
    },
  })
  return {
    tool,
    started: Deferred.await(started),
    letGo: Effect.sync(() => Deferred.doneUnsafe(open, Effect.void)),
    runs: () => runs,
  }
}

const briefly = Effect.provide(Grace.layer("1 millis"))
const call = { callId: "c1", name: "deaf", arguments: "{}" }

describe("a body that does not stop", () => {
  it.effect("fails the typed door with the time-out, which says that it may still run", () =>
    Effect.gen(function* () {
      const { tool, started } = makeDeaf()
      const limited = tool.pipe(Tool.timeout("1 second"))
      const running = yield* Effect.forkChild(Effect.flip(briefly(Tool.run(limited)("{}"))))
      yield* started
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(running)).toMatchObject({ code: "TOOL_TIMEOUT", mayStillRun: true })
    }),
  )

  it.effect("is not run again beside itself, whatever the retry is for", () =>
    Effect.gen(function* () {
      const { tool, started, runs } = makeDeaf()
      const patient = tool.pipe(Tool.timeout("1 second"), Tool.retry({ times: 3, while: ["TOOL_TIMEOUT"] }))
      const running = yield* Effect.forkChild(Effect.flip(briefly(Tool.run(patient)("{}"))))
      yield* started
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(running)).toMatchObject({ code: "TOOL_TIMEOUT" })
      expect(runs()).toBe(1)
    }),
  )

  it.effect("is told to the caller of the total door, with a promise of its end", () =>
    Effect.gen(function* () {
      const { tool, started, letGo } = makeDeaf()
      const runner = yield* ToolRunner.make(Toolbox.make(tool))
      const left: Array<Promise<unknown>> = []
      const hooks = { onLinger: (until: Promise<unknown>) => void left.push(until) }
      const settled = Effect.provideService(runner.settle(call, hooks), Grace.Grace, Duration.millis(1))
      const running = yield* Effect.forkChild(settled, { uninterruptible: true })
      yield* started
      running.interruptUnsafe()
      const { result, error } = yield* Fiber.join(running)
      expect(result).toMatchObject({ outcome: "interrupted", error: { code: "ABORTED" } })
      expect(error).toMatchObject({ _tag: "ToolInterrupted", mayStillRun: true })
      expect(left).toHaveLength(1)
      yield* letGo
      yield* Effect.promise(() => Promise.all(left))
    }),
  )

  it.effect("is waited for no longer than it is given, and not at all when it has ended by itself", () =>
    Effect.gen(function* () {
      const { tool, letGo } = makeDeaf()
      const runner = yield* ToolRunner.make(Toolbox.make(tool))
      yield* letGo
      const left: Array<Promise<unknown>> = []
      const result = yield* runner.execute(call, { onLinger: (until) => void left.push(until) })
      expect([result.outcome, left]).toEqual(["success", []])
    }),
  )
})
