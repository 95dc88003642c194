import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Logs from "../../src/arbitrary/Logs.ts"
import { verify } from "../../src/invariant/Verifier.ts"

describe("drawn logs", () => {
  it("that are broken are refused by the rule that they name", () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(Logs.unlawful, ({ log, rule, what }) => {
        seen.add(`${rule}: ${what}`)
        expect([...verify(log)].map((violation) => violation.rule)).toContain(rule)
      }),
      { numRuns: 200 },
    )
    expect([...seen].sort()).toMatchInlineSnapshot(`
      [
        "call.fromMessage: a call with other arguments than its block",
        "inbox.unique: a message that is accepted twice",
        "result.allAtStepEnd: a call without a result",
        "result.paired: a result that comes twice",
        "step.nests: a step in a step",
        "step.nests: a step without its end",
        "step.usageOnce: usage that is told twice",
        "turn.closedIsClosed: a turn that ends twice",
        "turn.counts: a turn number that is skipped",
        "turn.nests: a turn in a turn",
      ]
    `)
  })
})
