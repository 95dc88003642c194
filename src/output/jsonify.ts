/**
 * Copy a value to JSON, or say at which paths it is none.
 *
 * In:  any value, also a hostile one.      Out: detached JSON (`undefined` for nothing), or every violation.
 * Fails with: nothing.
 * Not here: what the model reads of it (`Output.ts`).
 * Source: ECMA-262 `JSON.stringify`, but for what it loses: it would write NaN as null and drop functions.
 */
import { Result, type Schema } from "effect"
import * as Beginning from "../error/Beginning.ts"
import type { Violation } from "../error/Violation.ts"

type Path = ReadonlyArray<string | number>

/** The log takes 200 levels, and the result around an output is one of them; test/output/jsonify.prop.test.ts. */
const maxDepth = 199
const maxViolations = 20

/**
 * Units: characters of texts and keys, of which each takes six of JSON at the most; every other value counts as a few.
 * So the JSON stays below the longest string that V8 can make, 2^29 - 24. A text that is the whole output is not written
 * as JSON, and may be longer.
 */
const maxLength = 2 ** 26

/** What a number takes of that, with its comma; what any other value takes beside its texts. */
const numberCost = 4
const valueCost = 1

interface Walk {
  readonly violations: Array<Violation>
  /** The objects around the place, and the keys that lead to it. */
  readonly ancestors: Array<object>
  readonly path: Array<string | number>
  left: number
}

/** `toJSON` is honoured, keys that hold `undefined` are left out, lone surrogates become U+FFFD. */
export const jsonify = (value: unknown): Result.Result<Schema.Json | undefined, ReadonlyArray<Violation>> => {
  if (typeof value === "string") return Result.succeed(value.toWellFormed())
  const walk: Walk = { violations: [], ancestors: [], path: [], left: maxLength }
  const json = value === undefined ? undefined : copy(value, walk)
  return walk.violations.length === 0 ? Result.succeed(json) : Result.fail(walk.violations)
}

/** Write where in an output something is: `output.rows[3].name`. */
export const placeOf = (path: Path): string =>
  `output${path.map((key) => (typeof key === "number" ? `[${key}]` : `.${Beginning.of(key, 80)}`)).join("")}`

const isOver = ({ violations, left }: Walk): boolean => left < 0 || violations.length >= maxViolations

/** Take room; when there is none left, that is said once, and nothing more is looked at. */
const fits = (walk: Walk, cost: number): boolean => {
  walk.left -= cost
  if (walk.left >= 0) return true
  refuse({ ...walk, path: [] }, `at most ${maxLength} characters`, "more")
  return false
}

const copy = (value: unknown, walk: Walk): Schema.Json => {
  const cost =
    typeof value === "string" ? value.length + valueCost : typeof value === "number" ? numberCost : valueCost
  if (isOver(walk) || !fits(walk, cost)) return null
  switch (typeof value) {
    case "string":
      return value.toWellFormed()
    case "boolean":
      return value
    case "number":
      // JSON has no -0; adding 0 makes it 0.
      return Number.isFinite(value) ? value + 0 : refuse(walk, "a finite number", String(value))
    case "object":
      return value === null ? null : copyObject(value, walk)
    default:
      return refuse(walk, "a JSON value", typeof value === "undefined" ? "undefined" : `a ${typeof value}`)
  }
}

const copyObject = (value: object, walk: Walk): Schema.Json => {
  const { ancestors, path } = walk
  if (ancestors.includes(value)) return refuse(walk, "a JSON value", "a reference to an object around it")
  if (path.length >= maxDepth) return refuse(walk, `at most ${maxDepth} levels`, "a deeper one")
  ancestors.push(value)
  try {
    return copyMembers(value, walk)
  } catch {
    return refuse(walk, "a readable value", "one that throws when it is read")
  } finally {
    ancestors.pop()
  }
}

const copyMembers = (value: object, walk: Walk): Schema.Json => {
  if ("toJSON" in value && typeof value.toJSON === "function")
    return copyReplaced(value, value.toJSON(), walk)
  if (Array.isArray(value)) return copyItems(value, walk)
  if (!isPlain(value)) return refuse(walk, "a plain object", `a ${value.constructor.name} without toJSON`)
  const copied: Record<string, Schema.Json> = {}
  // All members are read before the first is copied: one that throws leaves nothing of them.
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    if (isOver(walk) || !fits(walk, key.length + valueCost)) break
    const name = key.toWellFormed()
    // Of two keys that become one, JSON would keep the second member alone.
    const isTaken = Object.hasOwn(copied, name)
    put(copied, name, isTaken ? refuseKey(key, walk) : copyAt(key, member, walk))
  }
  return copied
}

const refuseKey = (key: string, walk: Walk): null =>
  refuse(
    { ...walk, path: [...walk.path, key] },
    "a key of its own",
    "one that is another key when lone surrogates are U+FFFD",
  )

/** A key of this name would set the prototype. */
const put = (copied: Record<string, Schema.Json>, key: string, value: Schema.Json): void => {
  if (key !== "__proto__") copied[key] = value
  else Object.defineProperty(copied, key, { value, configurable: true, enumerable: true, writable: true })
}

const copyAt = (key: string | number, value: unknown, walk: Walk): Schema.Json => {
  walk.path.push(key)
  const copied = copy(value, walk)
  walk.path.pop()
  return copied
}

/** An array may say that it is longer than anything can be. */
const copyItems = (items: ReadonlyArray<unknown>, walk: Walk): Schema.Json => {
  const copied: Array<Schema.Json> = []
  for (let i = 0; i < items.length && !isOver(walk); i++) copied.push(copyAt(i, items[i], walk))
  return copied
}

/** An invalid Date says `null` of itself; that would lose it. */
const copyReplaced = (value: object, replaced: unknown, walk: Walk): Schema.Json =>
  value instanceof Date && replaced === null
    ? refuse(walk, "a valid date", "an invalid one")
    : copy(replaced, walk)

/** Also for objects of another realm, whose prototype is not ours. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const refuse = ({ path, violations }: Walk, expected: string, got: string): null => {
  const clean = path.map((key) => (typeof key === "number" ? key : key.toWellFormed()))
  violations.push({
    path: clean,
    expected,
    got,
    message: `${placeOf(clean)}: expected ${expected}, got ${got}`,
  })
  return null
}
