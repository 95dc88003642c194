/**
 * How the tests run: on Node 20.19 and later, in one process more than there are cores.
 *
 * Order: test files of one process share its modules (importing effect anew costs half a second a file), so a
 * file that changes something global puts it back.
 * Source: docs/adr/0005, why `Map.groupBy` is defined here.
 */
import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { runsFactor } from "./test/runs.ts"

// vitest 5 groups failures with it; Node 20 has none, and the text of every failure would be lost.
if (!("groupBy" in Map)) {
  const groupBy = <Item, Key>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key) => {
    const groups = new Map<Key, Array<Item>>()
    let index = 0
    for (const item of items) {
      const key = keyOf(item, index++)
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
    return groups
  }
  Object.defineProperty(Map, "groupBy", { value: groupBy, configurable: true, writable: true })
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/seed.ts"],
    pool: "forks",
    isolate: false,
    // One more than cores: many tests wait for a process or a server, and others can run meanwhile.
    maxWorkers: availableParallelism() + 1,
    // Units: milliseconds. Some tests start the built CLI, and continuous integration is slow.
    testTimeout: 20_000 * Math.max(1, runsFactor),
    hookTimeout: 60_000,
  },
})
