import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import * as Approver from "../../src/policy/Approver.ts"
import * as Guard from "../../src/policy/Guard.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { add, bodied, execute, textOf } from "../tool/fixtures.ts"

const good = { left: 1, right: 2 }
const asking: Guard.Guard = () => Effect.succeed(Guard.ask("it adds"))
const denying: Guard.Guard = () => Effect.succeed(Guard.deny("closed"))
const allowing: Guard.Guard = () => Effect.succeed(Guard.allow)

describe("a guard", () => {
  it.effect("sees the decoded arguments, and is not asked about bad ones", () =>
    Effect.gen(function* () {
      const seen: Array<Guard.GuardedCall> = []
      const watching: Guard.Guard = (call) =>
        Effect.sync(() => {
          seen.push(call)
          return Guard.allow
        })
      yield* execute(add, good).pipe(Effect.provideService(Guard.Guard, watching))
      yield* execute(add, {}).pipe(Effect.provideService(Guard.Guard, watching))
      expect(seen).toEqual([{ callId: "c1", tool: "add", args: good }])
    }),
  )

  it.effect("that a later layer adds never opens what an earlier one closed", () =>
    Effect.gen(function* () {
      const later = Guard.layer(allowing).pipe(Layer.provideMerge(Guard.layer(denying)))
      expect((yield* execute(add, good).pipe(Effect.provide(later))).outcome).toBe("denied")
      const nested = execute(add, good).pipe(
        Effect.provide(Guard.layer(allowing)),
        Effect.provide(Guard.layer(denying)),
      )
      expect((yield* nested).outcome).toBe("denied")
      expect((yield* execute(add, good).pipe(Effect.provide(Guard.layer(allowing)))).outcome).toBe("success")
    }),
  )
})

describe("an approver", () => {
  const ask = (approver: Approver.Approver): ReturnType<typeof execute<never>> =>
    execute(add, good).pipe(
      Effect.provideService(Guard.Guard, asking),
      Effect.provideService(Approver.Approver, approver),
    )

  it.effect("is asked with the guard's reason, and its yes lets the call run", () =>
    Effect.gen(function* () {
      const asked: Array<Approver.Question> = []
      const result = yield* ask((question) =>
        Effect.sync(() => {
          asked.push(question)
          return { _tag: "allow" }
        }),
      )
      expect(result.outcome).toBe("success")
      expect(asked).toEqual([{ callId: "c1", tool: "add", args: good, reason: "it adds" }])
    }),
  )

  const broken: Record<string, readonly [Approver.Approver, string]> = {
    "that says no": [() => Effect.succeed({ _tag: "deny", reason: "too dear" }), "too dear"],
    "that fails": [() => Effect.fail(new Error("offline")), "offline"],
    "that dies": [() => Effect.die(new Error("bug")), "bug"],
    "that throws": [
      () => {
        throw new Error("bug")
      },
      "bug",
    ],
    "that stops itself": [() => Effect.interrupt, "it stopped itself"],
  }
  it.effect.each(Object.entries(broken))("%s denies", ([, [approver, reason]]) =>
    Effect.map(ask(approver), (result) => {
      expect([result.outcome, result.error?.code]).toEqual(["denied", "TOOL_DENIED"])
      expect(textOf(result)).toContain(reason)
    }),
  )

  it.effect("is not asked when the guard has decided", () =>
    Effect.gen(function* () {
      const never: Approver.Approver = () => Effect.die("asked")
      const outcomes = yield* Effect.forEach([allowing, denying], (guard) =>
        Effect.exit(Tool.run(add)(JSON.stringify(good))).pipe(
          Effect.map((exit) => exit._tag),
          Effect.provideService(Guard.Guard, guard),
          Effect.provideService(Approver.Approver, never),
        ),
      )
      expect(outcomes).toEqual(["Success", "Failure"])
    }),
  )
})

describe("a guard of one tool", () => {
  const small = Guard.forTool(add, ({ left, right }) =>
    left + right > 9 ? Guard.deny("too much") : Guard.allow,
  )

  it.effect("reads the arguments as the body does", () =>
    Effect.gen(function* () {
      const outcome = (left: number) =>
        Effect.map(
          execute(add, { left, right: 2 }).pipe(Effect.provide(Guard.layer(small))),
          (result) => result.outcome,
        )
      expect([yield* outcome(1), yield* outcome(8)]).toEqual(["success", "denied"])
    }),
  )

  it.effect("lets all others pass, and gives no other tool's arguments to read", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const guard = Guard.forTool(bodied("other", Effect.void), (args) => {
        seen.push(args)
        return Guard.deny("never")
      })
      expect((yield* execute(add, good).pipe(Effect.provide(Guard.layer(guard)))).outcome).toBe("success")
      expect(seen).toEqual([])
    }),
  )

  it.effect("denies when it fails, dies or throws", () =>
    Effect.forEach(
      [
        () => Effect.fail("offline"),
        () => Effect.die("bug"),
        (): Guard.Verdict => {
          throw new Error("bug")
        },
      ],
      (verdict) =>
        Effect.map(
          execute(add, good).pipe(Effect.provide(Guard.layer(Guard.forTool(add, verdict)))),
          (result) => expect(result.outcome).toBe("denied"),
        ),
    ),
  )

  it.effect("asks the approver of its layer", () =>
    Effect.gen(function* () {
      const ask = Guard.layer(Guard.forTool(add, () => Guard.ask("sure?")))
      const answer = (decision: Approver.Decision) =>
        Effect.map(
          execute(add, good).pipe(Effect.provide([ask, Approver.layer(() => Effect.succeed(decision))])),
          (result) => [result.outcome, textOf(result).includes("not today")],
        )
      expect(yield* answer(Approver.allow)).toEqual(["success", false])
      expect(yield* answer(Approver.deny("not today"))).toEqual(["denied", true])
    }),
  )
})
