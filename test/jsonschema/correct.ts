/** A corrector that cannot read: it does what the `fix` of each violation says, and knows nothing else. */
import type { Schema } from "effect"
import type { Fix, Violation } from "../../src/error/Violation.ts"

type Json = Schema.Json
type Steps = ReadonlyArray<string | number>

/** Do all that can be done, in the order given; a violation without a fix changes nothing. */
export const correct = (value: Json, violations: ReadonlyArray<Violation>): Json =>
  violations.reduce(
    (changed, { fix, path }) => (fix === undefined ? changed : apply(changed, path, fix)),
    value,
  )

const apply = (value: Json, path: Steps, fix: Fix): Json => {
  switch (fix.kind) {
    case "rename":
      return change(value, path.slice(0, -1), (holder) => {
        if (!isObject(holder) || !Object.hasOwn(holder, fix.from)) return holder
        const { [fix.from]: moved = null, ...others } = holder
        return { ...others, [fix.to]: moved }
      })
    case "drop":
      return change(value, path.slice(0, -1), (holder) => {
        if (!isObject(holder)) return holder
        const { [fix.key]: _, ...others } = holder
        return others
      })
    case "unwrap":
      return change(value, path.slice(0, -1), (holder) => {
        const inside = isObject(holder) ? holder[fix.key] : undefined
        if (!isObject(holder) || inside === undefined || !isObject(inside)) return holder
        const { [fix.key]: _, ...others } = holder
        return { ...others, ...inside }
      })
    case "take":
      return change(value, path, () => fix.member)
    case "convert":
      return change(value, path, (old) => convert(old, fix.to))
  }
}

const convert = (value: Json, to: Extract<Fix, { readonly kind: "convert" }>["to"]): Json => {
  switch (to) {
    case "string":
      return String(value)
    case "number":
    case "integer":
      return Number(value)
    case "boolean":
      return String(value).trim().toLowerCase() === "true"
    case "null":
      return null
    case "json":
      return parse(String(value)) ?? value
    case "array":
      return [value]
    case "item":
      return Array.isArray(value) ? (value[0] ?? null) : value
  }
}

/** A fix can be wrong about a text: then the text stays. */
const parse = (text: string): Json | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const change = (value: Json, path: Steps, how: (old: Json) => Json): Json => {
  const [step, ...rest] = path
  if (step === undefined) return how(value)
  if (isArray(value)) return value.map((item, index) => (index === step ? change(item, rest, how) : item))
  if (!isObject(value)) return value
  const old = value[step]
  return old === undefined ? value : { ...value, [step]: change(old, rest, how) }
}

const isArray = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)
const isObject = (value: Json): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
