/**
 * Twelve bugs that break in some orders only: each is found, and none in the first schedule. Which of them other tests see
 * is told in docs/explain/exploration.md.
 *
 * LONG=1 prints how many schedules it takes, over 30 seeds, beside orders that are drawn without any plan.
 */
import { beforeAll, describe, expect, it } from "vitest"
import { isLong, report } from "../store/scale.ts"
import { plant } from "./plant.ts"
import { plants } from "./plants.ts"

const seeds = Array.from({ length: isLong ? 30 : 1 }, (_, seed) => seed + 1)
const runs = isLong ? 5_000 : 2_000
/** Without a plan most of them are never found: enough to show it. */
const plainRuns = 400
beforeAll(() => report("schedules until it is found: median, p90, worst"))

const summary = (counts: ReadonlyArray<number>, most: number): string => {
  const sorted = counts.toSorted((left, right) => left - right)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  const found = `${counts.filter((count) => count <= most).length} of ${counts.length} seeds`
  return `${[at(0.5), at(0.9), at(1)].map((count) => (count > most ? `>${most}` : `${count}`)).join(", ")} (${found})`
}

describe("a planted bug", () => {
  it.each(plants)(
    "is found by exploring, and not by the first schedule: $name",
    async (planted) => {
      const { find } = await plant(planted)
      expect(await find({ runs: 1, seed: 1, order: "explore" })).toBeUndefined()
      const count = async (order: "explore" | "plain", most: number) => {
        const counts: Array<number> = []
        for (const seed of seeds) {
          const found = await find({ runs: most, seed, order })
          if (order === "explore") expect(planted.rules).toContain(found?.violation.rule)
          counts.push(found?.run ?? Number.POSITIVE_INFINITY)
        }
        return summary(counts, most)
      }
      const explored = await count("explore", runs)
      const plain = isLong ? ` · plain ${await count("plain", plainRuns)}` : ""
      report(`${planted.name}: ${explored}${plain}`)
    },
    3_600_000,
  )
})
