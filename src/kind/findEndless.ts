/**
 * Find a named spec that no finite value fits: one that requires itself, all the way down.
 *
 * In:  the JSON Schemas of all named specs.      Out: the first name that nothing fits, if there is one.
 * Fails with: nothing.
 * Not here: a spec that is made of itself with nothing in between (`Compiler.ts`), bounds that leave nothing (`compile*.ts`).
 */
import type { Schema } from "effect"
import { isRecord } from "./Words.ts"

export const findEndless = (definitions: Readonly<Record<string, Schema.JsonObject>>): string | undefined => {
  const ending = new Set<string>()
  // A name ends when it does by the names that are known to end; each round adds one at least, or is the last.
  for (let known = -1; known < ending.size; ) {
    known = ending.size
    for (const [name, schema] of Object.entries(definitions)) if (ends(schema, ending)) ending.add(name)
  }
  return Object.keys(definitions).find((name) => !ending.has(name))
}

/** Whether a node has a value that is made without the names that may not end. */
const ends = (node: unknown, ending: ReadonlySet<string>): boolean => {
  if (!isRecord(node)) return true
  const { $ref, type } = node
  if (typeof $ref === "string" && !ending.has($ref.slice("#/$defs/".length))) return false
  const branches = node["anyOf"] ?? node["oneOf"]
  if (Array.isArray(branches) && !branches.some((branch) => ends(branch, ending))) return false
  if (type === "array") return Number(node["minItems"] ?? 0) === 0 || ends(node["items"], ending)
  if (type !== "object" || !isRecord(node["properties"]) || !Array.isArray(node["required"])) return true
  const { properties, required } = node
  return required.every((name) => ends(properties[String(name)], ending))
}
