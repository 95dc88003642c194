/**
 * Draw arguments for a spec: such that fit, such that miss at one known place, and such that are anything near.
 *
 * In:  a `SchemaSpec`.      Out: arbitraries of values.
 * Fails with: a `TypeError` for a spec that does not compile, with a pattern that nothing can be drawn for, or of whose
 * values none is found.
 * Not here: specs themselves (`Specs.ts`), the text that a model writes (`text/`).
 */
import * as fc from "fast-check"
import { compile, type InferArgs, type ObjectSpec, type SchemaSpec } from "../spec/SchemaSpec.ts"
import { breakOne, type NearMiss } from "./breakOne.ts"
import { damage, stranger } from "./damage.ts"
import { around, fit } from "./fit.ts"

export type { NearMiss } from "./breakOne.ts"

/**
 * Values that the spec takes.
 *
 * @example docs/examples/35-properties.test.ts
 */
export const fitting = <const S extends SchemaSpec>(spec: S): fc.Arbitrary<InferArgs<S>> => {
  const isFit = patiently(compile(spec).is)
  return fit(toObject(spec)).filter((value): value is InferArgs<S> => isFit(value))
}

/** Beside a violation, keys that nobody declared are pointed out as well. */
const withoutStrangers = (spec: SchemaSpec): fc.Arbitrary<unknown> =>
  fit(toObject(spec), { ...around, hasStrangers: false }).filter(patiently(compile(spec).is))

/**
 * Values that the spec takes but for one place. The violation of that place is the only one, and it stands at `path`.
 * A spec that has no such place misses as a whole: the value is a list.
 */
export const nearMiss = (spec: SchemaSpec): fc.Arbitrary<NearMiss> =>
  withoutStrangers(spec).chain((value) => {
    const whole: NearMiss = { value: [value], path: [], what: "wrong kind" }
    const [first = whole, ...more] = breakOne(toObject(spec), value).filter(({ path }) => path.length > 0)
    return fc.constantFrom(first, ...more)
  })

/** Values that fit, that were changed at a place or two, and that have nothing to do with the spec. */
export const near = (spec: SchemaSpec): fc.Arbitrary<unknown> => {
  compile(spec)
  const good = fit(toObject(spec))
  const once = good.chain(damage).map(({ value }) => value)
  const twice = once.chain(damage).map(({ value }) => value)
  return fc.oneof(good, good, once, twice, stranger)
}

/** Units: draws in a row that do not fit. */
const patience = 1000

/** Branches of `oneOf` can overlap so much that hardly a value is of one alone: a test must not look for it for ever. */
const patiently = (is: (value: unknown) => boolean) => {
  let misses = 0
  return (value: unknown): boolean => {
    misses = is(value) ? 0 : misses + 1
    if (misses < patience) return misses === 0
    throw new TypeError(
      `of ${patience} values that were drawn for this spec none fits: do branches of oneOf overlap?`,
    )
  }
}

const toObject = (spec: SchemaSpec): ObjectSpec =>
  isObjectSpec(spec) ? spec : { type: "object", properties: spec }

/** A property that is called `type` holds a spec, and is no text. */
const isObjectSpec = (spec: SchemaSpec): spec is ObjectSpec => spec["type"] === "object"
