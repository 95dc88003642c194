/**
 * Whether a projected schema is larger than strict mode takes, or goes round in a circle where that is not read.
 *
 * In:  the projected schema, the rules.      Out: what is too much.
 * Fails with: nothing.
 */
import type { Schema } from "effect"
import { isRecord } from "../kind/Words.ts"
import type { Rules } from "./targets.ts"

interface Excess {
  readonly keyword: string
  readonly what: string
}

export const exceeds = (root: Schema.JsonObject, rules: Rules): ReadonlyArray<Excess> => {
  const { limits } = rules
  const size = { properties: 0, enumValues: 0, optional: 0, depth: 0 }
  const measure = (node: unknown, depth: number): void => {
    if (Array.isArray(node)) for (const part of node) measure(part, depth)
    if (!isRecord(node)) return
    if (Array.isArray(node["enum"])) size.enumValues += node["enum"].length
    const properties = isRecord(node["properties"]) ? Object.values(node["properties"]) : []
    const required = Array.isArray(node["required"]) ? node["required"].length : 0
    size.properties += properties.length
    if (properties.length > 0) size.optional += properties.length - required
    const below = properties.length > 0 ? depth + 1 : depth
    size.depth = Math.max(size.depth, below)
    for (const part of [...properties, node["items"], node["anyOf"]]) measure(part, below)
    for (const definitions of [node["$defs"], node["definitions"]])
      if (isRecord(definitions)) measure(Object.values(definitions), depth)
  }
  measure(root, 0)
  const found: Array<Excess> = []
  const add = (keyword: string, count: number, limit: number, noun: string) => {
    if (count > limit) found.push({ keyword, what: `${count} ${noun}, ${limit} are read` })
  }
  add("properties", size.properties, limits.properties, "properties")
  add("properties", size.depth, limits.depth, "objects inside one another")
  add("enum", size.enumValues, limits.enumValues, "values of enums")
  if (!rules.requiresAll) add("required", size.optional, limits.optional, "optional properties")
  if (!rules.recursion && isRecursive(root))
    found.push({ keyword: "$ref", what: "it goes round in a circle" })
  return found
}

const isRecursive = (root: Schema.JsonObject): boolean => {
  const references = (node: unknown): ReadonlyArray<string> => {
    if (Array.isArray(node)) return node.flatMap(references)
    if (!isRecord(node)) return []
    const own = typeof node["$ref"] === "string" ? [node["$ref"]] : []
    return [...own, ...Object.values(node).flatMap(references)]
  }
  const edges = new Map<string, ReadonlyArray<string>>()
  for (const holder of ["$defs", "definitions"]) {
    const definitions = root[holder]
    if (!isRecord(definitions)) continue
    for (const [name, node] of Object.entries(definitions)) edges.set(`#/${holder}/${name}`, references(node))
  }
  return [...edges.keys()].some((start) => {
    const seen = new Set<string>()
    const open = [...(edges.get(start) ?? [])]
    for (const next of open) {
      if (next === start) return true
      if (seen.has(next)) continue
      seen.add(next)
      open.push(...(edges.get(next) ?? []))
    }
    return false
  })
}
