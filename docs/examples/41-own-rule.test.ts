import { it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { Agent, defineTool, SessionLog, Toolbox } from "effect-harness"
import { Rule } from "effect-harness/invariants"
import { TestHarness } from "effect-harness/testing"
import { expect } from "vitest"

const onePayment = Rule.make({
  id: "acme.onePayment",
  statement: "A session starts one call of pay at most.",
  hint: "Tell the model in the description of pay that it pays everything at once.",
  on: ["tool/call"],
  initial: 0,
  step: (payments, { data }) => {
    if (data.name !== "pay" || data.starts === false) return payments
    return payments === 0 ? 1 : new Rule.Broken(payments, ["a second payment starts"])
  },
})

const pay = defineTool({
  name: "pay",
  description: "Pay everything at once.",
  parameters: {},
  run: () => Effect.succeed("paid"),
})

const payment = { name: "pay", arguments: "{}" }

const world = TestHarness.layer(
  { steps: [{ calls: [payment] }, { calls: [payment] }, { text: "Paid." }] },
  { rules: [onePayment] },
)

it.effect("is told of a second payment before it is made", () =>
  Effect.gen(function* () {
    const session = yield* SessionLog.create()
    const agent = yield* Agent.make({ session, tools: Toolbox.make(pay) })
    const exit = yield* Effect.exit(agent.prompt("Pay."))
    expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("acme.onePayment is broken")
  }).pipe(Effect.scoped, Effect.provide(world)),
)
