/**
 * Copy a value that JSON can hold without loss, and say where one that it cannot hold goes wrong.
 *
 * In:  any value.      Out: a deeply frozen copy that shares nothing with it, equal to what a parse of its text gives.
 * Fails with: `Flaw`: NaN, Infinity, -0, undefined, holes, BigInt, functions, symbols, class instances, cycles, names on
 * arrays. Symbol keys and hidden properties, which no enumeration shows, are not copied.
 * Not here: whether the copy has the right shape (`EventCodec.ts`).
 */
import { Result, type Schema } from "effect"

type Json = Schema.Json

/** Deeper values are refused; cycles end here too. */
export const maxDepth = 200

/** Where a value is no JSON and why, in one line. */
export interface Flaw {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

/** Learns its path on the way out, so that a copy that succeeds need not know where it is. */
class Stop extends Error {
  readonly path: Array<string | number> = []
}

/** Copy and freeze. Every property is read once; accessors and proxies cannot change the copy later. */
export const make = (value: unknown): Result.Result<Json, Flaw> => {
  try {
    return Result.succeed(copy(value, 0))
  } catch (cause) {
    const { path, message } = toStop(cause)
    return Result.fail({ path, message: `${showPath(path)} ${message}` })
  }
}

const toStop = (cause: unknown): Stop => (cause instanceof Stop ? cause : new Stop("throws while being read"))

const stopAt = (step: string | number, cause: unknown): Stop => {
  const stop = toStop(cause)
  stop.path.unshift(step)
  return stop
}

/** Write a path for people: `data.content[0].text`. Of a long one the middle is left out. */
export const showPath = (path: ReadonlyArray<string | number>, root = "data"): string => {
  const isLong = path.length > maxShownSteps
  const half = Math.floor(maxShownSteps / 2)
  const steps = isLong ? [path.slice(0, half), path.slice(-half)] : [path]
  return root + steps.map((part) => part.map(showStep).join("")).join(" … ")
}

/** Units: steps of a path. */
const maxShownSteps = 16

const showStep = (key: string | number): string => (typeof key === "number" ? `[${key}]` : `.${key}`)

const copy = (value: unknown, depth: number): Json => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      if (Number.isFinite(value) && !Object.is(value, -0)) return value
      throw new Stop(`is ${Object.is(value, -0) ? "-0" : String(value)}, which JSON cannot hold`)
    case "object":
      if (value === null) return null
      if (depth >= maxDepth) throw new Stop(`is nested deeper than ${maxDepth} levels, or a cycle`)
      return Array.isArray(value) ? copyArray(value, depth + 1) : copyObject(value, depth + 1)
    default:
      throw new Stop(
        `is ${typeof value === "undefined" ? "undefined" : `a ${typeof value}`}, which JSON cannot hold`,
      )
  }
}

const copyArray = (value: ReadonlyArray<unknown>, depth: number): Json => {
  // In every realm Array.prototype is an array itself, and the prototype of a class that extends Array is none.
  if (!Array.isArray(Object.getPrototypeOf(value)))
    throw new Stop(`is an instance of ${className(value)}, not a plain array`)
  const result: Array<Json> = []
  let index = 0
  try {
    for (; index < value.length; index++) result.push(copy(value[index], depth))
  } catch (cause) {
    throw stopAt(index, cause)
  }
  const keys = Object.keys(value)
  // Names come after all indices.
  const isList = keys.length === 0 || keys.at(-1) === String(result.length - 1)
  const named = isList ? undefined : keys.find((key, at) => key !== String(at))
  if (named !== undefined) throw new Stop(`has the property ${named}, which JSON does not keep of an array`)
  return Object.freeze(result)
}

const isPlain = (value: object): value is { readonly [key: string]: unknown } => {
  const prototype: unknown = Object.getPrototypeOf(value)
  // An object of another realm has that realm's Object.prototype, whose own prototype is null too.
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

const copyObject = (value: object, depth: number): Json => {
  if (!isPlain(value)) throw new Stop(`is an instance of ${className(value)}, not a plain object`)
  const result: { [key: string]: Json } = {}
  for (const key of Object.keys(value)) {
    const member = copyMember(value, key, depth)
    // Plain assignment to this one name would set the prototype instead of a property.
    if (key === "__proto__") Object.defineProperty(result, key, { value: member, enumerable: true })
    else result[key] = member
  }
  return Object.freeze(result)
}

const copyMember = (value: { readonly [key: string]: unknown }, key: string, depth: number): Json => {
  try {
    return copy(value[key], depth)
  } catch (cause) {
    throw stopAt(key, cause)
  }
}

const className = (value: object): string => {
  const { constructor } = value
  return typeof constructor === "function" && constructor.name !== "" ? constructor.name : "an unnamed class"
}
