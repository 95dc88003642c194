/** Which rules are picked by which names, and what their errors are. */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as Rule from "../../src/contract/Rule.ts"
import { InvariantViolated, UnknownInvariant } from "../../src/invariant/InvariantError.ts"
import * as Rules from "../../src/invariant/Rules.ts"

const idsOf = (selection: Rules.Selection): ReadonlyArray<string> => {
  const { live, log } = Result.getOrThrow(Rules.select(selection))
  return [...log, ...live].map(({ id }) => id)
}
const all = idsOf({})
const inGroup = (...groups: ReadonlyArray<string>) =>
  all.filter((id) => groups.includes(id.split(".")[0] ?? ""))

const own = Rule.make({
  id: "acme.quiet",
  statement: "Nobody steers.",
  hint: "Do not.",
  initial: undefined,
  step: () => undefined,
})

describe("a selection of rules", () => {
  it("is all of them when nothing is said", () => {
    expect(all).toEqual([...Rules.logRules, ...Rules.liveRules].map(({ id }) => id))
  })

  it("takes any of several names, groups and ids alike, less what is left out", () => {
    expect(idsOf({ only: ["turn", "store"] })).toEqual(inGroup("turn", "store"))
    expect([...idsOf({ only: ["turn.nests", "inbox"] })].sort()).toEqual(
      [...inGroup("inbox"), "turn.nests"].sort(),
    )
    expect(idsOf({ except: ["turn", "store.ackDurable"] })).toEqual(
      all.filter((id) => !inGroup("turn").includes(id) && id !== "store.ackDurable"),
    )
    expect(idsOf({ only: ["turn"], except: ["turn.nests"] })).not.toContain("turn.nests")
  })

  it("has one's own rules behind ours, under the same names", () => {
    expect(idsOf({ rules: [own], only: ["acme"] })).toEqual(["acme.quiet"])
    expect(idsOf({ rules: [own], except: ["acme.quiet"] })).toEqual(all)
    expect(() => Rules.withOwn([own, own])).toThrow('two rules have the id "acme.quiet"')
    expect(() => Rules.withOwn([{ ...own, id: "store.ackDurable" }])).toThrow("store.ackDurable")
  })

  it("is refused for a name that fits none, with those that were meant", () => {
    const refused = (name: string) => Result.getOrThrow(Result.flip(Rules.select({ only: [name] })))
    expect(refused("turn.nest").message).toBe(
      'no invariant has the id or the group "turn.nest"; did you mean "turn.nests" or "turn"?',
    )
    expect(refused("zzzzzz").message).toBe('no invariant has the id or the group "zzzzzz"')
    expect(refused("turn.").name).toBe("turn.")
    expect(refused("tur").nearest).toContain("turn")
  })
})

describe("a selection that leaves no rule", () => {
  it.each<Rules.Selection>([
    { only: [] },
    { only: ["turn"], except: ["turn"] },
    { rules: [own], only: ["acme"], except: ["acme.quiet"] },
    { except: all },
  ])("is refused: %o", (selection) => {
    const refused = Result.getOrThrow(Result.flip(Rules.select(selection)))
    expect(refused).toMatchObject({ _tag: "UnknownInvariant", name: "", nearest: [] })
    expect(refused.message).toContain("no invariant is left")
  })
})

describe("its errors", () => {
  it("tell a bug, which nothing mends, from a name, which can be corrected", () => {
    const broken = new InvariantViolated({ message: "m", sessionId: "s", rule: "r", seq: 0, hint: "h" })
    expect(broken).toMatchObject({ _tag: "InvariantViolated", code: "INVARIANT_VIOLATED", retry: "never" })
    const unknown = new UnknownInvariant({ message: "m", name: "n", nearest: [] })
    expect(unknown).toMatchObject({ _tag: "UnknownInvariant", code: "UNKNOWN_INVARIANT", retry: "now" })
  })
})
