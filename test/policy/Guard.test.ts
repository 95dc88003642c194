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

describe("a guard without types", () => {
  const junk: ReadonlyArray<unknown> = [
    "allow",
    true,
    { _tag: "alow" },
    {},
    undefined,
    null,
    () => Guard.allow,
  ]

  it.effect("denies with any verdict that is not exactly one of the three", () =>
    Effect.forEach(
      [...junk.map((verdict) => Effect.succeed(verdict)), ...junk],
      (given) =>
        Effect.gen(function* () {
          const guard = (() => given) as Guard.Guard
          const layered = yield* execute(add, good).pipe(Effect.provide(Guard.layer(guard)))
          const direct = yield* execute(add, good).pipe(Effect.provideService(Guard.Guard, guard))
          for (const result of [layered, direct]) {
            expect(result.outcome).toBe("denied")
            expect(textOf(result)).toContain("the guard gave no verdict")
          }
        }),
      { discard: true },
    ),
  )

  it.effect("denies when its approver answers with no decision", () =>
    Effect.forEach(
      [...junk.map((decision) => Effect.succeed(decision)), ...junk],
      (given) =>
        Effect.gen(function* () {
          const ask = Guard.layer(() => Effect.succeed(Guard.ask("sure?")))
          const approver = Approver.layer((() => given) as Approver.Approver)
          const result = yield* execute(add, good).pipe(Effect.provide([ask, approver]))
          expect(result.outcome).toBe("denied")
          expect(textOf(result)).toContain("the approver gave no decision")
        }),
      { discard: true },
    ),
  )

  it.effect("says something also for a reason that is none, and cuts one that is a book", () =>
    Effect.gen(function* () {
      const denied = (reason: unknown) =>
        execute(add, good).pipe(
          Effect.provide(Guard.layer((() => Effect.succeed({ _tag: "deny", reason })) as Guard.Guard)),
          Effect.map(textOf),
        )
      expect(yield* denied(Symbol("why"))).toContain("no reason given")
      expect(yield* denied(undefined)).toContain("no reason given")
      expect((yield* denied("r".repeat(100_000))).length).toBeLessThan(10_000)
    }),
  )

  it.effect("cannot change what the body reads: it looks at a frozen copy", () =>
    Effect.gen(function* () {
      const echo = Tool.defineTool({
        name: "echo",
        description: "",
        parameters: { to: { type: "array", required: true, items: { type: "string" } } },
        run: ({ to }) => Effect.sync(() => [...to, Object.isFrozen(to)]),
      })
      const meddle = Guard.layer(({ args }) =>
        Effect.sync(() => {
          Reflect.set(args as object, "to", ["eve"])
          Reflect.set(Reflect.get(args as object, "to"), 0, "eve")
          return Guard.allow
        }),
      )
      const result = yield* execute(echo, { to: ["bob"] }).pipe(Effect.provide(meddle))
      expect(textOf(result)).toBe('["bob",false]')
    }),
  )

  it("cannot change dates, maps, sets and bytes either, however deep", () => {
    const args = {
      at: new Date(0),
      rows: new Map([["a", { dates: [new Date(0)] }]]),
      tags: new Set(["a"]),
      bytes: new Uint8Array([1, 2]),
      raw: new Uint8Array([3]).buffer,
    }
    const before = structuredClone(args)
    const shown = Guard.show({ callId: "c1", tool: "t", args })
    expect(shown.args).toEqual(before)
    const copy = shown.args as typeof args
    copy.at.setTime(1)
    copy.rows.get("a")?.dates[0]?.setTime(1)
    copy.rows.clear()
    copy.tags.add("b")
    copy.bytes[0] = 9
    new Uint8Array(copy.raw)[0] = 9
    expect(args).toEqual(before)
  })
})
