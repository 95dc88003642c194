/**
 * Find by trying what would repair a place: the check itself is asked.
 *
 * In:  violations and the complaints that they come from, the value, the compiled schema.      Out: the same, with a hint and a fix where one holds.
 * Fails with: nothing.
 * Order: the first conversion that leaves nothing to complain of at its place is the advice.
 * Not here: renamed and superfluous keys, members of an enum (`toViolation.ts`).
 */
import type { Fix, Violation } from "../error/Violation.ts"
import { type Advice, convert, isRecord, leaveOut, type Path } from "../kind/Words.ts"
import type { Compiled } from "./compileSchema.ts"
import type { AjvError } from "./loadAjv.ts"
import { pointerTo, valueAt } from "./pointer.ts"
import { reduce } from "./reduceErrors.ts"

/** How many violations get such an answer: each costs a few checks of the whole value. */
const maxTried = 16

interface Try {
  readonly advice: Advice
  /** What the place would hold; absent when it would go. */
  readonly next?: unknown
}

export const addAdvice = (
  violations: ReadonlyArray<Violation>,
  errors: ReadonlyArray<AjvError>,
  value: unknown,
  compiled: Compiled,
): ReadonlyArray<Violation> => {
  const ofKind = new Set(errors.filter(isOfKind).map(({ instancePath }) => instancePath))
  return violations.map((violation, index) => {
    const { fix, got, path } = violation
    if (index >= maxTried || fix !== undefined || got === "nothing" || !ofKind.has(pointerTo(path)))
      return violation
    const works = (one: Try) => !complainsAt(path, one, replace(value, path, one.next), compiled)
    const there = valueAt(value, path)
    const found = triesOf(there, violation).find(works)
    if (found !== undefined) return { ...violation, ...found.advice }
    return isNestedText(there) ? { hint: nestedHint, ...violation } : violation
  })
}

/** A value that breaks a bound is of the right kind: writing it as another would only dodge the check. */
const isOfKind = ({ keyword }: AjvError): boolean =>
  keyword === "type" || keyword === "enum" || keyword === "const"

/** What text holds as JSON may have faults of its own; all other conversions must leave none in the place. */
const complainsAt = (path: Path, { advice }: Try, value: unknown, compiled: Compiled): boolean => {
  const isNested = advice.fix?.kind === "convert" && advice.fix.to === "json"
  return reduce(compiled.all(value), value, compiled).some(
    (violation) =>
      (!isNested || violation.path.length === path.length) &&
      path.every((step, index) => step === violation.path[index]),
  )
}

const triesOf = (value: unknown, { path, expected }: Violation): ReadonlyArray<Try> => {
  const tries: Array<Try> = []
  const add = (to: Extract<Fix, { readonly kind: "convert" }>["to"], next: unknown, shown?: string) => {
    tries.push({ advice: convert(to, shown), next })
  }
  const key = path.at(-1)
  if (value === null && typeof key === "string") tries.push({ advice: leaveOut(key) })
  if (typeof value === "string" && value.length <= maxText) {
    const spelled = spell(value)
    if (typeof spelled === "number")
      add(/\binteger\b/.test(expected) ? "integer" : "number", spelled, String(spelled))
    else if (typeof spelled === "boolean") add("boolean", spelled, String(spelled))
    else if (spelled === null) add("null", spelled, "null")
    else if (spelled !== undefined) add("json", spelled)
  }
  if (typeof value === "number" || typeof value === "boolean")
    add("string", String(value), JSON.stringify(String(value)))
  if (Array.isArray(value) && value.length === 1) add("item", value[0])
  if (value !== null && value !== undefined && !Array.isArray(value) && !isNestedText(value))
    add("array", [value])
  return tries
}

/** Text that is an array or an object to whoever wrote it; it may be Python's way to write one. */
const isNestedText = (value: unknown): boolean => typeof value === "string" && /^\s*[[{]/.test(value)
const nestedHint = "write it as JSON itself, without quotes around it"

/** Units: UTF-16 code units of a text that is looked into. */
const maxText = 100_000

/** What a text spells: a number, a boolean (as Python writes it, too), null, an object or an array; else undefined. */
const spell = (text: string): unknown => {
  const lower = text.trim().toLowerCase()
  if (lower === "true" || lower === "false") return lower === "true"
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "string" ? undefined : value
  } catch {
    return undefined
  }
}

/** Copy along the path only. */
const replace = (value: unknown, path: Path, next: unknown): unknown => {
  const [step, ...rest] = path
  if (step === undefined) return next
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? replace(item, rest, next) : item))
  if (!isRecord(value)) return value
  const changed = replace(value[step], rest, next)
  if (changed !== undefined) return { ...value, [step]: changed }
  const { [step]: _, ...others } = value
  return others
}
