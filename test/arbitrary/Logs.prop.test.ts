import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Logs from "../../src/arbitrary/Logs.ts"
import { logRules } from "../../src/invariant/Rules.ts"
import { verify } from "../../src/invariant/Verifier.ts"

describe("drawn logs", () => {
  it("that are broken are refused by the rule that they name, whichever rule over stored logs it is", () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(Logs.unlawful, ({ log, rule }) => {
        seen.add(rule)
        expect([...verify(log)].map((violation) => violation.rule)).toContain(rule)
      }),
      { numRuns: 500, seed: 6 },
    )
    expect(logRules.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual([])
  })
})
