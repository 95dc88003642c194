/**
 * The words of a violation: short, from the spec, with no more of the input than the fragment that offends.
 *
 * In:  a path, what was wanted, what came.      Out: `Violation`s, and the pieces they are made of.
 * Not here: whether something is a violation (`compile*.ts`), the text of a whole list (`spec/Violations.ts`).
 */
import { Predicate, Result } from "effect"
import type { Fix, Violation } from "../error/Violation.ts"
import { parse } from "../text/ArgumentText.ts"
import { count, cut, maxFragment, quote } from "../text/Excerpt.ts"

export type Path = Violation["path"]

/** What to do about a violation, in words and for a program. */
export interface Advice {
  readonly hint: string
  readonly fix?: Fix
}

type Conversion = Extract<Fix, { readonly kind: "convert" }>["to"]

/** Units: UTF-16 code units of a list of names or members. */
const maxList = 400

/** List what there is, as much as fits. */
export const list = (members: ReadonlyArray<unknown>): string => {
  const shown: Array<string> = []
  let length = 0
  for (const member of members) {
    const text = typeof member === "string" ? quote(member) : JSON.stringify(member)
    length += text.length + 2
    if (length > maxList) return `${shown.join(", ")} … (${members.length} in all)`
    shown.push(text)
  }
  return shown.join(", ")
}

/** Say what came: its kind, and its value when that is short. */
export const describe = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return `array of ${count(value.length, "item")}`
  switch (typeof value) {
    case "string":
      return `string ${quote(value)}`
    case "number":
      return Number.isFinite(value) ? `number ${value}` : "number out of range"
    case "boolean":
      return `boolean ${value}`
    case "object":
      return `object with ${count(Object.keys(value).length, "key")}`
    default:
      return typeof value
  }
}

/** Write a path as one would in JavaScript; the root is called `arguments`. */
export const place = (path: Path): string => {
  let text = ""
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`
    else if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(step) || step.length > maxFragment)
      text += `[${quote(step)}]`
    else text += text === "" ? step : `.${step}`
  }
  return text === "" ? "arguments" : cut(text, maxList)
}

/** Something else was wanted; `got` says what came where the value alone does not. */
export const mismatch = (
  path: Path,
  expected: string,
  value: unknown,
  advice?: Advice,
  got = describe(value),
): Violation => ({ path, expected, got, message: `${place(path)}: want ${expected}, got ${got}`, ...advice })

/** A required key is not there; `instead` is the unknown key that may have been meant for it. */
export const missing = (path: Path, expected: string | undefined, instead?: string): Violation => {
  const name = String(path.at(-1))
  const advice: Advice | undefined =
    instead === undefined
      ? undefined
      : {
          hint: `you sent ${quote(instead)}, did you mean ${quote(name)}?`,
          fix: { kind: "rename", from: instead, to: name },
        }
  return {
    path,
    expected: expected ?? "a value",
    got: nothing,
    message: `${place(path)}: missing, ${expected === undefined ? "it is required" : `want ${expected}`}`,
    ...advice,
  }
}

const nothing = "nothing"

/** A key is not in the spec: a violation of a closed object, else only worth a word. `known` are the keys there are. */
export const unknownKey = (path: Path, known: ReadonlyArray<string>, advice?: Advice): Violation => {
  const expected = known.length === 0 ? "no keys" : `one of the keys ${list(known)}`
  const got = `unknown key ${quote(String(path.at(-1)))}`
  return { path, expected, got, message: `${place(path)}: unknown key, want ${expected}`, ...advice }
}

/** An object was wanted. */
export const noObject = (value: unknown, path: Path): Violation =>
  mismatch(path, "object", value, unwrap(value, isRecord) ?? unnest(value, "{", "object"))

export const isRecord: (value: unknown) => value is Readonly<Record<string, unknown>> =
  Predicate.isReadonlyObject

/** Advise to write a value as another kind. */
export const convert = (to: Conversion, shown?: string): Advice => ({
  hint: shown === undefined ? inWords[to] : `${inWords[to]}: ${shown}`,
  fix: { kind: "convert", to },
})

const withoutQuotes = "write it without quotes"

const inWords: Record<Conversion, string> = {
  string: "write it in quotes",
  number: withoutQuotes,
  integer: withoutQuotes,
  boolean: withoutQuotes,
  null: withoutQuotes,
  json: "it is JSON inside a string (encoded twice): write it itself, without quotes around it",
  array: "put it in an array, also when it is the only one",
  item: "write it without the array around it",
}

/** The scalar that a text holds, if it is one other than a string; `True` is how Python writes it. */
export const unquote = (value: unknown): unknown => {
  if (typeof value !== "string" || value.length > 32) return undefined
  const text = value.trim().toLowerCase()
  if (text === "true" || text === "false") return text === "true"
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text) ? Number(text) : undefined
}

/** What to do about the right thing in a list of one. */
export const unwrap = (value: unknown, fits: (item: unknown) => boolean): Advice | undefined =>
  Array.isArray(value) && value.length === 1 && fits(value[0]) ? convert("item") : undefined

/** What to do about text that holds what should have been sent itself. */
export const unnest = (value: unknown, opening: "{" | "[", kind: "object" | "array"): Advice | undefined => {
  if (typeof value !== "string" || !value.trimStart().startsWith(opening)) return undefined
  const written = `write the ${kind} itself`
  // Python's way to write one is no JSON, and no program can convert it.
  if (Result.isFailure(parse(value))) return { hint: `${written} as JSON, without quotes around it` }
  const hint = `it is JSON inside a string (encoded twice): ${written}, without quotes around it`
  return { hint, fix: { kind: "convert", to: "json" } }
}

/** What to do about a key that says nothing, or should not be there. */
export const leaveOut = (key: string): Advice => ({ hint: "leave it out", fix: { kind: "drop", key } })

/** What to do about arguments that stand inside another key. */
export const moveUp = (key: string, hint: string): Advice => ({ hint, fix: { kind: "unwrap", key } })

/** Offer names; none when there are none. */
export const didYouMean = (names: ReadonlyArray<string>): string | undefined =>
  names.length === 0 ? undefined : `did you mean ${names.map((name) => quote(name)).join(" or ")}?`

/** Say the same without a piece of the value: its kind alone. A hint stays only where it is about the kind. */
export const hide = (violation: Violation): Violation => {
  const { path, expected, got, message, fix } = violation
  if (got === nothing) return { path, expected, got, message }
  const kind = `${/^\w+/.exec(got)?.[0] ?? "value"} (hidden)`
  const words = { path, expected, got: kind, message: `${place(path)}: want ${expected}, got ${kind}` }
  return fix?.kind === "convert" ? { ...words, ...convert(fix.to) } : words
}

/** Whether `hide` has been here. */
export const isHidden = ({ got }: Violation): boolean => /^\w+ \(hidden\)$/.test(got)
