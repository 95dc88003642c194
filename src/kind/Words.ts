/**
 * The words of a violation: short, from the spec, with no more of the input than the fragment that offends.
 *
 * In:  a path, what was wanted, what came.      Out: `Violation`s, and the quoted pieces they are made of.
 * Not here: whether something is a violation (`compile*.ts`), the text of a whole list (`Violations.ts`).
 */
import type { Violation } from "../error/Violation.ts"
import { count, cut, maxFragment, quote } from "../text/Excerpt.ts"

export type Path = Violation["path"]

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

const withHint = (violation: Violation, hint: string | undefined): Violation =>
  hint === undefined ? violation : { ...violation, hint }

/** Something else was wanted. */
export const mismatch = (path: Path, expected: string, value: unknown, hint?: string): Violation => {
  const got = describe(value)
  return withHint({ path, expected, got, message: `${place(path)}: want ${expected}, got ${got}` }, hint)
}

/** A required key is not there; `instead` is the unknown key that may have been meant for it. */
export const missing = (path: Path, expected: string | undefined, instead?: string): Violation =>
  withHint(
    {
      path,
      expected: expected ?? "a value",
      got: "nothing",
      message: `${place(path)}: missing, ${expected === undefined ? "it is required" : `want ${expected}`}`,
    },
    instead === undefined
      ? undefined
      : `you sent ${quote(instead)}, did you mean ${quote(String(path.at(-1)))}?`,
  )

/** What to do about the right thing in a list of one. */
export const wrapped = (value: unknown, fits: (item: unknown) => boolean): string | undefined =>
  Array.isArray(value) && value.length === 1 && fits(value[0])
    ? "write it without the array around it"
    : undefined

/** What to do about text that holds what should have been sent itself. */
export const nestedText = (value: unknown, opening: string, kind: string): string | undefined =>
  typeof value === "string" && value.trimStart().startsWith(opening)
    ? `it is JSON inside a string (encoded twice): write the ${kind} itself, without quotes around it`
    : undefined

/** A key is not in the spec; worth a word only beside other violations. `known` are the keys there are. */
export const unknownKey = (path: Path, known: ReadonlyArray<string>, hint?: string): Violation => {
  const expected = known.length === 0 ? "no keys" : `one of the keys ${list(known)}`
  const got = `unknown key ${quote(String(path.at(-1)))}`
  return withHint({ path, expected, got, message: `${place(path)}: unknown key, want ${expected}` }, hint)
}

/** Offer names; none when there are none. */
export const didYouMean = (names: ReadonlyArray<string>): string | undefined =>
  names.length === 0 ? undefined : `did you mean ${names.map((name) => quote(name)).join(" or ")}?`

/** An object was wanted. */
export const noObject = (value: unknown, path: Path): Violation =>
  mismatch(path, "object", value, wrapped(value, isRecord) ?? nestedText(value, "{", "object"))

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
