import { Result, Schema, type SchemaAST } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compile } from "../../src/event/fits.ts"
import { payloads } from "../../src/event/SessionEvent.ts"
import { runs } from "../runs.ts"

type Json = Schema.Json

const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom("", "text", "stop", 0, 1, -1, 1.5, 2 ** 53, true, false, null),
  fc.string(),
  fc.constantFrom<Json>([], {}, { type: "text", text: "" }, ["a"]),
)

const seldom = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | null> =>
  fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

/** JSON that fits a schema as a rule, and now and then does not, at any depth. */
const near = (ast: SchemaAST.AST): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 30, arbitrary: fitting(ast) }, { weight: 1, arbitrary: leaf })

const fitting = (ast: SchemaAST.AST): fc.Arbitrary<Json> => {
  switch (ast._tag) {
    case "String":
      return fc.string({ minLength: 1 })
    case "Number":
      return fc.oneof({ weight: 30, arbitrary: fc.integer({ min: 1 }) }, fc.constantFrom(0, 0.5, -3))
    case "Boolean":
      return fc.boolean()
    case "Null":
      return fc.constant(null)
    case "Literal":
      return fc.constant(typeof ast.literal === "bigint" ? String(ast.literal) : ast.literal)
    case "Union":
      return fc.oneof(...ast.types.map(near))
    case "Arrays":
      return fc.array(fc.oneof(...ast.rest.map(near)), { maxLength: 3 })
    case "Objects":
      return ast.indexSignatures.length > 0 ? record(ast) : struct(ast)
    default:
      return fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>
  }
}

const record = ({ indexSignatures }: SchemaAST.Objects): fc.Arbitrary<Json> =>
  fc.dictionary(fc.string(), fc.oneof(...indexSignatures.map(({ type }) => near(type))), {
    maxKeys: 2,
    noNullPrototype: true,
  })

const struct = ({ propertySignatures }: SchemaAST.Objects): fc.Arbitrary<Json> => {
  const members = Object.fromEntries(propertySignatures.map(({ name, type }) => [String(name), near(type)]))
  const required = propertySignatures.flatMap(({ name, type }) =>
    type.context?.isOptional === true ? [] : [String(name)],
  )
  return fc
    .tuple(
      fc.record(members, { requiredKeys: required, noNullPrototype: true }),
      seldom(fc.tuple(fc.constantFrom("extra", "constructor", ...required), leaf)),
      seldom(fc.constantFrom(...Object.keys(members))),
    )
    .map(([value, more, less]) => {
      const changed: Record<string, Json> = { ...value }
      if (more !== null) changed[more[0]] = more[1]
      if (less !== null) delete changed[less]
      return changed
    })
}

describe("the short way of a payload", () => {
  const all = Object.entries(payloads).map(([type, schema]) => ({ type, ast: schema.ast, schema }))

  it.for(all)("accepts a $type exactly when its schema accepts it", ({ ast, schema }) => {
    const decode = Schema.decodeUnknownResult<Schema.Codec<unknown>>(schema, { onExcessProperty: "error" })
    const seen = { yes: 0, no: 0 }
    fc.assert(
      fc.property(near(ast), (value) => {
        const fits = compile(ast)?.(value)
        expect(fits).toBe(Result.isSuccess(decode(value)))
        seen[fits === true ? "yes" : "no"]++
      }),
      { numRuns: runs(300) },
    )
    expect(seen.yes).toBeGreaterThan(runs(10))
    expect(seen.no).toBeGreaterThan(runs(10))
  })

  it("leaves what it cannot read to the parser", () => {
    const strangers = [
      Schema.NumberFromString,
      Schema.Struct({ at: Schema.Date }),
      Schema.Struct({ toString: Schema.String }),
      Schema.Tuple([Schema.String, Schema.String]),
      Schema.Array(Schema.Undefined),
      Schema.Struct({ a: Schema.NumberFromString }),
    ]
    for (const { ast } of strangers) expect(compile(ast)).toBeUndefined()
  })
})
