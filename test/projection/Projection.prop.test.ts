import { Effect, type Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Validator from "../../src/jsonschema/Validator.ts"
import * as Digest from "../../src/message/Digest.ts"
import * as Projection from "../../src/projection/Projection.ts"
import type { Properties, PropertySpec } from "../../src/spec/SchemaSpec.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { args, tool } from "../jsonschema/arbitrarySchema.ts"
import { isHere, mcpServers, print } from "../jsonschema/corpus.ts"
import { runs } from "../runs.ts"

const targets = [Projection.openAi, Projection.anthropic]

/** All that either provider reads, written down apart from the tables in `src`. */
const read = {
  openai:
    /^(?:type|title|description|enum|const|anyOf|properties|required|additionalProperties|items|\$ref|\$defs|definitions|pattern|format|minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|minItems|maxItems)$/,
  anthropic:
    /^(?:type|title|description|enum|const|default|anyOf|properties|required|additionalProperties|items|\$ref|\$defs|definitions|pattern|format|minItems)$/,
}

/** Look at every node of a schema. */
const visit = (node: Schema.Json | undefined, see: (node: Schema.JsonObject) => void): void => {
  if (typeof node !== "object" || node === null) return
  if (Array.isArray(node)) {
    for (const part of node) visit(part, see)
    return
  }
  const members: Schema.JsonObject = JSON.parse(JSON.stringify(node))
  see(members)
  for (const holder of ["properties", "$defs", "definitions"]) {
    for (const part of Object.values(Object(members[holder]))) visit(JSON.parse(JSON.stringify(part)), see)
  }
  for (const keyword of ["items", "anyOf"]) visit(members[keyword], see)
}

/** What the strict modes ask of every node. */
const expectStrict = (schema: Schema.JsonObject, { name }: Projection.Target): void => {
  expect(schema["type"]).toBe("object")
  visit(schema, (node) => {
    expect(Object.keys(node).filter((keyword) => !read[name].test(keyword))).toEqual([])
    expect(["type", "anyOf", "enum", "const", "$ref"].some((keyword) => keyword in node)).toBe(true)
    if (node["type"] !== "object") return
    expect(node["additionalProperties"]).toBe(false)
    if (name === "openai") expect(node["required"]).toEqual(Object.keys(Object(node["properties"])))
  })
}

describe("a projected schema", () => {
  it("holds only what its provider reads, whatever it came from", () => {
    fc.assert(
      fc.property(tool, fc.constantFrom(...targets), (schema, target) => {
        const { isStrict, losses, schema: projected } = target.project(schema)
        expect(isStrict).toBe(!losses.some(({ isBar }) => isBar))
        if (isStrict) expectStrict(projected, target)
        else expect(projected).toBe(schema)
      }),
    )
  })

  it("is projected to itself", () => {
    fc.assert(
      fc.property(tool, fc.constantFrom(...targets), (schema, target) => {
        const { isStrict, schema: projected } = target.project(schema)
        expect(target.reads(projected)).toBe(isStrict)
      }),
      {
        examples: [
          [{ type: "object", properties: { a: { type: "null" } }, required: [] }, Projection.openAi],
        ],
      },
    )
  })

  it("takes nothing, once restored, that the original refuses, when nothing is said to be lost", () => {
    let taken = 0
    fc.assert(
      fc.property(tool, args, fc.constantFrom(...targets), (schema, value, target) => {
        const { isStrict, losses, restore, schema: projected } = target.project(schema)
        if (!isStrict || losses.length > 0) return
        if (Validator.make(projected).check(value).length > 0) return
        taken++
        expect(Validator.make(schema).check(restore(value))).toEqual([])
      }),
      { numRuns: runs(400) },
    )
    expect(taken).toBeGreaterThan(0)
  })
})

describe("the fingerprint of a schema", () => {
  const shuffled = (value: Schema.Json): Schema.Json => {
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return value.map(shuffled)
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, member]) => [
          key,
          (key === "required" || key === "enum") && Array.isArray(member)
            ? [...member].reverse()
            : shuffled(member),
        ]),
    )
  }
  const partsOf = (value: Schema.Json) => [...JSON.stringify(value)].sort()
  const fingerprintOf = (parameters: Properties) =>
    Tool.defineTool({ name: "t", description: "", parameters, run: () => Effect.void }).fingerprint

  it("does not depend on the order of keys, of required ones, of members; it depends on all else", () => {
    fc.assert(
      fc.property(tool, tool, (one, other) => {
        expect(Digest.ofSchema(shuffled(one))).toBe(Digest.ofSchema(one))
        const isSame = Digest.canonical(one) === Digest.canonical(other)
        const isReordered = Digest.ofSchema(one) === Digest.ofSchema(other)
        // No schema here says a thing twice, so what is equal in any order has the same parts.
        if (isSame) expect(isReordered).toBe(true)
        if (isReordered) expect(partsOf(one)).toEqual(partsOf(other))
      }),
    )
  })

  it("does not depend on which of two required properties a spec names first", () => {
    const property = fc.constantFrom<PropertySpec>(
      { type: "string", required: true },
      { type: "integer" },
      { enum: ["a", "b"], required: true },
    )
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-e]{1,3}$/), property), (spec) => {
        const reversed = Object.fromEntries(Object.entries(spec).reverse())
        expect(fingerprintOf(reversed)).toBe(fingerprintOf(spec))
      }),
    )
  })

  it("is of the order where the order says something", () => {
    const either = (...anyOf: ReadonlyArray<Schema.Json>): Schema.Json => ({
      default: anyOf,
      required: ["a"],
    })
    expect(Digest.ofSchema(either("a", "b"))).not.toBe(Digest.ofSchema(either("b", "a")))
    const named = (...required: ReadonlyArray<Schema.Json>) => ({ properties: { default: { required } } })
    expect(Digest.ofSchema(named("a", "b"))).toBe(Digest.ofSchema(named("b", "a")))
  })
})

describe.skipIf(!isHere)("the tools of MCP servers", () => {
  it("fit, or say what bars them", () => {
    for (const target of targets) {
      const bars = new Map<string, number>()
      let fit = 0
      for (const { tools } of mcpServers()) {
        for (const { inputSchema } of tools) {
          const { isStrict, losses, schema } = target.project(inputSchema)
          if (isStrict) {
            fit++
            expectStrict(schema, target)
          }
          const what = new Set(
            losses.filter(({ isBar }) => isBar).map((loss) => `${loss.keyword}: ${loss.what}`),
          )
          for (const bar of what) bars.set(bar, (bars.get(bar) ?? 0) + 1)
        }
      }
      print(`${target.name}: ${fit} of 149 fit; tools barred by`, [...bars])
      expect(fit).toBeGreaterThan(80)
    }
  })
})
