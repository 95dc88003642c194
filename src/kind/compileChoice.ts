/**
 * The kinds without parts: string, number, integer, boolean, null, and the closed choices enum and const.
 *
 * In:  the keywords of one spec.      Out: its `Place`.
 * Fails with: a `TypeError` when a choice is empty, doubled, or of another kind than its `type`.
 * Not here: kinds with parts (`compileArray.ts`, `compileObject.ts`).
 */
import { Schema } from "effect"
import { nearest } from "../text/Nearest.ts"
import { type Keywords, type Kind, type Place, refuse } from "./Place.ts"
import { didYouMean, list, mismatch, wrapped } from "./Words.ts"

type Scalar = string | number | boolean | null

/** What distinguishes one scalar from another. */
interface Trait {
  readonly type: string
  readonly schema: Schema.Codec<unknown, unknown>
  readonly expected: string
  readonly is: (value: unknown) => boolean
  /** What to do about a value of the wrong kind, when that can be told. */
  readonly hint: (value: unknown) => string | undefined
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)

/** The scalar that a text holds, if it is one other than a string; `True` is how Python writes it. */
const unquoted = (value: unknown): unknown => {
  if (typeof value !== "string" || value.length > 32) return undefined
  const text = value.trim().toLowerCase()
  if (text === "true" || text === "false") return text === "true"
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined
}

const withoutQuotes =
  (is: (value: unknown) => boolean) =>
  (value: unknown): string | undefined => {
    const held = unquoted(value)
    return held !== undefined && is(held) ? `write it without quotes: ${held}` : undefined
  }

const isSafeInteger = (value: unknown): boolean => Number.isSafeInteger(value)
const integerRange = `whole numbers beyond ±${Number.MAX_SAFE_INTEGER} are not exact`

const traits = {
  string: {
    type: "string",
    schema: Schema.String,
    expected: "string",
    is: (value) => typeof value === "string",
    hint: (value) =>
      Number.isFinite(value) || typeof value === "boolean" ? `write it in quotes: "${value}"` : undefined,
  },
  number: {
    type: "number",
    schema: Schema.Finite,
    expected: "number",
    is: Number.isFinite,
    hint: withoutQuotes(Number.isFinite),
  },
  integer: {
    type: "integer",
    schema: Schema.Int,
    expected: "integer",
    is: isSafeInteger,
    hint: (value) => (Number.isInteger(value) ? integerRange : withoutQuotes(isSafeInteger)(value)),
  },
  boolean: {
    type: "boolean",
    schema: Schema.Boolean,
    expected: "boolean (true or false without quotes)",
    is: (value) => typeof value === "boolean",
    hint: withoutQuotes((value) => typeof value === "boolean"),
  },
  null: {
    type: "null",
    schema: Schema.Null,
    expected: "null",
    is: (value) => value === null,
    hint: (value) => (value === "null" ? "write it without quotes: null" : undefined),
  },
} satisfies Record<string, Trait>

const plain = ({ type, schema, expected, is, hint }: Trait): Place => ({
  schema,
  jsonSchema: { type },
  expected,
  walk: (value, path, report) => {
    if (!is(value)) report(mismatch(path, expected, value, wrapped(value, is) ?? hint(value)))
  },
})

/** The listed members, believed only after a look. */
const membersOf = (spec: Keywords, at: string, trait: Trait | undefined): ReadonlyArray<Scalar> => {
  const isConst = Object.hasOwn(spec, "const")
  if (isConst && Object.hasOwn(spec, "enum")) return refuse(at, "has both enum and const")
  const given = isConst ? [spec["const"]] : spec["enum"]
  if (!Array.isArray(given) || given.length === 0) return refuse(at, "enum is no list of members")
  const members: ReadonlyArray<unknown> = given
  if (new Set(members).size < members.length) return refuse(at, "enum has a member twice")
  if (!members.every(isScalar))
    return refuse(at, "only strings, finite numbers, booleans and null can be listed")
  if (trait !== undefined && !members.every(trait.is)) return refuse(at, `a member is no ${trait.type}`)
  return members
}

const memberHint = (value: unknown, members: ReadonlyArray<Scalar>): string | undefined => {
  const held = value === "null" ? null : unquoted(value)
  if (members.some((member) => member === held)) return `write it without quotes: ${held}`
  const names = members.filter((member) => typeof member === "string")
  if (typeof value === "string") return didYouMean(nearest(value, names))
  return isScalar(value) && names.includes(String(value)) ? `write it in quotes: "${value}"` : undefined
}

const closed = (spec: Keywords, at: string, trait: Trait | undefined): Place => {
  const members = membersOf(spec, at, trait)
  const known = new Set<unknown>(members)
  const expected = members.length === 1 ? list(members) : `one of ${list(members)}`
  const choice = Object.hasOwn(spec, "const") ? { const: members[0] ?? null } : { enum: members }
  return {
    schema: Schema.Union(members.map((member) => (member === null ? Schema.Null : Schema.Literal(member)))),
    jsonSchema: trait === undefined ? choice : { type: trait.type, ...choice },
    expected,
    walk: (value, path, report) => {
      if (known.has(value)) return
      const hint = wrapped(value, (item) => known.has(item)) ?? memberHint(value, members)
      report(mismatch(path, expected, value, hint))
    },
  }
}

const choices = ["enum", "const"]

const kind = (trait: Trait): Kind => ({
  keywords: choices,
  compile: (spec, at) =>
    choices.some((keyword) => Object.hasOwn(spec, keyword)) ? closed(spec, at, trait) : plain(trait),
})

export const string = kind(traits.string)
export const number = kind(traits.number)
export const integer = kind(traits.integer)
export const boolean: Kind = { ...kind(traits.boolean), keywords: ["const"] }
export const null_: Kind = { ...kind(traits.null), keywords: [] }

/** No `type`: only a choice can stand alone. */
export const choice: Kind = {
  keywords: choices,
  compile: (spec, at) =>
    choices.some((keyword) => Object.hasOwn(spec, keyword))
      ? closed(spec, at, undefined)
      : refuse(at, "has no type, enum or const"),
}
