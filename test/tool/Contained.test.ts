/** Steps of others that are no Effects: what types refuse, and JavaScript lets through. */
import { it } from "@effect/vitest"
import { Cause, Deferred, Effect, Fiber, Schema, SchemaTransformation } from "effect"
import { describe, expect } from "vitest"
import { HarnessError } from "../../src/error/HarnessError.ts"
import * as Approver from "../../src/policy/Approver.ts"
import * as Guard from "../../src/policy/Guard.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { bodied, execute, textOf } from "./fixtures.ts"

/** Let a value stand where types want another, as a program without types does. */
const untyped = (value: unknown): Effect.Effect<never> => value as Effect.Effect<never>

const slips: Record<string, Effect.Effect<void>> = {
  "a yield without its star": Effect.gen(function* () {
    yield untyped(Promise.resolve(1))
  }),
  "a callback that returns nothing": Effect.flatMap(Effect.void, () => untyped(undefined)),
  "an object instead of an Effect": Effect.suspend(() => untyped({})),
  "a slip after a pause": Effect.andThen(
    Effect.yieldNow,
    Effect.suspend(() => untyped(null)),
  ),
}

describe("a step that is no Effect", () => {
  for (const [name, slip] of Object.entries(slips)) {
    it.effect(`is a defect of the body that makes it: ${name}`, () =>
      Effect.gen(function* () {
        const result = yield* execute(bodied("slip", slip))
        expect(result.outcome).toBe("defect")
        expect(textOf(result)).toContain("Not a valid effect")
      }),
    )

    it.effect(`denies where a guard or an approver makes it: ${name}`, () =>
      Effect.gen(function* () {
        const tool = bodied("fine", Effect.succeed("fine"))
        const guard = Guard.layer(() => Effect.as(slip, Guard.allow))
        expect((yield* execute(tool).pipe(Effect.provide(guard))).outcome).toBe("denied")
        const asks = Guard.layer(() => Effect.succeed(Guard.ask("sure?")))
        const approver = Approver.layer(() => Effect.as(slip, Approver.allow))
        expect((yield* execute(tool).pipe(Effect.provide([asks, approver]))).outcome).toBe("denied")
      }),
    )
  }

  for (const [name, slip] of Object.entries(slips)) {
    it.effect(`is a defect that the caller of Tool.run can catch: ${name}`, () =>
      Effect.gen(function* () {
        const caught = yield* Effect.catchCause(Tool.run(bodied("slip", slip))("{}"), (cause) =>
          Effect.succeed(String(Cause.squash(cause))),
        )
        expect(caught).toContain("Not a valid effect")
      }),
    )
  }

  it.effect("is a defect of the tool that mapEffect makes it in", () =>
    Effect.gen(function* () {
      const tool = bodied("fine", Effect.succeed(1)).pipe(Tool.mapEffect(() => untyped("plain")))
      expect((yield* execute(tool)).outcome).toBe("defect")
    }),
  )

  it.effect("is a failure of the output whose schema makes it", () =>
    Effect.gen(function* () {
      const output = Schema.String.pipe(
        Schema.decodeTo(
          Schema.String,
          SchemaTransformation.transformEffect({
            decode: (text: string) => Effect.succeed(text),
            encode: () => Effect.flatMap(Effect.yieldNow, () => untyped(undefined)),
          }),
        ),
      )
      const tool = Tool.defineTool({
        name: "fine",
        description: "",
        parameters: {},
        output,
        run: () => Effect.succeed("fine"),
      })
      const result = yield* execute(tool)
      expect(result.outcome).toBe("failed")
      expect(textOf(result)).toContain("the output schema broke")
    }),
  )
})

describe("a body in a fiber of its own", () => {
  it.effect("is interrupted with its caller, who waits for its finalisers", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const steps: Array<string> = []
      const body = Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
        Effect.onInterrupt(() =>
          Effect.andThen(
            Deferred.await(release),
            Effect.sync(() => steps.push("released")),
          ),
        ),
      )
      const running = yield* Effect.forkChild(
        Effect.uninterruptible(
          Effect.tap(execute(bodied("slow", body)), () => Effect.sync(() => steps.push("ended"))),
        ),
      )
      yield* Deferred.await(started)
      const stopping = yield* Effect.forkChild(Fiber.interrupt(running), { startImmediately: true })
      yield* Effect.yieldNow
      expect(steps).toEqual([])
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.await(stopping)
      expect(steps).toEqual(["released", "ended"])
    }),
  )

  it.effect("takes the services and references of its caller with it", () =>
    Effect.gen(function* () {
      const tool = bodied("spans", Effect.map(Effect.currentSpan, ({ name }) => name).pipe(Effect.orDie))
      expect(textOf(yield* execute(tool).pipe(Effect.withSpan("caller")))).toBe("caller")
    }),
  )
})

describe("what a body throws", () => {
  it.effect("is a defect also when it has the tag of a broken invariant: only the error itself passes", () =>
    Effect.gen(function* () {
      const result = yield* execute(bodied("liar", Effect.die({ _tag: "InvariantViolated" })))
      expect(result.outcome).toBe("defect")
    }),
  )

  it.effect("gets the advice of its code when its own cannot be read, or is none", () =>
    Effect.gen(function* () {
      class Odd extends HarnessError.extend<Odd>("Odd")({ _tag: Schema.tag("Odd") }) {
        readonly code = "ODD"
        get retry(): never {
          throw new Error("no")
        }
      }
      class Wrong extends HarnessError.extend<Wrong>("Wrong")({ _tag: Schema.tag("Wrong") }) {
        readonly code = "WRONG"
        readonly retry = "sometimes" as "later"
      }
      for (const error of [new Odd({ message: "odd" }), new Wrong({ message: "odd" })]) {
        const result = yield* execute(bodied("odd", Effect.fail(error)))
        expect(result.outcome).toBe("failed")
        expect(textOf(result)).toContain("The same call helps only when the reason for this is gone.")
      }
    }),
  )
})
