/**
 * What is said of each break, word for word: `messages.txt`, one line a break.
 *
 * `npx vitest run test/invariant/messages.test.ts -u` writes it anew; read the difference before it is kept.
 */
import { describe, expect, it } from "vitest"
import * as Course from "../../src/contract/Course.ts"
import { liveRules, logRules } from "../../src/invariant/Rules.ts"
import { verify } from "../../src/invariant/Verifier.ts"
import * as Mutants from "../../src/mutant/Mutants.ts"
import { number } from "../../src/mutant/Story.ts"
import * as Examples from "../../src/rulebook/Examples.ts"

const said = <In>(begin: Course.Course<In>, inputs: ReadonlyArray<In>): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let course = begin
  for (const input of inputs) {
    course = course.advance(input, ({ id }, message) => lines.push(`  ${id}: ${message}`))
  }
  return lines
}

const ofExamples = logRules.flatMap(({ id }) => {
  const example = Examples.ofLog(id)
  return example === undefined ? [] : [example.what, ...said(Course.ofLog(logRules), example.unlawful)]
})

const ofMutants = Mutants.all.flatMap(({ what, log }) => [
  what,
  ...verify(number(log)).map(({ rule, seq, message }) => `  ${rule} at ${seq}: ${message}`),
])

const ofLive = liveRules.flatMap((rule) => {
  const example = Examples.ofLive(rule.id)
  return example === undefined ? [] : [example.what, ...said(Course.ofSession([rule]), example.unlawful)]
})

describe("the words of a violation", () => {
  it("are those that are kept", async () => {
    const text = [...ofExamples, "", ...ofMutants, "", ...ofLive, ""].join("\n")
    await expect(text).toMatchFileSnapshot("messages.txt")
  })
})
