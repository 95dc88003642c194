import { it } from "@effect/vitest"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import { lawful } from "../../src/arbitrary/Logs.ts"
import * as Course from "../../src/contract/Course.ts"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import { logRules } from "../../src/invariant/Rules.ts"

interface Batch {
  readonly size: number
  /** Take back after it what was moved. */
  readonly isRefused: boolean
  /** The event that is taken twice, one that is left out, and at which break somebody throws. */
  readonly again: number
  readonly without: number
  readonly throwsAt: number
}

const batches: fc.Arbitrary<ReadonlyArray<Batch>> = fc.array(
  fc.record({
    size: fc.integer({ min: 0, max: 12 }),
    isRefused: fc.boolean(),
    again: fc.integer({ min: 0, max: 40 }),
    without: fc.integer({ min: 0, max: 40 }),
    throwsAt: fc.integer({ min: 1, max: 8 }),
  }),
  { minLength: 1, maxLength: 12 },
)

/** Somebody who notes what is told, until there is too much of it. */
const listen = (throwsAt: number) => {
  const told: Array<string> = []
  const onBroken = ({ id }: { readonly id: string }, message: string): void => {
    told.push(`${id}: ${message}`)
    if (told.length === throwsAt) throw new Error("refused")
  }
  return { told, onBroken }
}

const doAll = (body: () => void): boolean => {
  try {
    body()
    return true
  } catch (cause) {
    expect(cause).toMatchObject({ message: "refused" })
    return false
  }
}

describe("an owned course", () => {
  it("tells what a new course at every event tells, also after batches that were taken back", () => {
    let refused = 0
    let broken = 0
    const check = (log: ReadonlyArray<SessionEvent>, plan: ReadonlyArray<Batch>) => {
      let course = Course.ofLog(logRules)
      const begun = course
      const owned = course.owned()
      let at = 0
      for (let turn = 0; at < log.length; turn++) {
        const { size, isRefused, again, without, throwsAt } = plan[turn % plan.length] ?? expect.fail()
        const next = log.slice(at, at + size + 1)
        const taken = next.flatMap((event, index) =>
          index === again ? [event, event] : index === without ? [] : [event],
        )
        const [one, other] = [listen(throwsAt), listen(throwsAt)]
        let after = course
        const isDone = doAll(() => {
          for (const event of taken) after = after.advance(event, one.onBroken)
        })
        owned.begin()
        const isMoved = doAll(() => {
          for (const event of taken) owned.move(event, other.onBroken)
        })
        expect(other.told).toEqual(one.told)
        expect(isMoved).toBe(isDone)
        broken += one.told.length
        if (isDone && !isRefused) course = after
        else {
          owned.undo()
          refused++
        }
        // A batch that was taken back comes again only sometimes.
        if (isDone) at += next.length
        else at += turn % 2 === 0 || turn > 200 ? next.length : 1
      }
      const [fromStart, fromOther] = [listen(1000), listen(1000)]
      const [first] = log
      if (first) begun.advance(first, fromStart.onBroken)
      if (first) Course.ofLog(logRules).owned().move(first, fromOther.onBroken)
      expect(fromStart.told).toEqual(fromOther.told)
    }
    fc.assert(fc.property(lawful, batches, check), { numRuns: 100 })
    expect(refused).toBeGreaterThan(100)
    expect(broken).toBeGreaterThan(100)
  })
})
