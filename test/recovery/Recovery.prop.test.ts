import { it } from "@effect/vitest"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import { lawful } from "../../src/arbitrary/Logs.ts"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import { verify } from "../../src/invariant/Verifier.ts"
import { number } from "../../src/mutant/Story.ts"
import { goOn, mayGoOn, repair } from "../../src/recovery/Recovery.ts"
import * as SessionState from "../../src/session/SessionState.ts"

/** How much there is at the least: a fork whose copy broke off is no session yet. */
const leastOf = ([first]: ReadonlyArray<SessionEvent>): number =>
  first?.type === "session/start" && first.data.parent !== undefined ? first.data.parent.seq + 1 : 1

/** A log whose process died after any of its events. */
const brokenOff = fc.tuple(lawful, fc.nat()).map(([log, pick]) => {
  const least = leastOf(log)
  return log.slice(0, least + (pick % Math.max(1, log.length - least + 1)))
})

const repairOf = (log: ReadonlyArray<SessionEvent>) =>
  repair(log.reduce(SessionState.next, SessionState.initial), log)

const followedBy = (log: ReadonlyArray<SessionEvent>, drafts: ReturnType<typeof repairOf>) => [
  ...log,
  ...number(drafts, log.length),
]

describe("repair", () => {
  it("makes a lawful log, without an open turn, of every log that is broken off", () => {
    fc.assert(
      fc.property(brokenOff, (log) => {
        const repaired = followedBy(log, repairOf(log))
        expect(verify(repaired)).toEqual([])
        expect(repaired.reduce(SessionState.next, SessionState.initial).turnIsOpen).toBe(false)
      }),
    )
  })

  it("broken off after k drafts gives the others: repair(log ++ take(k, repair(log))) = drop(k, repair(log))", () => {
    fc.assert(
      fc.property(brokenOff, (log) => {
        const drafts = repairOf(log)
        for (let k = 0; k <= drafts.length; k++) {
          expect(repairOf(followedBy(log, drafts.slice(0, k)))).toEqual(drafts.slice(k))
        }
      }),
    )
  })

  it("claims and cancels nothing", () => {
    fc.assert(
      fc.property(brokenOff, (log) => {
        const pending = (events: ReadonlyArray<SessionEvent>) =>
          events.reduce(SessionState.next, SessionState.initial).pending
        expect(pending(followedBy(log, repairOf(log)))).toEqual(pending(log))
      }),
    )
  })
})

/** What a resume logs when no call may run again; each resume begins with a record of its own. */
const goOnOf = (log: ReadonlyArray<SessionEvent>) =>
  goOn(log.reduce(SessionState.next, SessionState.initial), log, {})

/** A broken-off log whose turn may go on. */
const goesOn = brokenOff.filter((log) => mayGoOn(log.reduce(SessionState.next, SessionState.initial), log))

describe("going on", () => {
  it("makes a lawful log, without an open step and with the turn still open, of every log whose turn may go on", () => {
    fc.assert(
      fc.property(goesOn, (log) => {
        const repaired = followedBy(log, goOnOf(log))
        const state = repaired.reduce(SessionState.next, SessionState.initial)
        expect(verify(repaired)).toEqual([])
        expect([state.turnIsOpen, state.phase]).toEqual([true, "none"])
      }),
    )
  })

  it("broken off after k drafts, and again after j, gives the others, resume records aside", () => {
    fc.assert(
      fc.property(goesOn, (log) => {
        const drafts = goOnOf(log)
        for (let k = 1; k <= drafts.length; k++) {
          const once = followedBy(log, drafts.slice(0, k))
          const [record, ...others] = goOnOf(once)
          expect(record?.type).toBe("session/resume")
          expect(others).toEqual(drafts.slice(k))
          for (let j = 0; j <= others.length; j++) {
            const twice = followedBy(once, [...(record === undefined ? [] : [record]), ...others.slice(0, j)])
            expect(goOnOf(twice).slice(1)).toEqual(others.slice(j))
          }
        }
      }),
    )
  })

  it("then closing instead gives what closing at once would have given, resume records aside", () => {
    fc.assert(
      fc.property(goesOn, (log) => {
        const closed = repairOf(log).slice(0, -1)
        const [, ...drafts] = goOnOf(log)
        expect(drafts).toEqual(closed)
      }),
    )
  })
})
