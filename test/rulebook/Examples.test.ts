import { describe, expect, it } from "vitest"
import * as Course from "../../src/contract/Course.ts"
import { liveRules, logRules } from "../../src/invariant/Rules.ts"
import * as Examples from "../../src/rulebook/Examples.ts"

const brokenBy = <In>(begin: Course.Course<In>, inputs: ReadonlyArray<In>) => {
  const broken: Array<string> = []
  let course = begin
  for (const input of inputs) course = course.advance(input, ({ id }) => broken.push(id))
  return broken
}

describe("the example of a rule over stored logs", () => {
  it.each(logRules.map(({ id }) => id))("shows how %s holds and how it breaks", (id) => {
    const example = Examples.ofLog(id)
    expect(brokenBy(Course.ofLog(logRules), example?.lawful ?? [])).toEqual([])
    const broken = brokenBy(Course.ofLog(logRules), example?.unlawful ?? [])
    expect([...broken].sort()).toEqual([id, ...(example?.also ?? [])].sort())
    expect((example?.lawful ?? []).length).toBeLessThan(16)
  })
})

describe("the example of a live rule", () => {
  /** What the other rules want to know of a session is left out of a short example. */
  it.each(liveRules.map(({ id }) => id).filter((id) => id !== "history.replay"))(
    "shows how %s holds and how it breaks",
    (id) => {
      const rules = liveRules.filter((rule) => rule.id === id)
      const example = Examples.ofLive(id)
      expect(brokenBy(Course.ofSession(rules), example?.lawful ?? [])).toEqual([])
      expect(brokenBy(Course.ofSession(rules), example?.unlawful ?? [])).toEqual([id])
    },
  )
})

describe("an unknown rule", () => {
  it("has no example, whatever its name", () => {
    for (const name of ["turn", "toString", "history.replay"]) {
      expect(Examples.ofLog(name)).toBe(undefined)
      expect(Examples.ofLive(name)).toBe(undefined)
    }
  })
})
