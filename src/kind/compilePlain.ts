/**
 * The kinds with nothing to bound: boolean, null, and any JSON at all.
 *
 * In:  nothing but the type.      Out: their `Place`s.
 * Not here: choices among scalars (`compileChoice.ts`).
 */
import { Schema } from "effect"
import type { Kind, Place } from "./Place.ts"
import { convert, isRecord, mismatch, unquote, unwrap } from "./Words.ts"

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean"
const expectedBoolean = "boolean (true or false without quotes)"

const booleanPlace: Place = {
  is: isBoolean,
  code: (value) => `typeof ${value} === "boolean"`,
  walk: (value, path, report) => {
    if (isBoolean(value)) return
    const held = unquote(value)
    const advice =
      unwrap(value, isBoolean) ?? (isBoolean(held) ? convert("boolean", String(held)) : undefined)
    report.add(mismatch(path, expectedBoolean, value, advice))
  },
  codec: () => Schema.Boolean,
  jsonSchema: { type: "boolean" },
  expected: expectedBoolean,
}

const isNull = (value: unknown): value is null => value === null

const nullPlace: Place = {
  is: isNull,
  code: (value) => `${value} === null`,
  walk: (value, path, report) => {
    if (isNull(value)) return
    const advice = unwrap(value, isNull) ?? (value === "null" ? convert("null", "null") : undefined)
    report.add(mismatch(path, "null", value, advice))
  },
  codec: () => Schema.Null,
  jsonSchema: { type: "null" },
  expected: "null",
  values: [null],
}

/** Whether a value is JSON through and through. */
export const isJson = (value: unknown): boolean => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true
    case "number":
      return Number.isFinite(value)
    case "object":
      if (value === null) return true
      if (Array.isArray(value)) {
        for (let index = 0; index < value.length; index++) if (!isJson(value[index])) return false
        return true
      }
      return isJsonObject(value)
    default:
      return false
  }
}

const isJsonObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  if (!isRecord(value)) return false
  for (const key in value) if (Object.hasOwn(value, key) && !isJson(value[key])) return false
  return true
}

/** A place of which the spec says nothing. */
export const anyJson: Place = {
  is: isJson,
  walk: (value, path, report) => {
    if (!isJson(value)) report.add(mismatch(path, "any JSON", value))
  },
  codec: () => Schema.Json,
  jsonSchema: {},
  expected: "any JSON",
}

const kind = (place: Place): Kind => ({ keywords: [], compile: () => place })

export const boolean = kind(booleanPlace)
export const null_ = kind(nullPlace)
export const any = kind(anyJson)
