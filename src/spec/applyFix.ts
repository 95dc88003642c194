/**
 * Do to a value what the fix of a violation says.
 *
 * In:  a value, the place, the fix.      Out: a new value, copied along the path only; `undefined` when it cannot be done.
 * Fails with: nothing.
 * Not here: whether it may be done (`Leniency.ts`), renamed and moved keys: no policy permits them.
 */
import { Result, type Schema } from "effect"
import type { Fix, Violation } from "../error/Violation.ts"
import { unquote } from "../kind/Words.ts"
import { parse } from "../text/ArgumentText.ts"

type Json = Schema.Json
type Path = Violation["path"]

export const applyFix = (value: Json, path: Path, fix: Fix): Json | undefined => {
  const old = valueAt(value, path)
  if (old === undefined) return undefined
  if (fix.kind === "drop") return replaceAt(value, path, undefined)
  const next = fix.kind === "take" ? fix.member : fix.kind === "convert" ? convert(old, fix.to) : undefined
  return next === undefined ? undefined : replaceAt(value, path, next)
}

const convert = (value: Json, to: Extract<Fix, { readonly kind: "convert" }>["to"]): Json | undefined => {
  if (to === "array") return [value]
  if (typeof value !== "string") return undefined
  if (to === "json") return Result.getOrUndefined(parse(value))
  const held = unquote(value)
  const isWanted = typeof held === (to === "integer" ? "number" : to)
  return isWanted && (typeof held === "number" || typeof held === "boolean") ? held : undefined
}

/** The own member at a path; `undefined` when there is none. */
export const valueAt = (value: unknown, path: Path): Json | undefined => {
  let here: unknown = value
  for (const step of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined
    here = Reflect.get(here, step)
  }
  return isJson(here) ? here : undefined
}

/** Parts of JSON are JSON. */
const isJson = (value: unknown): value is Json => value !== undefined

/** Put a value in place of another, or take the other away. */
const replaceAt = (value: Json, path: Path, next: Json | undefined): Json | undefined => {
  const [step, ...rest] = path
  if (step === undefined || typeof value !== "object" || value === null) return next
  if (isArray(value))
    return value.flatMap((item, index) => (index === step ? keep(replaceAt(item, rest, next)) : [item]))
  const changed: Record<string, Json> = Object.create(null)
  for (const [key, member] of Object.entries(value)) {
    const other = key === step ? replaceAt(member, rest, next) : member
    if (other !== undefined) changed[key] = other
  }
  return { ...changed }
}

const keep = (item: Json | undefined): ReadonlyArray<Json> => (item === undefined ? [] : [item])

const isArray = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)
