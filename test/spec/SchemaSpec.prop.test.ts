/**
 * Every reading of a spec says the same: the codec, the check, the violations, the JSON Schema.
 *
 * `RUNS_FACTOR=15 npx vitest run test/spec/SchemaSpec.prop.test.ts` asks for ten thousand values.
 */
import { it } from "@effect/vitest"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { Exit, Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import { damage } from "../../src/arbitrary/damage.ts"
import { fitProperties } from "../../src/arbitrary/fit.ts"
import * as Specs from "../../src/arbitrary/Specs.ts"
import * as Values from "../../src/arbitrary/Values.ts"
import type { Violation } from "../../src/error/Violation.ts"
import * as SchemaSpec from "../../src/spec/SchemaSpec.ts"
import { runs } from "../runs.ts"

/** Units: specs, each held against `valuesPerSpec` values. */
const numRuns = runs(120)
const valuesPerSpec = 6

/** Units: milliseconds. */
const timeout = 20_000 + 300 * numRuns

/** Shrinking a spec compiles it again and again: what was found by then is small enough. */
const within = { interruptAfterTimeLimit: 15_000 + 300 * numRuns, markInterruptAsFailure: true }

const several = { minLength: valuesPerSpec, maxLength: valuesPerSpec }
const specAndValues = Specs.spec.chain((of) => fc.tuple(fc.constant(of), fc.array(Values.near(of), several)))

const isJson = Schema.is(Schema.Json)

/** Ajv counts an integer by its double and divides doubles: beyond 2⁵³ neither says what the text said. */
const isExact = (value: unknown): boolean => {
  if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER
  return typeof value !== "object" || value === null || Object.values(value).every(isExact)
}

const judge = (jsonSchema: Schema.JsonObject) =>
  new Ajv2020({ strict: false, ownProperties: true, validateFormats: false, allErrors: true }).compile(
    jsonSchema,
  )

/** Ajv's verdict; none where it breaks: it calls `valueOf` and `toString` of the objects that it compares. */
const ask = (ajv: ValidateFunction, value: unknown): boolean | undefined => {
  try {
    return ajv(value)
  } catch {
    return undefined
  }
}

describe("a spec's readings", () => {
  it(
    `agree on ${numRuns} specs, ${valuesPerSpec} values each`,
    () => {
      const seen = { accepted: 0, refused: 0, judged: 0 }
      fc.assert(
        fc.property(specAndValues, ([of, values]) => {
          const { fill, is, jsonSchema, schema, violations } = SchemaSpec.compile(of)
          const decode = Schema.decodeUnknownExit(schema)
          const ajv = judge(jsonSchema)
          for (const value of values) {
            const decoded = decode(value)
            const accepted = Exit.isSuccess(decoded)
            seen[accepted ? "accepted" : "refused"]++
            const found = violations(value)
            expect([value, is(value), found.length === 0]).toEqual([value, accepted, accepted])
            if (accepted) expect(fc.stringify(sorted(fill(value)))).toBe(fc.stringify(sorted(decoded.value)))
            if (!isJson(value) || !isExact(value)) continue
            const verdict = ask(ajv, JSON.parse(JSON.stringify(value)))
            if (verdict === undefined) continue
            seen.judged++
            expect({ value, verdict }).toEqual({ value, verdict: accepted })
          }
        }),
        { numRuns, ...within },
      )
      const total = numRuns * valuesPerSpec
      expect(seen.accepted).toBeGreaterThan(total / 5)
      expect(seen.refused).toBeGreaterThan(total / 5)
      expect(seen.judged).toBeGreaterThan(total / 2)
    },
    timeout,
  )

  it(
    "leave a value as it was: what is put in goes into a copy",
    () => {
      fc.assert(
        fc.property(specAndValues, ([of, values]) => {
          const { fill, is } = SchemaSpec.compile(of)
          for (const value of values.filter((each) => isJson(each) && is(each))) {
            const before = JSON.stringify(value)
            fill(value)
            expect(JSON.stringify(value)).toBe(before)
            expect(is(fill(value))).toBe(true)
          }
        }),
        { numRuns: Math.ceil(numRuns / 3), ...within },
      )
    },
    timeout,
  )
})

const isPrefix = (short: ReadonlyArray<unknown>, long: ReadonlyArray<unknown>): boolean =>
  short.every((step, index) => step === long[index])

const damaged = Specs.spec
  .chain((of) => fc.tuple(fc.constant(of), fitProperties(of)))
  .chain(([of, value]) => fc.tuple(fc.constant(of), fc.constant(value), damage(value)))

describe("violations", () => {
  it(
    "name the place that was changed, one around or inside it, or say which branch comes nearer",
    () => {
      fc.assert(
        fc.property(damaged, ([of, good, { path, value }]) => {
          const { is, violations } = SchemaSpec.compile(of)
          fc.pre(is(good))
          const found = violations(value)
          if (found.length === 0) return
          const named = found.some(
            (each) =>
              isPrefix(each.path, path) ||
              isPrefix(path, each.path) ||
              each.message.includes("comes nearest"),
          )
          expect({ found, path, named }).toEqual({ found, path, named: true })
        }),
        { numRuns: 2 * numRuns, ...within },
      )
    },
    timeout,
  )

  it(
    "stand at places that exist, or that are missing from an object that exists",
    () => {
      fc.assert(
        fc.property(specAndValues, ([of, values]) => {
          for (const value of values) {
            for (const { path, got } of SchemaSpec.compile(of).violations(value)) {
              if (path.length === 0) continue
              const parent = path.slice(0, -1).reduce(step, value)
              const last = path.at(-1) ?? ""
              const exists = typeof parent === "object" && parent !== null && Object.hasOwn(parent, last)
              expect([path, exists]).toEqual([path, got !== "nothing"])
            }
          }
        }),
        { numRuns, ...within },
      )
    },
    timeout,
  )

  it("are short and quote no half of a surrogate pair that was whole", () => {
    const long = fc.string({ unit: fc.constantFrom("😀", "a", "é"), maxLength: 200 })
    const { violations } = SchemaSpec.compile({ n: { type: "integer", required: true }, m: { enum: ["x"] } })
    fc.assert(
      fc.property(long, long, (text, key) =>
        violations({ m: text, [key]: text }).every((violation) =>
          texts(violation).every((part) => part.length < 600 && !/\\ud[89a-f]|\p{Cs}/iu.test(part)),
        ),
      ),
    )
  })
})

const step = (value: unknown, key: string | number): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined

const texts = ({ expected, got, message, hint }: Violation): ReadonlyArray<string> => [
  expected,
  got,
  message,
  hint ?? "",
]

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Key order is not kept by the codec, and says nothing in JSON. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.entries(value)
    .map(([key, member]) => [key, sorted(member)])
    .sort(([left], [right]) => (String(left) < String(right) ? -1 : 1))
}
