/** How many damaged calls are whole after one round of corrections, by the machine form of the violations alone. */
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
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
])

type Way = Parameters.Parameters<unknown>

const isRepaired = (row: Row, way: Way): boolean | undefined => {
  const first = Effect.runSync(Effect.result(way.decode(textOf(row))))
  if (Result.isSuccess(first) || first.failure._tag === "Malformed") return undefined
  const corrected = correct(JSON.parse(textOf(row).trim() || "{}"), first.failure.violations)
  return Result.isSuccess(Effect.runSync(Effect.result(way.decode(JSON.stringify(corrected)))))
}

const waysOf = (row: Row): ReadonlyArray<readonly ["raw" | "spec", Way]> => {
  if (row.tool.parameters === null) return []
  const schema = mapWords(row.tool.parameters)
  const { spec } = fromJsonSchema(schema)
  const raw = ["raw", RawParameters.make(schema)] as const
  return spec === undefined ? [raw] : [raw, ["spec", Parameters.fromSpec(spec)]]
}

interface Tally {
  repaired: number
  of: number
}

describe.skipIf(!isHere)("a corrector that is given only the machine form", () => {
  it("makes the damaged calls whole in one round, but for what only a model can know", {
    timeout: 60_000,
  }, () => {
    const tallies = new Map<string, Record<"raw" | "spec", Tally>>()
    const left: Array<string> = []
    for (const row of calls()) {
      const kind = row.label === "invalid" ? (kindOf(row) ?? "as found") : undefined
      if (kind === undefined) continue
      for (const [name, way] of waysOf(row)) {
        const repaired = isRepaired(row, way)
        if (repaired === undefined) continue
        const tally = tallies.get(kind) ?? { raw: { repaired: 0, of: 0 }, spec: { repaired: 0, of: 0 } }
        tally[name].of++
        if (repaired) tally[name].repaired++
        else if (!needsModel.has(kind) && kindOf(row) !== undefined) left.push(`${row.id} (${name})`)
        tallies.set(kind, tally)
      }
    }
    const line = (kind: string, { raw, spec }: Record<"raw" | "spec", Tally>) => [
      kind,
      `raw ${raw.repaired} of ${raw.of}`,
      `spec ${spec.repaired} of ${spec.of}`,
    ]
    const sorted = [...tallies].sort(([a], [b]) => (a < b ? -1 : 1))
    const apart = (kind: string) => needsModel.has(kind) || kind === "as found"
    print(
      "whole after one round",
      sorted.filter(([kind]) => !apart(kind)).map(([kind, tally]) => line(kind, tally)),
    )
    print(
      "needs a value that only a model knows",
      sorted.filter(([kind]) => apart(kind)).map(([kind, tally]) => line(kind, tally)),
    )
    print(
      "left",
      left.map((id) => [id]),
    )
    const sum = (name: "raw" | "spec", key: keyof Tally) =>
      sorted.filter(([kind]) => !apart(kind)).reduce((total, [, tally]) => total + tally[name][key], 0)
    print("in all", [
      ["raw", sum("raw", "repaired"), sum("raw", "of")],
      ["spec", sum("spec", "repaired"), sum("spec", "of")],
    ])
    expect(sum("raw", "repaired") / sum("raw", "of")).toBe(1)
    expect(sum("spec", "repaired") / sum("spec", "of")).toBe(1)
  })
})
