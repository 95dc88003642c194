/**
 * Where properties draw from: the same values in every run, unless somebody asks for others.
 *
 * In:  SEED, a number or `random`.      Out: fast-check's global seed; a failure prints it either way.
 */
import * as fc from "fast-check"

const wanted = process.env["SEED"] ?? "20261130"

if (wanted !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) })
