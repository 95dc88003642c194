import { describe, expect, it } from "vitest"
import { alwaysOn } from "../../src/contract/AlwaysOn.ts"
import { nowhere } from "../../src/contract/Place.ts"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"

const rule = (id: string) => {
  const found = alwaysOn.find((each) => each.id === id)
  if (found === undefined) throw new Error(`no rule ${id}`)
  return found
}

describe("the always-on rules", () => {
  it("are the nine that the contract marks A", () => {
    expect(alwaysOn.map((each) => each.id).sort()).toEqual([
      "approval.single",
      "call.unique",
      "inbox.unique",
      "log.epoch",
      "log.lossless",
      "log.seq",
      "log.start",
      "log.version",
      "rerun.allowed",
    ])
    expect(new Set(alwaysOn.map((each) => `${each.mode} ${each.sees}`))).toEqual(new Set(["A log"]))
  })

  it("see a payload of another version in a log that nothing has decoded", () => {
    const broken = { seq: 1, at: 0, type: "step/end", data: { turn: 1, step: 1, note: "x" } }
    expect(rule("log.version").fold.step(broken as SessionEvent, nowhere).broken).toEqual([
      expect.stringMatching(/^step\/end: .*note/s),
    ])
    const lawful: SessionEvent = { seq: 1, at: 0, type: "step/end", data: { turn: 1, step: 1 } }
    expect(rule("log.version").fold.step(lawful, nowhere).broken).toEqual([])
  })

  it("see a payload that JSON does not hold", () => {
    const lossy: SessionEvent = { seq: 1, at: 0, type: "acme:x", data: { when: new Date(0) } }
    expect(rule("log.lossless").fold.step(lossy, nowhere).broken).toEqual([
      "acme:x: data.when is an instance of Date, not a plain object",
    ])
    expect(rule("log.version").fold.step(lossy, nowhere).broken).toEqual([])
  })

  it("go on after a violation, so that a verifier can report the next one", () => {
    const at = (seq: number): SessionEvent => ({ seq, at: 0, type: "step/end", data: { turn: 1, step: 1 } })
    const gap = rule("log.seq").fold.step(at(5), nowhere)
    expect(gap.broken).toEqual(["seq 5 stands where 0 is due"])
    expect(gap.step(at(6), nowhere).broken).toEqual([])
  })
})
