import { it } from "@effect/vitest"
import { Exit, Schema } from "effect"
import * as fc from "fast-check"
import { describe } from "vitest"
import type { Violation } from "../../src/error/Violation.ts"
import * as SchemaSpec from "../../src/spec/SchemaSpec.ts"

type Spec = SchemaSpec.Properties
type Value = SchemaSpec.ValueSpec

const names = ["path", "file_path", "limit", "offset", "mode", "toString", "valueOf", "a b", "ключ"]
const name = fc.constantFrom(...names)
const word = fc.constantFrom("fast", "slow", "5", "true", "null", "", "😀")

const leaf: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom<Value>(
    { type: "string" },
    { type: "number" },
    { type: "number" },
    { type: "integer" },
    { type: "integer" },
    { type: "boolean" },
    { type: "null" },
    { type: "array" },
    { type: "object" },
    { type: "boolean", const: true },
  ),
  fc.uniqueArray(word, { minLength: 1 }).map((members): Value => ({ type: "string", enum: members })),
  fc
    .uniqueArray(fc.integer({ min: -3, max: 3 }), { minLength: 1 })
    .map((members): Value => ({ type: "integer", enum: members })),
  fc
    .uniqueArray(fc.oneof(word, fc.constantFrom(null, true, 5, 1.5)), { minLength: 1 })
    .map((members): Value => ({ enum: members })),
  fc.oneof(word, fc.constantFrom(null, false, 5)).map((member): Value => ({ const: member })),
)

const { spec } = fc.letrec<{ value: Value; spec: Spec }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: "spec" },
    leaf,
    tie("value").map((items): Value => ({ type: "array", items })),
    tie("spec").map((properties): Value => ({ type: "object", properties })),
  ),
  spec: fc.dictionary(
    name,
    fc
      .tuple(tie("value"), fc.boolean())
      .map(([value, required]) => (required ? { ...value, required } : value)),
    { maxKeys: 4 },
  ),
}))

/** A value that a spec describes. */
const lawful = (of: Value): fc.Arbitrary<unknown> => {
  if ("const" in of && of.const !== undefined) return fc.constant(of.const)
  if ("const" in of) return fc.constant(null)
  if ("enum" in of && of.enum !== undefined) return fc.constantFrom<unknown>(...of.enum)
  switch (of.type) {
    case "string":
      return fc.oneof(word, fc.string())
    case "number":
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case "integer":
      return fc.maxSafeInteger()
    case "boolean":
      return fc.boolean()
    case "array":
      return fc.array(of.items === undefined ? fc.jsonValue({ maxDepth: 1 }) : lawful(of.items), {
        maxLength: 3,
      })
    case "object":
      return of.properties === undefined
        ? fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }))
        : lawfulObject(of.properties)
    default:
      return fc.constant(null)
  }
}

const lawfulObject = (properties: Spec): fc.Arbitrary<Record<string, unknown>> => {
  const required = Object.keys(properties).filter((key) => properties[key]?.required === true)
  const members = Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, lawful(value)]))
  return fc.record(members, { requiredKeys: required })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const oddNumber = fc.constantFrom(0, -0, 1.5, 5, 2 ** 53, -(2 ** 53), 2 ** 60, 1e300, Infinity, NaN)
const oddValue = fc.constantFrom<unknown>(null, true, "true", "5", "null", "[]", "{}", [], {}, undefined)
const stranger = fc.oneof(oddNumber, oddValue, word, fc.jsonValue({ maxDepth: 1 }))

/** Change one place, mostly deep inside: see `misplace`. */
const damage = (value: unknown): fc.Arbitrary<unknown> => {
  const members: ReadonlyArray<readonly [string, unknown]> =
    typeof value === "object" && value !== null ? Object.entries(value) : []
  if (members.length === 0) return misplace(value)
  const inside = fc
    .constantFrom(...members)
    .chain(([key, member]) => damage(member).map((other) => replace(value, key, other)))
  return fc.oneof({ arbitrary: inside, weight: 4 }, { arbitrary: misplace(value), weight: 1 })
}

