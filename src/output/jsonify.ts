/**
 * Copy a value to JSON, or say at which paths it is none.
 *
 * In:  any value, also a hostile one.      Out: detached JSON (`undefined` for nothing), or every violation.
 * Fails with: nothing.
 * Not here: what the model reads of it (`Output.ts`).
 * Source: ECMA-262 `JSON.stringify`, but for what it loses: it would write NaN as null and drop functions.
 */
import { Result, type Schema } from "effect"
import type { Violation } from "../error/Violation.ts"

type Path = ReadonlyArray<string | number>

/** The log takes 200 levels, and the result around an output is one of them; test/output/jsonify.prop.test.ts. */
const maxDepth = 199
const maxViolations = 20

interface Walk {
  readonly violations: Array<Violation>
  readonly ancestors: Set<object>
}

/** `toJSON` is honoured, keys that hold `undefined` are left out, lone surrogates become U+FFFD. */
export const jsonify = (value: unknown): Result.Result<Schema.Json | undefined, ReadonlyArray<Violation>> => {
  const walk: Walk = { violations: [], ancestors: new Set() }
  const json = value === undefined ? undefined : copy(value, [], walk)
  return walk.violations.length === 0 ? Result.succeed(json) : Result.fail(walk.violations)
}

/** Replace what no UTF-8 file can hold. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\uFFFD")

/** Write where in an output something is: `output.rows[3].name`. */
export const placeOf = (path: Path): string =>
  `output${path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key.slice(0, 80)}`)).join("")}`

const copy = (value: unknown, path: Path, walk: Walk): Schema.Json => {
  if (walk.violations.length >= maxViolations) return null
  switch (typeof value) {
    case "string":
      return wellFormed(value)
    case "boolean":
      return value
    case "number":
      // JSON has no -0; adding 0 makes it 0.
      return Number.isFinite(value) ? value + 0 : refuse(walk, path, "a finite number", String(value))
    case "object":
      return value === null ? null : copyObject(value, path, walk)
    default:
      return refuse(
        walk,
        path,
        "a JSON value",
        typeof value === "undefined" ? "undefined" : `a ${typeof value}`,
      )
  }
}

const copyObject = (value: object, path: Path, walk: Walk): Schema.Json => {
  if (walk.ancestors.has(value))
    return refuse(walk, path, "a JSON value", "a reference to an object around it")
  if (path.length >= maxDepth) return refuse(walk, path, `at most ${maxDepth} levels`, "a deeper one")
  walk.ancestors.add(value)
  try {
    return copyMembers(value, path, walk)
  } catch {
    return refuse(walk, path, "a readable value", "one that throws when it is read")
  } finally {
    walk.ancestors.delete(value)
  }
}

const copyMembers = (value: object, path: Path, walk: Walk): Schema.Json => {
  if ("toJSON" in value && typeof value.toJSON === "function")
    return copyReplaced(value, value.toJSON(), path, walk)
  if (Array.isArray(value)) return Array.from(value, (item, index) => copy(item, [...path, index], walk))
  if (!isPlain(value))
    return refuse(walk, path, "a plain object", `a ${value.constructor.name} without toJSON`)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    members.map(([key, member]) => [wellFormed(key), copy(member, [...path, key], walk)]),
  )
}

/** An invalid Date says `null` of itself; that would lose it. */
const copyReplaced = (value: object, replaced: unknown, path: Path, walk: Walk): Schema.Json =>
  value instanceof Date && replaced === null
    ? refuse(walk, path, "a valid date", "an invalid one")
    : copy(replaced, path, walk)

/** Also for objects of another realm, whose prototype is not ours. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const refuse = (walk: Walk, path: Path, expected: string, got: string): null => {
  const clean = path.map((key) => (typeof key === "number" ? key : wellFormed(key)))
  walk.violations.push({
    path: clean,
    expected,
    got,
    message: `${placeOf(clean)}: expected ${expected}, got ${got}`,
  })
  return null
}
