import { it } from "@effect/vitest"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import { lawful } from "../../src/arbitrary/Logs.ts"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import { verify } from "../../src/invariant/Verifier.ts"

describe("the rules", () => {
  it("accept every lawful log", () => {
    fc.assert(
      fc.property(lawful, (log) => {
        expect(verify(log)).toEqual([])
      }),
    )
  })

  it("draw logs in which everything happens that a turn can go through", () => {
    const seen = new Set<string>()
    for (const log of fc.sample(lawful, { numRuns: 200, seed: 1 })) {
      for (const event of log) {
        seen.add(event.type)
        if (event.type === "turn/end") seen.add(`ends ${event.data.reason.kind}`)
        if (event.type === "tool/result") seen.add(`is ${event.data.outcome}`)
        if (event.type === "assistant/message") seen.add(`finishes ${event.data.finish.kind}`)
        if (event.type === "approval/decided") seen.add(`is told ${event.data.verdict}`)
        if (event.type === "session/resume" && event.data.reruns.length > 0) seen.add("runs again")
        if (event.type === "session/start" && event.data.parent !== undefined) seen.add("is a fork")
        if (event.type === "turn/start") seen.add(`begins by ${event.data.trigger.kind}`)
      }
    }
    expect([...seen].sort()).toMatchInlineSnapshot(`
      [
        "approval/asked",
        "approval/decided",
        "assistant/chunk",
        "assistant/message",
        "begins by continuation",
        "begins by message",
        "context/message",
        "drawn:note",
        "ends aborted",
        "ends completed",
        "ends disposed",
        "ends failed",
        "ends interrupted",
        "ends limit",
        "error",
        "finishes aborted",
        "finishes error",
        "finishes max-tokens",
        "finishes refused",
        "finishes stop",
        "history/compacted",
        "is a fork",
        "is defect",
        "is denied",
        "is failed",
        "is interrupted",
        "is interrupted-before-start",
        "is not-started",
        "is outcome-unknown",
        "is rejected",
        "is success",
        "is timed-out",
        "is told allow",
        "is told deny",
        "is unknown-tool",
        "message/cancelled",
        "request/config",
        "runs again",
        "session/resume",
        "session/start",
        "steering/message",
        "step/end",
        "step/start",
        "tool/call",
        "tool/result",
        "turn/abort",
        "turn/end",
        "turn/start",
        "usage",
        "user/message",
      ]
    `)
  })

  it("refuse a lawful log from which an event is missing that others rest on", () => {
    const bearing = new Set(["turn/start", "step/start", "step/end", "tool/call", "tool/result"])
    fc.assert(
      fc.property(lawful, fc.nat(), (log, pick) => {
        const victims = log.filter((event) => bearing.has(event.type))
        fc.pre(victims.length > 0)
        const victim = victims[pick % victims.length]
        const rest = log.filter((event) => event !== victim)
        expect(verify(renumber(rest))).not.toEqual([])
      }),
    )
  })

  it("refuse a lawful log in which anything happens twice that can happen once", () => {
    const repeatable = new Set(["assistant/chunk", "request/config", "error", "approval/asked", "drawn:note"])
    fc.assert(
      fc.property(lawful, fc.nat(), (log, pick) => {
        const victims = log.filter((event) => !repeatable.has(event.type))
        const victim = victims[pick % victims.length]
        const twice = log.flatMap((event) => (event === victim ? [event, event] : [event]))
        expect(verify(renumber(twice))).not.toEqual([])
      }),
    )
  })
})

const renumber = (log: ReadonlyArray<SessionEvent>): ReadonlyArray<SessionEvent> =>
  log.map((event, seq) => ({ ...event, seq }))
