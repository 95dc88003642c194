/**
 * The way back: a null that stands for "absent" goes.
 *
 * In:  arguments, and the original schema.      Out: the arguments that the original is to check.
 * Fails with: nothing; arguments of any shape.
 *
 * A null goes where its key is optional and takes no null, in every form that the object may have.
 */
import type { Schema } from "effect"
import { isRecord } from "../kind/Words.ts"
import { resolve, takesNull } from "./orNull.ts"

type Json = Schema.Json

export const restoreAbsent = (value: Json, root: Schema.JsonObject): Json =>
  restore(value, formsOf(root, root), root)

type Forms = ReadonlyArray<Readonly<Record<string, unknown>>>

const restore = (value: Json, forms: Forms, root: Schema.JsonObject): Json => {
  if (forms.length === 0) return value
  if (isArray(value)) {
    const items = forms.flatMap(({ items }) => formsOf(items, root))
    const restored = value.map((item) => restore(item, items, root))
    return restored.some((item, index) => item !== value[index]) ? restored : value
  }
  return isObject(value) ? restoreMembers(value, forms, root) : value
}

const restoreMembers = (value: Schema.JsonObject, forms: Forms, root: Schema.JsonObject): Json => {
  const kept: Array<readonly [string, Json]> = []
  let isChanged = false
  for (const [key, member] of Object.entries(value)) {
    const holders = forms.filter(({ properties }) => isRecord(properties) && Object.hasOwn(properties, key))
    const schemas = holders.map(({ properties }) => (isRecord(properties) ? properties[key] : undefined))
    const isOptional = holders.every(({ required }) => !Array.isArray(required) || !required.includes(key))
    if (member === null && holders.length > 0 && isOptional && !schemas.some((one) => takesNull(one, root))) {
      isChanged = true
      continue
    }
    const restored = restore(
      member,
      schemas.flatMap((schema) => formsOf(schema, root)),
      root,
    )
    isChanged ||= restored !== member
    kept.push([key, restored])
  }
  return isChanged ? Object.fromEntries(kept) : value
}

/** The schema itself, or all branches and definitions that stand for it. */
const formsOf = (schema: unknown, root: Schema.JsonObject, depth = 0): Forms => {
  if (!isRecord(schema) || depth > maxDepth) return []
  const definition = resolve(schema["$ref"], root)
  const parts = [schema["anyOf"], schema["oneOf"], schema["allOf"], definition].flat()
  return [schema, ...parts.flatMap((part) => formsOf(part, root, depth + 1))]
}

const maxDepth = 8

const isArray = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)
const isObject = (value: Json): value is Schema.JsonObject => isRecord(value)
