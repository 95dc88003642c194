import { Result, type Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fromJsonSchema } from "../../src/jsonschema/JsonSchema.ts"
import * as Validator from "../../src/jsonschema/Validator.ts"
import { compile } from "../../src/spec/SchemaSpec.ts"
import { runs } from "../runs.ts"
import { args, tool } from "./arbitrarySchema.ts"
import { correct } from "./correct.ts"

const samples = fc.array(args, { minLength: 6, maxLength: 6 })

describe("a schema that a spec can say", () => {
  it("takes the same values as the spec, and is said by most schemas", () => {
    let said = 0
    let tried = 0
    fc.assert(
      fc.property(tool, samples, (schema, values) => {
        const { spec } = fromJsonSchema(schema)
        tried++
        if (spec === undefined) return
        said++
        const { is } = compile(spec)
        const { check } = Validator.make(schema)
        for (const value of values) expect(is(value)).toBe(check(value).length === 0)
      }),
      { numRuns: runs(150) },
    )
    expect(said / tried).toBeGreaterThan(0.6)
  })

  it("is the JSON Schema of its spec again, as far as what it takes", () => {
    fc.assert(
      fc.property(tool, samples, (schema, values) => {
        const { spec } = fromJsonSchema(schema)
        if (spec === undefined) return
        const before = Validator.make(schema)
        const after = Validator.make(compile(spec).jsonSchema)
        for (const value of values)
          expect(after.check(value).length === 0).toBe(before.check(value).length === 0)
      }),
      { numRuns: runs(60) },
    )
  })
})

describe("a violation by a schema of others", () => {
  it("does not depend on the order of the keys that were sent", () => {
    const reversed = (value: Schema.JsonObject): Schema.JsonObject =>
      Object.fromEntries(Object.entries(value).reverse())
    const missing = (violations: ReadonlyArray<{ readonly path: ReadonlyArray<string | number> }>) =>
      violations.map(({ path }) => path.join("/"))
    fc.assert(
      fc.property(tool, args, (schema, value) => {
        const { check } = Validator.make(schema)
        expect(missing(check(reversed(value)))).toEqual(missing(check(value)))
      }),
      { numRuns: runs(100) },
    )
  })

  it("has a fix that leaves nothing of its kind in its place", () => {
    fc.assert(
      fc.property(tool, args, (schema, value) => {
        const { check } = Validator.make(schema)
        const found = check(value)
        for (const violation of found) {
          if (violation.fix?.kind !== "convert" && violation.fix?.kind !== "drop") continue
          const after = check(correct(value, [violation]))
          expect(after.map(({ message }) => message)).not.toContain(violation.message)
        }
      }),
      { numRuns: runs(100) },
    )
  })

  it("is there exactly when the value is refused", () => {
    fc.assert(
      fc.property(tool, args, (schema, value) => {
        const found = Result.try(() => Validator.make(schema).check(value))
        expect(Result.isSuccess(found)).toBe(true)
        if (Result.isSuccess(found))
          for (const { got, expected, message } of found.success) {
            expect(message.length).toBeLessThan(2_000)
            expect(got === "" || expected === "").toBe(false)
          }
      }),
      { numRuns: runs(100) },
    )
  })
})
