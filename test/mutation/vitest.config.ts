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
    // It asks a compiler of its own about types, which no mutant changes.
    exclude: ["test/spec/Inference.test.ts"],
  },
})
