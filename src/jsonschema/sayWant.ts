/**
 * Say what a schema wants, in the words that follow "want".
 *
 * In:  a schema and the document around it.      Out: a phrase, the same that a `SchemaSpec` would have.
 * Not here: what came instead (`toViolation.ts`).
 */
import { isRecord, list } from "../kind/Words.ts"
import { follow } from "./pointer.ts"

/** Name what is wanted. */
export const sayWant = (schema: unknown, document: unknown, depth = 0): string => {
  const node = follow(schema, document)
  const members = membersOf(node)
  if (members !== undefined) return members.length === 1 ? list(members) : `one of ${list(members)}`
  const type = node["type"]
  if (type === "array" && node["items"] !== undefined && depth < maxDepth)
    return `array of ${sayWant(node["items"], document, depth + 1)}`
  if (type !== undefined) return sayTypes([type].flat())
  const branches = node["anyOf"] ?? node["oneOf"]
  if (Array.isArray(branches) && depth < maxDepth)
    return either(branches.map((branch) => sayWant(branch, document, depth + 1)))
  return isRecord(node["properties"]) ? "object" : "any JSON"
}

const maxDepth = 3

/** The values that are all there is. */
export const membersOf = (schema: Readonly<Record<string, unknown>>): ReadonlyArray<unknown> | undefined => {
  if (Object.hasOwn(schema, "const")) return [schema["const"]]
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined
}

export const sayTypes = (types: ReadonlyArray<unknown>): string =>
  either(types.map((type) => (type === "boolean" ? "boolean (true or false without quotes)" : String(type))))

/** Each thing once. */
export const either = (phrases: ReadonlyArray<string>): string => [...new Set(phrases)].join(" or ")