/** Put something else in place of a value: a stranger, its text, the value wrapped, or it with a key gone, misspelt or added. */
const misplace = (value: unknown): fc.Arbitrary<unknown> => {
  const others: Array<fc.Arbitrary<unknown>> = [
    typeof value === "number" ? oddNumber : stranger,
    stranger,
    fc.constantFrom(JSON.stringify(value), [value], { path: value }),
  ]
  if (isRecord(value)) {
    const key = fc.constantFrom("pth", ...names, ...Object.keys(value))
    const without = (gone: string) =>
      Object.fromEntries(Object.entries(value).filter(([other]) => other !== gone))
    others.push(fc.tuple(key, stranger).map(([at, other]) => ({ ...value, [at]: other })))
    others.push(key.map(without))
    others.push(key.map((at) => ({ ...without(at), [`${at}s`]: value[at] })))
  }
  return fc.oneof(...others)
}

const replace = (value: unknown, key: string, other: unknown): unknown =>
  Array.isArray(value) ? value.with(Number(key), other) : { ...Object(value), [key]: other }

const lawfulPair = spec.chain((of) => fc.tuple(fc.constant(of), lawfulObject(of)))
const nearPair = lawfulPair.chain(([of, value]) =>
  fc.tuple(fc.constant(of), fc.oneof(damage(value), damage(value).chain(damage), stranger)),
)

const runs = { numRuns: 4_000 }

describe("a spec's readings", () => {
  it("accept a value made from the spec, and give it back equal", () => {
    fc.assert(
      fc.property(lawfulPair, ([of, value]) => {
        const { schema, violations } = SchemaSpec.compile(of)
        const decoded = Schema.decodeUnknownExit(schema)(value)
        if (Exit.isFailure(decoded) || violations(value).length > 0) return false
        return fc.stringify(sorted(decoded.value)) === fc.stringify(sorted(value))
      }),
      runs,
    )
  })

  it("agree: there are violations exactly when the codec refuses", () => {
    let refused = 0
    fc.assert(
      fc.property(nearPair, ([of, value]) => {
        const { schema, violations } = SchemaSpec.compile(of)
        const accepted = Exit.isSuccess(Schema.decodeUnknownExit(schema)(value))
        if (!accepted) refused++
        return accepted === (violations(value).length === 0)
      }),
      runs,
    )
    if (refused < runs.numRuns / 4) throw new Error(`only ${refused} of the near misses were refused`)
  })
})

describe("violations", () => {
  it("stand at places that exist, or that are missing from an object that exists", () => {
    fc.assert(
      fc.property(nearPair, ([of, value]) =>
        SchemaSpec.compile(of)
          .violations(value)
          .every(({ path, got }) => {
            const parent = path.slice(0, -1).reduce(step, value)
            if (path.length === 0) return true
            const last = path.at(-1) ?? ""
            if (got !== "nothing")
              return typeof parent === "object" && parent !== null && Object.hasOwn(parent, last)
            return isRecord(parent) && !Object.hasOwn(parent, last)
          }),
      ),
      runs,
    )
  })

  it("are short and quote no half of a surrogate pair that was whole", () => {
    const long = fc.string({ unit: fc.constantFrom("😀", "a", "é"), maxLength: 200 })
    fc.assert(
      fc.property(long, long, (text, key) => {
        const found = SchemaSpec.compile({
          n: { type: "integer", required: true },
          m: { enum: ["x"] },
        }).violations({
          m: text,
          [key]: text,
        })
        return found.every((violation) =>
          texts(violation).every((part) => part.length < 600 && !/\\ud[89a-f]|\p{Cs}/iu.test(part)),
        )
      }),
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

/** Key order is not kept by the codec, and says nothing in JSON. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.entries(value)
    .map(([key, member]) => [key, sorted(member)])
    .sort(([left], [right]) => (String(left) < String(right) ? -1 : 1))
}
