/**
 * Where properties draw from, and how much: the same values in every run, unless somebody asks for others.
 *
 * In:  SEED, a number or `random`; RUNS_FACTOR.      Out: fast-check's global seed, printed with every failure, and runs.
 */
import * as fc from "fast-check"
import { runs } from "./runs.ts"

const wanted = process.env["SEED"] ?? "20261130"

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  numRuns: runs(100),
  ...(wanted !== "random" && { seed: Number(wanted) }),
})
