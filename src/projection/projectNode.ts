/**
 * Make one node of a JSON Schema fit, and what is below it.
 *
 * In:  a schema, the rules of a provider.      Out: the schema that fits, or none; and what is lost.
 * Fails with: nothing.
 * Not here: the way back (`restoreAbsent.ts`).
 */
import type { Schema } from "effect"
import { isRecord, type Path } from "../kind/Words.ts"
import { exceeds } from "./exceeds.ts"
import { orNull, takesNull } from "./orNull.ts"
import type { Rules } from "./targets.ts"

type Node = Schema.JsonObject

/** One thing that does not come through. */
export interface Loss {
  /** Where in the original schema. */
  readonly path: Path
  readonly keyword: string
  readonly what: string
  /** With it, strict mode is out of reach: the model could not say what the tool takes. */
  readonly isBar: boolean
}

interface Work {
  readonly root: Node
  readonly rules: Rules
  readonly lose: (path: Path, keyword: string, what: string) => void
  readonly bar: (path: Path, keyword: string, what: string) => void
}

export interface Outcome {
  /** Absent when something bars it. */
  readonly projected: Node | undefined
  readonly losses: ReadonlyArray<Loss>
}

export const projectRoot = (root: Node, rules: Rules): Outcome => {
  const losses: Array<Loss> = []
  const add = (isBar: boolean) => (path: Path, keyword: string, what: string) => {
    losses.push({ path, keyword, what, isBar })
  }
  const work: Work = { root, rules, lose: add(false), bar: add(true) }
  const given = { ...root, type: "object" }
  for (const keyword of ["anyOf", "oneOf", "allOf", "$ref"]) {
    if (keyword in root) work.bar([keyword], keyword, "the root is one object, not a choice")
  }
  const projected: Record<string, Schema.Json> = { ...projectNode(given, [], work) }
  for (const keyword of ["$defs", "definitions"]) {
    const definitions = root[keyword]
    if (!isObject(definitions)) continue
    const entries = Object.entries(definitions).map(
      ([name, node]) => [name, projectNode(node, [keyword, name], work)] as const,
    )
    projected[keyword] = Object.fromEntries(entries)
  }
  for (const { keyword, what } of exceeds(projected, rules)) work.bar([], keyword, what)
  return { projected: losses.some(({ isBar }) => isBar) ? undefined : projected, losses }
}

/** What is no part of the meaning, or is handled with its neighbours. */
const silent = new Set([
  "$schema",
  "$id",
  "$comment",
  "$defs",
  "definitions",
  "type",
  "properties",
  "required",
])

const projectNode = (given: Schema.Json, path: Path, work: Work): Node => {
  if (!isObject(given)) {
    work.bar(path, String(given), "a place without a type")
    return {}
  }
  const node = unwrapAllOf(given)
  if (typeof node["$ref"] === "string") return projectRef(node, node["$ref"], path, work)
  const kept: Record<string, Schema.Json> = {}
  for (const [keyword, value] of Object.entries(node)) {
    const at = [...path, keyword]
    if (silent.has(keyword) || structural.has(keyword)) continue
    if (keyword === "format") keepFormat(kept, value, at, work)
    else if (!keeps(keyword, value, work.rules)) loseKeyword(kept, keyword, value, at, work)
    else kept[keyword] = value
  }
  for (const keyword of ["enum", "const"]) {
    if ([node[keyword]].flat().some(isRecord))
      work.bar([...path, keyword], keyword, "only strings, numbers, booleans and null can be listed")
  }
  const branches = node["anyOf"] ?? node["oneOf"]
  if (Array.isArray(branches)) {
    const keyword = node["anyOf"] === undefined ? "oneOf" : "anyOf"
    if (keyword === "oneOf") work.lose([...path, keyword], keyword, "sent as anyOf: more than one may fit")
    if (node["properties"] !== undefined)
      work.bar([...path, keyword], keyword, "beside properties: neither can be left out")
    return {
      ...kept,
      anyOf: branches.map((branch, index) => projectNode(branch, [...path, keyword, index], work)),
    }
  }
  return projectTyped(node, kept, path, work)
}

const structural = new Set(["anyOf", "oneOf", "items", "additionalProperties", "nullable"])

const keeps = (keyword: string, value: Schema.Json, rules: Rules): boolean => {
  if (!rules.keeps.has(keyword)) return false
  if (keyword === "pattern") return rules.readsPattern(String(value))
  return keyword !== "minItems" || rules.maxMinItems === undefined || Number(value) <= rules.maxMinItems
}

const keepFormat = (kept: Record<string, Schema.Json>, value: Schema.Json, at: Path, work: Work): void => {
  if (work.rules.formats.has(String(value))) kept["format"] = value
  else work.lose(at, "format", `${JSON.stringify(value)} is not known there`)
}

