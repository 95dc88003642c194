/** A body that is over when its function returns takes a shorter way; what comes out is the same. */
import { Cause, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { CallHooks } from "../../src/tool/CallInfo.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"
import { call } from "./fixtures.ts"

const output = fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, Number.NaN, 1n))
const thrown: fc.Arbitrary<unknown> = fc.oneof(
  fc.string(),
  fc.constantFrom(new Error("no"), { _tag: "Odd" }, undefined),
)

const exit: fc.Arbitrary<Exit.Exit<unknown, unknown>> = fc.oneof(
  output.map((value) => Exit.succeed(value)),
  thrown.map((error) => Exit.fail(error)),
  thrown.map((defect) => Exit.die(defect)),
  fc.constant(Exit.interrupt(7)),
  thrown.map((error) => Exit.failCause(Cause.combine(Cause.die("bug"), Cause.fail(error)))),
)

type Run = () => Effect.Effect<unknown, unknown>

const settleBy = (run: Run, hooks: CallHooks) =>
  Effect.flatMap(
    ToolRunner.make(Toolbox.make(Tool.defineTool({ name: "t", description: "", parameters: {}, run }))),
    (runner) => runner.settle(call("t"), hooks),
  )

/** Two calls by the test clock, so that both take no time. */
const settleBoth = (one: Run, other: Run, some: CallHooks) =>
  Effect.runPromise(
    Effect.provide(Effect.all([settleBy(one, some), settleBy(other, some)]), TestClock.layer()),
  )

const hooks: fc.Arbitrary<CallHooks> = fc.constantFrom<CallHooks>(
  {},
  { onStart: () => Effect.void },
  { slot: (run) => Effect.andThen(Effect.yieldNow, run), onStart: () => Effect.yieldNow },
)

describe("a body that is over at once", () => {
  it("ends as the same body does that takes its time", async () => {
    await fc.assert(
      fc.asyncProperty(exit, hooks, async (end, some) => {
        const later = Effect.andThen(Effect.yieldNow, end)
        const [now, then] = await settleBoth(
          () => end,
          () => later,
          some,
        )
        expect(now).toEqual(then)
      }),
    )
  })

  it("ends as one does that throws what it dies of", async () => {
    await fc.assert(
      fc.asyncProperty(thrown, hooks, async (defect, some) => {
        const throwing = () => {
          throw defect
        }
        const [threw, died] = await settleBoth(
          throwing,
          () => Effect.andThen(Effect.yieldNow, Effect.die(defect)),
          some,
        )
        expect(threw).toEqual(died)
      }),
    )
  })
})
