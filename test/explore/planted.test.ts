/**
 * Twelve bugs that break in some orders only: each is found, and none in the first schedule. Which of them other tests see
 * is told in docs/explain/exploration.md.
 *
 * The normal run takes a seed that finds it soon, so a bug that got harder to find shows as one that is not found.
 * LONG=1 prints how many schedules it takes, over 30 seeds, beside orders that are drawn without any plan.
 */
import { beforeAll, describe, expect, it } from "vitest"
import { isLong, report } from "../store/scale.ts"
import { plant } from "./plant.ts"
import { plants } from "./plants.ts"

const manySeeds = Array.from({ length: 30 }, (_, seed) => seed + 1)
const runs = isLong ? 5_000 : 200
/**
 * Without a plan most of them are never found: enough to show it. Only what exploring needs long for is given long here too, from ten
 * seeds.
 */
const inPlain = (explored: number) => (explored > 100 ? { runs: 2_000, seeds: 10 } : { runs: 400, seeds: 30 })
beforeAll(() => report("schedules until it is found: median, p90, worst"))

const quantile = (counts: ReadonlyArray<number>, share: number): number =>
  counts.toSorted((left, right) => left - right)[
    Math.min(counts.length - 1, Math.floor(share * counts.length))
  ] ?? 0

const summary = (counts: ReadonlyArray<number>, most: number): string => {
  const told = [0.5, 0.9, 1]
    .map((share) => quantile(counts, share))
    .map((at) => (at > most ? `>${most}` : `${at}`))
  return `${told.join(", ")} (${counts.filter((at) => at <= most).length} of ${counts.length} seeds)`
}

describe("a planted bug", () => {
  it.each(plants)(
    "is found by exploring, and not by the first schedule: $name",
    async (planted) => {
      const { find } = await plant(planted)
      expect(await find({ runs: 1, seed: 1, order: "explore" })).toBeUndefined()
      const count = async (order: "explore" | "plain", most: number, from: ReadonlyArray<number>) => {
        const counts: Array<number> = []
        for (const seed of from) {
          const found = await find({ runs: most, seed, order })
          if (order === "explore") expect(planted.rules).toContain(found?.violation.rule)
          counts.push(found?.run ?? Number.POSITIVE_INFINITY)
        }
        return counts
      }
      const explored = await count("explore", runs, isLong ? manySeeds : [planted.seed])
      report(`${planted.name}: ${summary(explored, runs)}`)
      if (!isLong) return
      const plain = inPlain(quantile(explored, 0.5))
      report(
        `  plain: ${summary(await count("plain", plain.runs, manySeeds.slice(0, plain.seeds)), plain.runs)}`,
      )
    },
    3_600_000,
  )
})
