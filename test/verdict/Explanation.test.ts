import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { WrongUsage } from "../../src/setup/CliFailure.ts"
import * as Paint from "../../src/terminal/Paint.ts"
import * as Explanation from "../../src/verdict/Explanation.ts"

const paint = Paint.make(false)

describe("an explanation", () => {
  it("says of the unlawful example that the rule is broken, for every rule over stored logs", () => {
    const mute = Explanation.all()
      .filter(({ rule, sees, example }) => sees === "log" && !example?.says.some((one) => one.rule === rule))
      .map(({ rule }) => rule)
    expect(mute).toEqual([])
  })

  it("says of rules that need the running process that check cannot see them", () => {
    const live = Explanation.all().filter(({ sees }) => sees === "live")
    expect(live.map(({ rule }) => rule)).toContain("status.moves")
    for (const one of live) {
      expect(one.example?.says ?? []).toEqual([])
      expect(Explanation.toText(one, paint)).toContain("it needs the running process, so check cannot")
    }
  })

  it("tells in words what a running session did, and in JSON without what it keeps for itself", () => {
    const live = Explanation.all().filter(({ sees }) => sees === "live")
    const words = live.map((one) => Explanation.toText(one, paint)).join("\n")
    expect(words).not.toMatch(/\{"kind":"(logged|opened|status|acknowledged|request)"/)
    expect(words + JSON.stringify(live)).not.toMatch(/_id|HashMap/)
    for (const line of [
      "logged 1 user/message {",
      "which can still be changed\n",
      "opened: the log has been read",
      "status goes from idle to running\n",
      "seq 1 is told as synced; written up to seq 1, synced up to seq 0\n",
      'request with user [{"type":"text","text":"Hello."}]\n',
      "request with no messages\n",
    ])
      expect(words).toContain(line)
    expect(words.match(/which can still be changed/g)).toHaveLength(1)
  })

  it("says why there is no example, where there is none", () => {
    const mute = Explanation.all().filter(({ example }) => example === undefined)
    expect(mute.map(({ rule }) => rule)).toEqual(["history.replay"])
    for (const one of mute) expect(Explanation.toText(one, paint)).toContain("\n  No example can be written")
  })

  it.effect("is had by the id of a rule, or of a group", () =>
    Effect.gen(function* () {
      expect((yield* Explanation.find(["turn.nests"])).map(({ rule }) => rule)).toEqual(["turn.nests"])
      const group = (yield* Explanation.find(["status"])).map(({ rule }) => rule)
      expect(group).toEqual(["status.moves", "status.matches"])
    }),
  )

  it.effect("is not had by a name that no rule has, and the nearest are told", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(Explanation.find(["result.pared"]))
      expect(failure).toBeInstanceOf(WrongUsage)
      expect(failure.message).toContain("result.paired")
    }),
  )

  it("shows what both logs share once", () => {
    const rule = Explanation.all().find((one) => one.rule === "step.counts")
    const text = rule === undefined ? "" : Explanation.toText(rule, paint)
    expect(text.match(/0 session\/start/g)).toHaveLength(1)
    expect(text).toContain(
      'unlawful: the first step is number 2\n    3 step/start {"turn":1,"step":2,"claims":[]}\n',
    )
  })

  it("lists every rule once, under its group", () => {
    const list = Explanation.listText(Explanation.all(), paint)
    for (const { rule } of Explanation.all()) expect(list.split(`  ${rule} `)).toHaveLength(2)
    expect(list).toMatch(/^turn\n {2}turn\.nests +At most one turn/m)
  })
})
