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

class Stop extends Error {}

/** Copy and freeze. Every property is read once; accessors and proxies cannot change the copy later. */
export const make = (value: unknown): Result.Result<Json, Flaw> => {
  const path: Array<string | number> = []
  try {
    return Result.succeed(copy(value, path))
  } catch (cause) {
    const why = cause instanceof Stop ? cause.message : "throws while being read"
    return Result.fail({ path, message: `${showPath(path)} ${why}` })
  }
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

const copy = (value: unknown, path: Array<string | number>): Json => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      if (Number.isFinite(value) && !Object.is(value, -0)) return value
      throw new Stop(`is ${Object.is(value, -0) ? "-0" : String(value)}, which JSON cannot hold`)
    case "object":
      if (value === null) return null
      if (path.length >= maxDepth) throw new Stop(`is nested deeper than ${maxDepth} levels, or a cycle`)
      return Array.isArray(value) ? copyArray(value, path) : copyObject(value, path)
    default:
      throw new Stop(
        `is ${typeof value === "undefined" ? "undefined" : `a ${typeof value}`}, which JSON cannot hold`,
      )
  }
}

const copyArray = (value: ReadonlyArray<unknown>, path: Array<string | number>): Json => {
  // In every realm Array.prototype is an array itself, and the prototype of a class that extends Array is none.
  if (!Array.isArray(Object.getPrototypeOf(value)))
    throw new Stop(`is an instance of ${className(value)}, not a plain array`)
  const result: Array<Json> = []
  for (let index = 0; index < value.length; index++) {
    path.push(index)
    result.push(copy(value[index], path))
    path.pop()
  }
  const named = Object.keys(value).find((key, index) => key !== String(index))
  if (named !== undefined) throw new Stop(`has the property ${named}, which JSON does not keep of an array`)
  return Object.freeze(result)
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  // An object of another realm has that realm's Object.prototype, whose own prototype is null too.
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

const copyObject = (value: object, path: Array<string | number>): Json => {
  if (!isPlain(value)) throw new Stop(`is an instance of ${className(value)}, not a plain object`)
  const result: { [key: string]: Json } = {}
  for (const key of Object.keys(value)) {
    path.push(key)
    const member = copy(Reflect.get(value, key), path)
    // Plain assignment to this one name would set the prototype instead of a property.
    if (key === "__proto__") Object.defineProperty(result, key, { value: member, enumerable: true })
    else result[key] = member
    path.pop()
  }
  return Object.freeze(result)
}

const className = (value: object): string => {
  const { constructor } = value
  return typeof constructor === "function" && constructor.name !== "" ? constructor.name : "an unnamed class"
}
