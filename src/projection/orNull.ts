/**
 * Null as one more thing that a schema takes.
 *
 * In:  a schema.      Out: whether it takes null; the same schema with null.
 * Fails with: nothing.
 */
import type { Schema } from "effect"
import { isRecord } from "../kind/Words.ts"

type Node = Schema.JsonObject

/** Whether null fits, as far as types, lists, branches and references tell. */
export const takesNull = (schema: unknown, root: Node, depth = 0): boolean => {
  if (schema === true) return true
  if (!isRecord(schema) || depth > maxDepth) return false
  const definition = resolve(schema["$ref"], root)
  if (definition !== undefined) return takesNull(definition, root, depth + 1)
  if (schema["const"] !== undefined) return schema["const"] === null
  if (Array.isArray(schema["enum"])) return schema["enum"].includes(null)
  const branches = schema["anyOf"] ?? schema["oneOf"]
  if (Array.isArray(branches)) return branches.some((branch) => takesNull(branch, root, depth + 1))
  return (
    schema["type"] === undefined || schema["nullable"] === true || [schema["type"]].flat().includes("null")
  )
}

const maxDepth = 16

/** The definition that a `$ref` names; undefined when it names none of this document. */
export const resolve = (reference: unknown, root: Node): unknown => {
  const [, holder, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(reference)) ?? []
  const definitions = holder === undefined ? undefined : root[holder]
  return isRecord(definitions) && name !== undefined && Object.hasOwn(definitions, name)
    ? definitions[name]
    : undefined
}

/** Let null in. */
export const orNull = (schema: Node): Node => {
  const { type, enum: members, const: only, anyOf, $ref, ...rest } = schema
  if (typeof $ref === "string") return { anyOf: [schema, { type: "null" }] }
  if (Array.isArray(anyOf)) {
    const hasNull = anyOf.some((branch) => isRecord(branch) && branch["type"] === "null")
    return hasNull ? schema : { ...schema, anyOf: [...anyOf, { type: "null" }] }
  }
  const listed = Array.isArray(members) ? members : only === undefined ? undefined : [only]
  return {
    ...(type === undefined ? {} : { type: type === "null" ? type : [...new Set([type, "null"].flat())] }),
    ...(listed === undefined ? {} : { enum: [...new Set([...listed, null])] }),
    ...rest,
  }
}