/** Words about the schema that a model only reads. */
const told = new Set(["default", "examples", "deprecated", "readOnly", "writeOnly"])
const bars = new Set(["allOf", "prefixItems", "$dynamicRef", "$recursiveRef"])

const loseKeyword = (
  kept: Record<string, Schema.Json>,
  keyword: string,
  value: Schema.Json,
  at: Path,
  work: Work,
): void => {
  if (bars.has(keyword)) work.bar(at, keyword, "not read there, and the rest would mean something else")
  else if (told.has(keyword)) work.lose(at, keyword, "the model is not told")
  else work.lose(at, keyword, `the model is not held to ${JSON.stringify(value)}`)
  if (keyword === "minItems" && work.rules.maxMinItems !== undefined) kept[keyword] = work.rules.maxMinItems
}

const projectTyped = (node: Node, kept: Node, path: Path, work: Work): Node => {
  const { type } = node
  if (type === undefined) {
    if (node["enum"] === undefined && node["const"] === undefined)
      work.bar([...path, "type"], "type", "any value is taken; strict mode wants a type")
    return kept
  }
  const types = [type].flat()
  const isNullable = types.includes("null") || node["nullable"] === true
  const kinds = types.filter((kind) => kind !== "null")
  const [first] = kinds
  if (first === undefined) return { ...kept, type: "null" }
  if (kinds.length > 1) {
    const { description, title, ...rest } = kept
    const branches = kinds.map((kind) => projectKind(String(kind), node, rest, path, work))
    const words = {
      ...(description === undefined ? {} : { description }),
      ...(title === undefined ? {} : { title }),
    }
    return { ...words, anyOf: isNullable ? [...branches, { type: "null" }] : branches }
  }
  const one = projectKind(String(first), node, kept, path, work)
  return isNullable && first !== undefined ? { ...one, type: [first, "null"] } : one
}

const projectKind = (type: string, node: Node, kept: Node, path: Path, work: Work): Node => {
  if (type === "object") return projectObject(node, kept, path, work)
  if (type !== "array") return { ...kept, type }
  const items = node["items"]
  if (items === undefined || Array.isArray(items)) {
    work.bar([...path, "items"], "items", "items of any kind, or a tuple; strict mode wants one kind")
    return { ...kept, type }
  }
  return { ...kept, type, items: projectNode(items, [...path, "items"], work) }
}

const projectObject = (node: Node, kept: Node, path: Path, work: Work): Node => {
  const properties = isObject(node["properties"]) ? node["properties"] : {}
  const names = Object.keys(properties)
  const required = new Set(Array.isArray(node["required"]) ? node["required"].map(String) : [])
  const rest = node["additionalProperties"]
  const at = [...path, "additionalProperties"]
  if (names.length === 0 && rest !== false && path.length > 0)
    work.bar(at, "additionalProperties", "an object of any keys; strict mode wants them named")
  else if (rest !== undefined && rest !== false)
    work.lose(at, "additionalProperties", "no keys but the declared ones can be sent")
  for (const name of required) {
    if (!Object.hasOwn(properties, name))
      work.bar([...path, "required"], "required", `${JSON.stringify(name)} is required and not declared`)
  }
  const projected = names.map((name): readonly [string, Node] => {
    const below = [...path, "properties", name]
    const value = projectNode(properties[name] ?? {}, below, work)
    if (!work.rules.requiresAll || required.has(name)) return [name, value]
    if (takesNull(value, work.root))
      work.lose(below, "required", "absent and null are one: null is what the tool gets")
    return [name, orNull(value)]
  })
  return {
    ...kept,
    type: "object",
    properties: Object.fromEntries(projected),
    required: work.rules.requiresAll ? names : names.filter((name) => required.has(name)),
    additionalProperties: false,
  }
}

const projectRef = (node: Node, reference: string, path: Path, work: Work): Node => {
  if (!/^#\/(?:\$defs|definitions)\/[^/]+$/.test(reference))
    work.bar([...path, "$ref"], "$ref", `${JSON.stringify(reference)} is no definition of this schema`)
  for (const keyword of Object.keys(node)) {
    if (keyword !== "$ref" && !silent.has(keyword))
      work.lose([...path, keyword], keyword, "beside $ref it is not read")
  }
  return { $ref: reference }
}

const unwrapAllOf = (node: Node): Node => {
  const { allOf, ...rest } = node
  if (!Array.isArray(allOf) || allOf.length !== 1 || !isObject(allOf[0])) return node
  const [only] = allOf
  return Object.keys(rest).every((keyword) => !Object.hasOwn(only, keyword)) ? { ...only, ...rest } : node
}

const isObject = (value: Schema.Json | undefined): value is Node => isRecord(value)
