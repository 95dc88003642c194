/**
 * Draw what a spec describes, but for what only the whole can tell: branches of `oneOf` that overlap.
 *
 * In:  the spec of a value, and the specs that have names around it.      Out: an arbitrary of values.
 * Fails with: a `TypeError` for a pattern that nothing can be drawn for, and that has no examples.
 */
import * as fc from "fast-check"
import type { AnyOfSpec, ObjectSpec, OneOfSpec, Properties, RefSpec, ValueSpec } from "../spec/SchemaSpec.ts"
import { oddWord } from "./oddWords.ts"

type Names = ReadonlyMap<string, ValueSpec>

interface Place {
  readonly names: Names
  /** Levels that a recursive value may still have below this one. */
  readonly levels: number
  /** Whether objects may have keys that nobody declared and nobody refused. */
  readonly hasStrangers: boolean
}

export const around: Place = { names: new Map(), levels: 2, hasStrangers: true }

export const fit = (of: ValueSpec, { names, ...rest }: Place = around): fc.Arbitrary<unknown> => {
  const place = { ...rest, names: of.name === undefined ? names : new Map([...names, [of.name, of]]) }
  const plain = fitKind(of, place)
  return of.nullable === true ? fc.option(plain, { freq: 4 }) : plain
}

const fitKind = (of: ValueSpec, place: Place): fc.Arbitrary<unknown> => {
  if ("const" in of && of.const !== undefined) return fc.constant(of.const)
  if ("enum" in of && of.enum !== undefined) return fc.constantFrom<unknown>(...of.enum)
  if ("oneOf" in of) return fc.oneof(...of.oneOf.map((branch) => fit(branch, place)))
  if ("anyOf" in of) return fc.oneof(...of.anyOf.map((branch) => fit(branch, place)))
  if ("ref" in of) {
    const target = place.names.get(of.ref)
    return target === undefined || place.levels === 0
      ? fc.constant({})
      : fit(target, { ...place, levels: place.levels - 1 })
  }
  return fitType(of, place)
}

const fitType = (
  of: Exclude<ValueSpec, OneOfSpec | AnyOfSpec | RefSpec>,
  place: Place,
): fc.Arbitrary<unknown> => {
  switch (of.type) {
    case "string":
      return fitText(of)
    case "number":
    case "integer":
      return fitNumber(of)
    case "boolean":
      return fc.boolean()
    case "any":
      return anyJson
    case "array": {
      const item = of.items === undefined ? anyJson : fit(of.items, place)
      const size = { minLength: of.minItems ?? 0, maxLength: of.maxItems ?? 3 + (of.minItems ?? 0) }
      return of.uniqueItems === true
        ? fc.uniqueArray(item, { ...size, selector: (one) => JSON.stringify(one) })
        : fc.array(item, size)
    }
    case "object":
      return fitObject(of, place)
    default:
      return fc.constant(null)
  }
}

const anyJson = fc.jsonValue({ maxDepth: 1 })

const fitText = (of: Extract<ValueSpec, { readonly type: "string" }>): fc.Arbitrary<string> => {
  const { maxLength, minLength = 0, pattern } = of
  if (pattern !== undefined) {
    const sizes = (text: string) => {
      const size = [...text].length
      return size >= minLength && size <= (maxLength ?? size)
    }
    return matching(pattern, of.examples).filter(sizes)
  }
  if (of.minLength === undefined && maxLength === undefined) return fc.oneof(oddWord, fc.string())
  return fc.string({
    unit: fc.constantFrom("a", "é", "😀"),
    minLength,
    maxLength: maxLength ?? minLength + 9,
  })
}

/** Making one takes a while: a class such as `\p{Emoji}` is counted out. */
const patterns = new Map<string, fc.Arbitrary<string>>()

/** Of the examples, where the pattern says something that cannot be drawn. */
const matching = (pattern: string, examples: ReadonlyArray<string | null> = []): fc.Arbitrary<string> => {
  const known = patterns.get(pattern)
  if (known !== undefined) return known
  try {
    const made = fc.stringMatching(new RegExp(pattern, "u"))
    patterns.set(pattern, made)
    return made
  } catch {
    const [first, ...more] = examples.filter((text) => text !== null)
    if (first === undefined)
      throw new TypeError(
        `no text can be drawn for the pattern ${pattern}: give the spec examples that match it`,
      )
    return fc.constantFrom(first, ...more)
  }
}

const fitNumber = (of: Extract<ValueSpec, { readonly type: "number" | "integer" }>): fc.Arbitrary<number> => {
  const { exclusiveMaximum, exclusiveMinimum, maximum, minimum, multipleOf } = of
  const min = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  const max = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - 1)
  if (multipleOf !== undefined) {
    const step = of.type === "integer" ? Math.max(1, multipleOf) : multipleOf
    const first = Math.ceil((min ?? (max ?? 6) - 12) / step)
    const last = max === undefined ? first + 12 : Math.max(first, Math.floor(max / step))
    return fc.integer({ min: first, max: last }).map((times) => times * step)
  }
  if (of.type === "integer") {
    const [low, high] = [
      Math.ceil(min ?? Number.MIN_SAFE_INTEGER),
      Math.floor(max ?? Number.MAX_SAFE_INTEGER),
    ]
    return fc.integer({ min: Math.min(low, high), max: Math.max(low, high) })
  }
  const [low, high] = [Math.ceil(min ?? (max ?? 0) - 1000), Math.floor(max ?? (min ?? 0) + 1000)]
  return fc.oneof(
    ...(low <= high ? [fc.integer({ min: low, max: high })] : []),
    fc.double({
      noNaN: true,
      noDefaultInfinity: true,
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
    }),
  )
}

const fitObject = (
  { additionalProperties, properties = {} }: ObjectSpec,
  place: Place,
): fc.Arbitrary<unknown> => {
  const declared = fitProperties(properties, place)
  if (additionalProperties === false || (additionalProperties === undefined && !place.hasStrangers))
    return declared
  const other = typeof additionalProperties === "object" ? fit(additionalProperties, place) : anyJson
  return fc
    .tuple(fc.dictionary(fc.constantFrom("x", "y", "hasOwnProperty"), other, { maxKeys: 2 }), declared)
    .map(([others, members]) => ({ ...others, ...members }))
}

export const fitProperties = (
  properties: Properties,
  place: Place = around,
): fc.Arbitrary<Record<string, unknown>> => {
  const requiredKeys = Object.keys(properties).filter((key) => properties[key]?.required === true)
  const members = Object.fromEntries(Object.entries(properties).map(([key, of]) => [key, fit(of, place)]))
  return fc.record(members, { requiredKeys })
}
