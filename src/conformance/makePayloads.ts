/**
 * Payloads of every core type of event, made of their schemas: all members, each of them left out once, every kind.
 *
 * In:  nothing.      Out: `payloadsOf`, the same each time. At every place there are two values at least, but for what can be
 * one only; numbers reach their bounds, and texts are odd.
 * Not here: whether a payload makes sense among others; a store does not ask.
 * Source: the schemas (`event/SessionEvent.ts`), so that a type or a member that is new there is kept here, too.
 */
import type { SchemaAST } from "effect"
import { type CoreType, payloads } from "../event/SessionEvent.ts"

/** The first one is an address, for what must be one; the others take turns. */
const address = "https://example.org/a?b=\u00e9#\u{1f600}"
const texts: ReadonlyArray<string> = [
  "",
  "astral \u{1f600} \u{10ffff} and \u4f60",
  "NUL \u0000, \u001f and \u007f",
  "line\u2028separator, \u0085, CR \r, LF \n",
  `quotes " ' and backslashes \\ \\n \\u0000 {"seq":0}`,
  "\ufeffe\u0301 is not \u00e9",
]
const numbers = [0, 1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 5e-324, Number.MAX_VALUE, -1.5, 0.1]

const json: ReadonlyArray<unknown> = [
  { z: 1, a: { "10": true, b: null, "2": false }, "": [[], {}] },
  ["\u{1f600}\u0000", Number.MAX_VALUE, [1, [2, [3]]]],
  0,
  "",
  null,
  false,
]

/** Takes turns over all payloads. */
type Turn = () => number

const samples = (ast: SchemaAST.AST, turn: Turn): ReadonlyArray<unknown> => {
  const checks = flatten(ast.checks ?? [])
  const fits = (value: unknown) => checks.every((check) => check.run(value, ast, {}) === undefined)
  const all = ast._tag === "String" ? textsThatFit(fits, turn) : samplesOfKind(ast, turn)
  return all.filter(fits)
}

const flatten = (checks: ReadonlyArray<SchemaAST.Check<unknown>>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  checks.flatMap((check) => (check._tag === "Filter" ? [check] : flatten(check.checks)))

const textsThatFit = (fits: (text: string) => boolean, turn: Turn): ReadonlyArray<string> => {
  const some = texts.filter(fits)
  return [address, ...some.slice(turn() % some.length).slice(0, 1)]
}

const samplesOfKind = (ast: SchemaAST.AST, turn: Turn): ReadonlyArray<unknown> => {
  switch (ast._tag) {
    case "Number":
      return numbers
    case "Boolean":
      return [true, false]
    case "Null":
      return [null]
    case "Literal":
      return [ast.literal]
    case "Union":
      return ast.types.flatMap((type) => samples(type, turn))
    case "Arrays":
      return samplesOfArray(ast, turn)
    case "Objects":
      return ast.indexSignatures.length === 0 ? samplesOfStruct(ast, turn) : samplesOfRecord(ast, turn)
    // Nothing but JSON of any kind is declared; what else there may be one day has no sample, and is refused where it is made.
    case "Declaration":
      return json
    default:
      return []
  }
}

const samplesOfArray = ({ rest }: SchemaAST.Arrays, turn: Turn): ReadonlyArray<unknown> => {
  const members = rest.flatMap((type) => samples(type, turn))
  return [members, members.slice(-1), []]
}

const samplesOfRecord = ({ indexSignatures }: SchemaAST.Objects, turn: Turn): ReadonlyArray<unknown> => {
  const members = indexSignatures.flatMap(({ type }) => samples(type, turn))
  const named = (prefix: string) => Object.fromEntries(members.map((member, n) => [`${prefix}${n}`, member]))
  return [named("z\u{1f600}"), { "": members.at(-1), ...named("") }, {}]
}

/** As many as the longest list of a member has, and more with each optional one left out, and with all of them. */
const samplesOfStruct = ({ propertySignatures }: SchemaAST.Objects, turn: Turn): ReadonlyArray<unknown> => {
  const members = propertySignatures.map(({ name, type }) => ({
    name,
    isOptional: type.context?.isOptional === true,
    values: samples(type, turn),
  }))
  const without = (at: number, isLeftOut: (name: PropertyKey) => boolean) =>
    Object.fromEntries(
      members.flatMap(({ name, values }) => (isLeftOut(name) ? [] : [[name, values[at % values.length]]])),
    )
  const optional = members.filter(({ isOptional }) => isOptional).map(({ name }) => name)
  const rows = Math.max(1, ...members.map(({ values }) => values.length))
  return [
    ...Array.from({ length: rows }, (_, at) => without(at, () => false)),
    ...optional.map((left, at) => without(at, (name) => name === left)),
    ...(optional.length < 2 ? [] : [without(0, (name) => optional.includes(name))]),
  ]
}

/** Payloads of a type; together they have every member, and every kind of it. */
export const payloadsOf = (type: CoreType): ReadonlyArray<unknown> => {
  let turns = 0
  return samples(payloads[type].ast, () => turns++)
}
