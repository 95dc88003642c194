/**
 * How many damaged calls are whole after one round of corrections, by the machine form of the violations alone.
 *
 * Counted: every call that is JSON, and whose right value is in it somewhere. Apart: what only the model knows, and what
 * is no JSON, whose violations have no machine form. Calls as they were found are sorted row by row: a key that is not
 * there needs the model, all others are of the wrong type and count.
 */
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import type { Violation } from "../../src/error/Violation.ts"
import { fromJsonSchema } from "../../src/jsonschema/JsonSchema.ts"
import * as RawParameters from "../../src/jsonschema/RawParameters.ts"
import * as Parameters from "../../src/spec/Parameters.ts"
import { calls, isHere, kindOf, mapWords, print, type Row, textOf } from "./corpus.ts"
import { correct } from "./correct.ts"

/** Nobody but the model knows what was meant: the value is gone, or was never there. */
const needsModel = new Set([
  "required-missing",
  "null-for-required",
  "fraction-for-integer",
  "enum-unknown",
  "empty-text",
  "whitespace-text",
  "null-text",
  "as found, a key is missing",
])

type Way = Parameters.Parameters<unknown>
type Name = "raw" | "spec"

/** `unwrap` is an addition of ours to the operations that a corrector was said to need: rename, drop, take, convert. */
const isOfFour = ({ fix }: Violation): boolean => fix?.kind !== "unwrap"

type Ending =
  | "malformed"
  | "taken"
  | { readonly kind: string; readonly whole: boolean; readonly byFour: boolean }

const correctOnce = (row: Row, way: Way): Ending => {
  const first = Effect.runSync(Effect.result(way.decode(textOf(row))))
  if (Result.isSuccess(first)) return "taken"
  if (first.failure._tag === "Malformed") return "malformed"
  const { violations } = first.failure
  const given = JSON.parse(textOf(row).trim() || "{}")
  const isWhole = (some: ReadonlyArray<Violation>) =>
    Result.isSuccess(Effect.runSync(Effect.result(way.decode(JSON.stringify(correct(given, some))))))
  const lacks = violations.some(({ fix, got }) => got === "nothing" && fix === undefined)
  const found = lacks ? "as found, a key is missing" : "as found, a type is wrong"
  return {
    kind: kindOf(row) ?? found,
    whole: isWhole(violations),
    byFour: isWhole(violations.filter(isOfFour)),
  }
}

const waysOf = (row: Row): ReadonlyArray<readonly [Name, Way]> => {
  if (row.tool.parameters === null) return []
  const schema = mapWords(row.tool.parameters)
  const { spec } = fromJsonSchema(schema)
  const raw = ["raw", RawParameters.make(schema)] as const
  return spec === undefined ? [raw] : [raw, ["spec", Parameters.fromSpec(spec)]]
}

interface Tally {
  whole: number
  byFour: number
  of: number
}

const names = ["raw", "spec"] as const
const empty = (): Record<Name, Tally> => ({
  raw: { whole: 0, byFour: 0, of: 0 },
  spec: { whole: 0, byFour: 0, of: 0 },
})

/** All damaged calls: the corrected ones by kind, those that are no JSON by kind, and which stay broken. */
const tryAll = () => {
  const tallies = new Map<string, Record<Name, Tally>>()
  const malformed = new Map<string, number>()
  const left: Array<string> = []
  for (const row of calls().filter(({ label }) => label === "invalid")) {
    for (const [name, way] of waysOf(row)) {
      const ending = correctOnce(row, way)
      if (ending === "taken") continue
      if (ending === "malformed") {
        const kind = kindOf(row) ?? "as found"
        if (name === "raw") malformed.set(kind, (malformed.get(kind) ?? 0) + 1)
        continue
      }
      const { kind, whole, byFour } = ending
      const tally = tallies.get(kind) ?? empty()
      tally[name].of++
      tally[name].whole += whole ? 1 : 0
      tally[name].byFour += byFour ? 1 : 0
      tallies.set(kind, tally)
      if (!whole && !needsModel.has(kind)) left.push(`${row.id} (${name})`)
    }
  }
  return {
    tallies: [...tallies].sort(([a], [b]) => (a < b ? -1 : 1)),
    malformed: [...malformed].sort(),
    left,
  }
}

const share = (part: number, of: number): string => `${part} of ${of} (${((100 * part) / of).toFixed(1)} %)`

describe.skipIf(!isHere)("a corrector that is given only the machine form", () => {
  it("makes the damaged calls whole in one round, but for what only a model can know", {
    timeout: 60_000,
  }, () => {
    const { tallies, malformed, left } = tryAll()
    const counted = tallies.filter(([kind]) => !needsModel.has(kind))
    const line = ([kind, { raw, spec }]: (typeof tallies)[number]) => [
      kind,
      `raw ${raw.whole} of ${raw.of}`,
      `spec ${spec.whole} of ${spec.of}`,
    ]
    print("whole after one round", counted.map(line))
    print("needs a value that only a model knows", tallies.filter(([kind]) => needsModel.has(kind)).map(line))
    print("no JSON: refused with the place, without a machine form", malformed)
    print(
      "left",
      left.map((id) => [id]),
    )
    const sum = (some: typeof tallies, name: Name, key: keyof Tally) =>
      some.reduce((total, [, tally]) => total + tally[name][key], 0)
    const damaged = counted.filter(([kind]) => !kind.startsWith("as found"))
    print(
      "in all",
      names.flatMap((name) => [
        [name, "damaged on purpose", share(sum(damaged, name, "whole"), sum(damaged, name, "of"))],
        [name, "and as found", share(sum(counted, name, "whole"), sum(counted, name, "of"))],
        [name, "without unwrap", share(sum(counted, name, "byFour"), sum(counted, name, "of"))],
      ]),
    )
    for (const name of names) {
      expect(sum(damaged, name, "whole")).toBe(sum(damaged, name, "of"))
      // What is left is Python's way to write a list: text that no JSON reader takes.
      expect(sum(counted, name, "whole") / sum(counted, name, "of")).toBeGreaterThan(0.89)
      expect(sum(counted, name, "byFour") / sum(counted, name, "of")).toBeGreaterThan(0.8)
    }
    expect(malformed.reduce((total, [, count]) => total + count, 0)).toBeGreaterThan(0)
  })
})
