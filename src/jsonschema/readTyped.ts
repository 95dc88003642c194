/**
 * Translate the keywords of one type, or a list of members.
 *
 * In:  a type, the node that has it, how to read the nodes below.      Out: the spec, as plain data.
 * Fails with: nothing; what has no word is reported.
 * Not here: unions, references, annotations (`readNode.ts`).
 */
import { compileRoot } from "../kind/Compiler.ts"
import { isRecord, type Path } from "../kind/Words.ts"

export type Node = Readonly<Record<string, unknown>>
export type Spec = Readonly<Record<string, unknown>>

export interface Reader {
  readonly report: (path: Path, keyword: string, why: string) => void
  readonly read: (node: unknown, path: Path) => Spec
}

/** By type: the keywords that a spec takes over as they are. */
const plain: Readonly<Record<string, ReadonlyArray<string>>> = {
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  boolean: [],
  null: [],
  array: ["minItems", "maxItems", "uniqueItems"],
  object: [],
}

export const isType = (word: unknown): boolean => typeof word === "string" && Object.hasOwn(plain, word)

/** By keyword: the types that it says something about; of values of another type it says nothing. */
const about: Readonly<Record<string, ReadonlyArray<string>>> = {
  ...Object.fromEntries(["minLength", "maxLength", "pattern"].map((keyword) => [keyword, ["string"]])),
  ...Object.fromEntries((plain["number"] ?? []).map((keyword) => [keyword, ["number", "integer"]])),
  ...Object.fromEntries(
    ["items", "prefixItems", "additionalItems", "contains", "minContains", "maxContains"]
      .concat("unevaluatedItems", plain["array"] ?? [])
      .map((keyword) => [keyword, ["array"]]),
  ),
  ...Object.fromEntries(
    ["properties", "required", "additionalProperties", "patternProperties", "propertyNames"]
      .concat("minProperties", "maxProperties", "dependentRequired", "dependentSchemas")
      .concat("dependencies", "unevaluatedProperties")
      .map((keyword) => [keyword, ["object"]]),
  ),
}

const combining = ["$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if"]

/** Does it decide about values? All else is said about the schema, or is unknown to JSON Schema. */
export const isConstraint = (keyword: string): boolean =>
  Object.hasOwn(about, keyword) || combining.includes(keyword) || ["type", "enum", "const"].includes(keyword)

/** What is translated here beside `plain`. */
const structural = ["items", "properties", "required", "additionalProperties"]

export const readTyped = (type: string, node: Node, path: Path, reader: Reader): Spec => {
  const kept = plain[type] ?? []
  const spec: Record<string, unknown> = { type }
  for (const [keyword, value] of Object.entries(node)) {
    if (kept.includes(keyword)) spec[keyword] = value
    else if (
      about[keyword]?.includes(type) === true &&
      !structural.includes(keyword) &&
      !isEmpty(keyword, value)
    )
      reader.report([...path, keyword], keyword, "specs have no such keyword")
  }
  const wrong = wrongKeyword(spec)
  if (wrong !== undefined) {
    reader.report([...path, wrong.keyword], wrong.keyword, wrong.why)
    return { type: "any" }
  }
  if (type === "array") readItems(spec, node, path, reader)
  if (type === "object") readMembers(spec, node, path, reader)
  return spec
}

/** The keyword that no spec takes: alone, or beside the others that it contradicts. */
const wrongKeyword = (spec: Spec): { readonly keyword: string; readonly why: string } | undefined => {
  const why = complaintOf(spec)
  if (why === undefined) return undefined
  const { type, ...limits } = spec
  for (const [keyword, limit] of Object.entries(limits)) {
    const alone = complaintOf({ type, [keyword]: limit })
    if (alone !== undefined) return { keyword, why: alone }
  }
  const isCause = (keyword: string) => {
    const { [keyword]: _, ...others } = spec
    return complaintOf(others) === undefined
  }
  return { keyword: Object.keys(limits).find(isCause) ?? "type", why }
}

const complaintOf = (spec: Spec): string | undefined => {
  try {
    compileRoot({ x: spec })
    return undefined
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    return cause.message.replace("SchemaSpec, at x: ", "")
  }
}

/** A keyword that holds for every value: keys are strings anyway. */
const isEmpty = (keyword: string, value: unknown): boolean =>
  keyword === "propertyNames" && JSON.stringify(value) === '{"type":"string"}'

const readItems = (spec: Record<string, unknown>, node: Node, path: Path, reader: Reader): void => {
  const items = node["items"]
  if (Array.isArray(items)) reader.report([...path, "items"], "items", "specs have no tuples")
  else if (items !== undefined && items !== true) spec["items"] = reader.read(items, [...path, "items"])
}

const forbidden = ["__proto__", "constructor", "prototype"]

const readMembers = (spec: Record<string, unknown>, node: Node, path: Path, reader: Reader): void => {
  const given = isRecord(node["properties"]) ? node["properties"] : {}
  const required = new Set(Array.isArray(node["required"]) ? node["required"].map(String) : [])
  const rest = node["additionalProperties"]
  const others = isRecord(rest) ? reader.read(rest, [...path, "additionalProperties"]) : rest
  const properties: Record<string, Spec> = {}
  for (const name of new Set([...Object.keys(given), ...required])) {
    if (forbidden.includes(name)) {
      reader.report([...path, "properties", name], "properties", "a spec has no property of this name")
      continue
    }
    if (!Object.hasOwn(given, name) && rest === false) {
      reader.report([...path, "required"], "required", `${JSON.stringify(name)} is required and not allowed`)
      continue
    }
    const value = Object.hasOwn(given, name)
      ? reader.read(given[name], [...path, "properties", name])
      : isRecord(others)
        ? others
        : { type: "any" }
    properties[name] = required.has(name) ? { ...value, required: true } : value
  }
  if (node["properties"] !== undefined || required.size > 0) spec["properties"] = properties
  if (others !== undefined) spec["additionalProperties"] = others
}

/** Translate `enum` and `const`: what is listed, as far as the types beside it take it. */
export const readList = (
  types: ReadonlyArray<string> | undefined,
  node: Node,
  path: Path,
  report: Reader["report"],
): Spec => {
  const keyword = node["const"] === undefined ? "enum" : "const"
  const at = [...path, keyword]
  for (const other of Object.keys(node)) {
    if (isConstraint(other) && other !== "type" && other !== keyword)
      report([...path, other], other, `beside ${keyword}: specs are not combined like this`)
  }
  const given: ReadonlyArray<unknown> = keyword === "const" ? [node["const"]] : [node["enum"]].flat()
  if (given.some((member) => typeof member === "object" && member !== null)) {
    report(at, keyword, "specs list strings, numbers, booleans and null only")
    return { type: "any" }
  }
  const members = [...new Set(given)].filter((member) => types?.some((type) => isOf(member, type)) ?? true)
  if (members.length === 0) report(at, keyword, "no member is of the type beside it: nothing fits")
  const [type] = types ?? []
  const isTyped = types?.length === 1 && type !== undefined && ["string", "number", "integer"].includes(type)
  const list = keyword === "const" ? { const: members[0] } : { enum: members }
  return isTyped ? { type, ...list } : list
}

const isOf = (value: unknown, type: string): boolean => {
  if (type === "null") return value === null
  return type === "integer" ? Number.isInteger(value) : typeof value === type
}
