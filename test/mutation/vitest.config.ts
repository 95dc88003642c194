/** How the tests of a room run against its mutants: as ever, but only those that `mutate.ts` names. */
import { defineConfig } from "vitest/config"
import base from "../../vitest.config.ts"

const tests = process.env["MUTATION_TESTS"]
if (tests === undefined) throw new Error("MUTATION_TESTS names no tests; start mutate.ts")

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: tests.split(" "),
    // The one asks a compiler about types, which no mutant changes; the other starts a process, which no mutant reaches.
    exclude: ["test/spec/Inference.test.ts", "test/error/roundTrip.test.ts"],
  },
})
