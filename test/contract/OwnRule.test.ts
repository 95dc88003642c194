/** What a user's rule may do wrong while it is asked, and what comes of it. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as OwnRule from "../../src/contract/OwnRule.ts"
import * as Place from "../../src/contract/Place.ts"
import * as Rule from "../../src/contract/Rule.ts"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import { story } from "../../src/mutant/Story.ts"

const about = { id: "acme.one", statement: "It holds.", hint: "Mend it." }

/** A rule whose step does this at seq 3, as those do that are not checked by a compiler. */
const doing = (act: () => unknown): Rule.Rule =>
  OwnRule.contain(
    Rule.make<unknown>({
      ...about,
      initial: 0,
      step: (state, { seq }) => (seq === 3 ? act() : seq === 5 ? new Rule.Broken(state, ["five"]) : state),
    }),
  )

/** What it says of each event in turn. */
const said = ({ fold }: Rule.Rule, log: ReadonlyArray<SessionEvent> = story) => {
  let now = fold
  const all: Array<readonly [seq: number, message: string]> = []
  for (const event of log) {
    now = now.step(event, Place.nowhere)
    for (const message of now.broken) all.push([event.seq, message])
  }
  return all
}

const raise = (thrown: unknown) => () => {
  throw thrown
}

describe("a rule of one's own that fails", () => {
  it.each<readonly [what: string, act: () => unknown, words: string]>([
    ["reads what is not there", () => Reflect.get(Object(undefined).data, "x"), "TypeError: "],
    ["throws an error", raise(new RangeError("too far")), "RangeError: too far"],
    ["throws a text", raise("words"), "Error: words"],
    ["throws nothing", raise(undefined), "Error: "],
    ["throws what cannot be read", raise(Object.create(null)), "Error: "],
    ["is an async function", () => Promise.resolve(1), "TypeError: its step gives a promise"],
    ["is one that fails", () => Promise.reject(new Error("late")), "TypeError: its step gives a promise"],
    ["is broken by nothing", () => new Rule.Broken(0, []), "TypeError: Rule.Broken wants what was broken"],
    [
      "is broken by a text",
      () => Reflect.construct(Rule.Broken, [0, "words"]),
      "TypeError: Rule.Broken wants what was broken",
    ],
    [
      "is broken by nothing at all",
      () => Reflect.construct(Rule.Broken, [0]),
      "TypeError: Rule.Broken wants",
    ],
    ["is broken by what is no text", () => Reflect.construct(Rule.Broken, [0, [Object.create(null)]]), ""],
  ])("breaks once and is silent from then on, when it %s", (_, act, words) => {
    const failed = "the rule itself failed, and what follows is not held to it: "
    expect(said(doing(act))).toEqual([[3, expect.stringContaining(failed + words)]])
  })

  it("is asked again where the event is refused for it", () => {
    let times = 0
    const { fold } = doing(() => {
      times++
      if (times === 1) throw new Error("once")
      return 1
    })
    const [third] = story.slice(3)
    if (third === undefined) return expect.fail()
    expect(fold.step(third, Place.nowhere).broken.length).toBe(1)
    expect(fold.step(third, Place.nowhere).broken).toEqual([])
  })
})

describe("a rule of one's own that does not fail", () => {
  it("says what it says by itself, whatever it remembers", () => {
    const step = (state: number, salt: number) =>
      state % 3 === salt ? new Rule.Broken(state + 1, [`${state}`, "b"]) : state + (salt % 2)
    fc.assert(
      fc.property(fc.nat({ max: 3 }), (salt) => {
        const rule = Rule.make({ ...about, initial: 0, step: (state) => step(state, salt) })
        expect(said(OwnRule.contain(rule))).toEqual(said(rule))
      }),
    )
  })

  it("is never always on, and keeps what else it says of itself", () => {
    const rule = Rule.make({ ...about, mode: "A", on: ["error"], initial: 0, step: (state) => state })
    const { fold: _, ...contained } = OwnRule.contain(rule)
    const { fold: __, ...own } = rule
    expect(contained).toEqual({ ...own, mode: "D" })
    expect(OwnRule.contain({ ...rule, mode: "O" }).mode).toBe("O")
  })
})
