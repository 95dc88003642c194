import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Guard from "../../src/policy/Guard.ts"

const call = { callId: "c1", tool: "t", args: {} }

const verdict: fc.Arbitrary<Guard.Verdict> = fc.oneof(
  fc.constant(Guard.allow),
  fc.string().map(Guard.deny),
  fc.string().map(Guard.ask),
)
/** A guard, and the verdict that it stands for: one that breaks stands for a deny. */
const guard: fc.Arbitrary<{ readonly guard: Guard.Guard; readonly tag: Guard.Verdict["_tag"] }> = fc.oneof(
  verdict.map((given) => ({ guard: () => Effect.succeed(given), tag: given._tag })),
  fc.constantFrom(
    { guard: () => Effect.fail("offline"), tag: "deny" as const },
    { guard: () => Effect.die("bug"), tag: "deny" as const },
    { guard: () => Effect.interrupt, tag: "deny" as const },
    {
      guard: () => {
        throw new Error("bug")
      },
      tag: "deny" as const,
    },
  ),
)
const guards = fc.array(guard, { maxLength: 5 })
const ask = (given: Guard.Guard): Guard.Verdict => Effect.runSync(Guard.judge(given, call))

describe("many guards", () => {
  it("deny when one denies or breaks, ask when one asks and none denies, allow otherwise", () => {
    fc.assert(
      fc.property(guards, (many) => {
        const tags = many.map(({ tag }) => tag)
        const strictest = tags.includes("deny") ? "deny" : tags.includes("ask") ? "ask" : "allow"
        expect(ask(Guard.all(...many.map((one) => one.guard)))._tag).toBe(strictest)
      }),
    )
  })

  it("say the same in any order and any grouping", () => {
    fc.assert(
      fc.property(guards, guards, (left, right) => {
        const [a, b] = [left, right].map((side) => side.map((one) => one.guard))
        if (a === undefined || b === undefined) return
        const whole = ask(Guard.all(...a, ...b))
        expect(ask(Guard.all(...b, ...a))).toEqual(whole)
        expect(ask(Guard.all(Guard.all(...b), ...a))._tag).toBe(whole._tag)
      }),
    )
  })

  it("give the same verdict when one is asked twice", () => {
    fc.assert(
      fc.property(guard, (one) => {
        expect(ask(Guard.all(one.guard, one.guard))).toEqual(ask(Guard.all(one.guard)))
      }),
    )
  })
})
