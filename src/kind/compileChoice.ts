/**
 * The closed choices: one of the scalars that `enum` or `const` lists, of one type or of several.
 *
 * In:  the keywords of one spec, and the place of its type when it has one.      Out: its `Place`.
 * Fails with: a `TypeError` when a choice is empty, doubled, or of another kind than its `type`.
 * Not here: choices among specs (`compileUnion.ts`).
 */
import { Schema } from "effect"
import type { Fix } from "../error/Violation.ts"
import { nearest } from "../text/Nearest.ts"
import { type Code, type Keywords, type Place, refuse, type Scalar } from "./Place.ts"
import { type Advice, convert, didYouMean, list, mismatch, unquote, unwrap } from "./Words.ts"

export const choices: ReadonlyArray<string> = ["enum", "const"]

export const isChoice = (spec: Keywords): boolean =>
  choices.some((keyword) => Object.hasOwn(spec, keyword) && spec[keyword] !== undefined)

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)

/** Make the place of a choice; `base` is what its `type` alone would take. */
export const compileChoice = (spec: Keywords, at: string, base: Place | undefined): Place => {
  const members = readMembers(spec, at, base)
  const known = new Set<unknown>(members)
  const expected = members.length === 1 ? list(members) : `one of ${list(members)}`
  const choice = spec["const"] === undefined ? { enum: members } : { const: members[0] ?? null }
  return {
    is: (value) => known.has(value),
    ...(members.length > maxCompared ? {} : { code: compare(members) }),
    walk: (value, path, report) => {
      if (known.has(value)) return
      const advice = unwrap(value, (item) => known.has(item)) ?? adviseMember(value, members)
      report.add(mismatch(path, expected, value, advice))
    },
    codec: () =>
      Schema.Union(members.map((member) => (member === null ? Schema.Null : Schema.Literal(member)))),
    jsonSchema: base === undefined ? choice : { ...base.jsonSchema, ...choice },
    expected,
    values: members,
  }
}

/** More members than this are looked up in a set. */
const maxCompared = 8

/** A listed member is a scalar that JSON writes as JavaScript does. */
const compare =
  (members: ReadonlyArray<Scalar>): Code =>
  (value) =>
    `(${members.map((member) => `${value} === ${JSON.stringify(member)}`).join(" || ")})`

/** The listed members, believed only after a look. */
const readMembers = (spec: Keywords, at: string, base: Place | undefined): ReadonlyArray<Scalar> => {
  const { enum: listed, const: only } = spec
  if (listed !== undefined && only !== undefined) return refuse(at, "has both enum and const")
  const given = only === undefined ? listed : [only]
  if (!Array.isArray(given) || given.length === 0) return refuse(at, "enum is no list of members")
  const members: ReadonlyArray<unknown> = given
  if (new Set(members).size < members.length) return refuse(at, "enum has a member twice")
  if (!members.every(isScalar))
    return refuse(at, "only strings, finite numbers, booleans and null can be listed")
  const stray = members.find((member) => base?.is(member) === false)
  if (stray !== undefined) return refuse(at, `the member ${list([stray])} is no ${base?.expected}`)
  return members
}

const adviseMember = (value: unknown, members: ReadonlyArray<Scalar>): Advice | undefined => {
  const held = value === "null" ? null : unquote(value)
  const meant = members.find((member) => member === held)
  if (meant !== undefined) return { ...convert(kindOf(meant), String(meant)), fix: take(meant) }
  const names = members.filter((member) => typeof member === "string")
  if (typeof value === "string") {
    const near = nearest(value, names)
    const hint = didYouMean(near)
    const [first] = near
    return hint === undefined || first === undefined ? undefined : { hint, fix: take(first) }
  }
  const text = isScalar(value) ? String(value) : undefined
  return text !== undefined && names.includes(text)
    ? { ...convert("string", `"${text}"`), fix: take(text) }
    : undefined
}

const kindOf = (member: Scalar): "null" | "boolean" | "number" =>
  member === null ? "null" : typeof member === "boolean" ? "boolean" : "number"

const take = (member: Scalar): Fix => ({ kind: "take", member })
