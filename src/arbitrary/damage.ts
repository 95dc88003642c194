/**
 * Change one place of a value, whatever its spec says of it.
 *
 * In:  a value.      Out: an arbitrary of the value with something else at one place, mostly deep inside.
 * Not here: changes of which it is known what they break (`breakOne.ts`).
 */
import { Predicate } from "effect"
import * as fc from "fast-check"
import { oddNumber, oddWord, propertyNames } from "./oddWords.ts"

const oddValue = fc.constantFrom<unknown>(null, true, "true", "5", "null", "[]", "{}", [], {}, undefined)

export const stranger: fc.Arbitrary<unknown> = fc.oneof(
  oddNumber,
  oddValue,
  oddWord,
  fc.jsonValue({ maxDepth: 1 }),
)

/** A value with one place changed, and where that is. */
export interface Damaged {
  readonly value: unknown
  readonly path: ReadonlyArray<string | number>
}

/** Change one place, mostly deep inside: see `misplace`. */
export const damage = (value: unknown): fc.Arbitrary<Damaged> => {
  const members: ReadonlyArray<readonly [string, unknown]> =
    typeof value === "object" && value !== null ? Object.entries(value) : []
  const here = misplace(value).map((other): Damaged => ({ value: other, path: [] }))
  if (members.length === 0) return here
  const inside = fc.constantFrom(...members).chain(([key, member]) =>
    damage(member).map(
      (other): Damaged => ({
        value: replace(value, key, other.value),
        path: [Array.isArray(value) ? Number(key) : key, ...other.path],
      }),
    ),
  )
  return fc.oneof({ arbitrary: inside, weight: 4 }, { arbitrary: here, weight: 1 })
}

/** Put something else in place of a value: a stranger, its text, the value wrapped, or it with a key gone, misspelt or added. */
const misplace = (value: unknown): fc.Arbitrary<unknown> => {
  const others: Array<fc.Arbitrary<unknown>> = [
    typeof value === "number" ? oddNumber : stranger,
    stranger,
    fc.constantFrom(JSON.stringify(value), [value], { path: value }),
  ]
  if (Array.isArray(value)) others.push(fc.constantFrom([...value, ...value], value.slice(1)))
  if (typeof value === "string") others.push(fc.constantFrom(`${value}😀`, `${value}abcd`, value.slice(1)))
  if (Predicate.isReadonlyObject(value)) {
    const key = fc.constantFrom("pth", ...propertyNames, ...Object.keys(value))
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
