/**
 * Translate one node of a JSON Schema, and what is below it.
 *
 * In:  a node, its path, what the whole document shares.      Out: the spec of the node, as plain data.
 * Fails with: nothing; what has no word is reported, and anything stands in its place.
 * Not here: keywords of one type (`readTyped.ts`).
 */
import { compileRoot } from "../kind/Compiler.ts"
import { isRecord, type Path } from "../kind/Words.ts"
import { pointerOf, toPath, valueAt } from "./pointer.ts"
import { isConstraint, isType, type Node, type Reader, readList, readTyped, type Spec } from "./readTyped.ts"

export interface Whole {
  readonly document: Node
  /** By pointer: the name under which a definition is known, once it was read. */
  readonly names: Map<string, string>
  readonly report: (path: Path, keyword: string, why: string) => void
}

const combining = ["allOf", "not", "if", "$dynamicRef", "$recursiveRef"]

const anything: Spec = { type: "any" }

export const readNode = (given: unknown, path: Path, whole: Whole): Spec => {
  if (given === true) return anything
  if (!isRecord(given)) {
    whole.report(path, "false", "a place where nothing fits")
    return anything
  }
  const spec: Record<string, unknown> = { ...readMeaning(given, path, whole) }
  for (const keyword of ["title", "description"]) {
    const text = given[keyword]
    if (typeof text === "string") spec[keyword] = text
  }
  if (given["deprecated"] === true) spec["deprecated"] = true
  if (given["writeOnly"] === true) spec["sensitive"] = true
  return keepExamples(spec, given)
}

const readMeaning = (node: Node, path: Path, whole: Whole): Spec => {
  if (node["$ref"] !== undefined) return readRef(node, path, whole)
  if (Array.isArray(node["allOf"]) && node["allOf"].length === 1 && alone(node, "allOf"))
    return readNode(node["allOf"][0], [...path, "allOf", 0], whole)
  for (const keyword of combining) {
    if (node[keyword] !== undefined)
      whole.report([...path, keyword], keyword, "specs are not combined like this")
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    if (node[keyword] !== undefined) return readUnion(node, keyword, path, whole)
  }
  const types = node["type"] === undefined ? undefined : [node["type"]].flat()
  const strange = types?.find((word) => !isType(word))
  if (strange !== undefined) {
    whole.report([...path, "type"], "type", `${JSON.stringify(strange)} is no type of JSON Schema`)
    return anything
  }
  return readTypes(types?.map(String), node, path, whole)
}

const readTypes = (types: ReadonlyArray<string> | undefined, node: Node, path: Path, whole: Whole): Spec => {
  if (node["enum"] !== undefined || node["const"] !== undefined)
    return readList(types, node, path, whole.report)
  if (types === undefined) {
    for (const keyword of Object.keys(node)) {
      if (isConstraint(keyword) && !combining.includes(keyword))
        whole.report([...path, keyword], keyword, "without a type it also takes values of all other types")
    }
    return anything
  }
  const reader: Reader = { report: whole.report, read: (below, at) => readNode(below, at, whole) }
  const kinds = types.length > 1 ? types.filter((type) => type !== "null") : types
  const specs = kinds.map((type) => readTyped(type, node, path, reader))
  const [only = anything] = specs
  const spec = specs.length > 1 ? { anyOf: specs } : only
  const takesNull = kinds.length < types.length
  return takesNull && !listsNull(spec) ? { ...spec, nullable: true } : spec
}

/** No keyword with a meaning of its own but this one. */
const alone = (node: Node, keyword: string): boolean =>
  Object.keys(node).every((name) => name === keyword || !isConstraint(name))

const readUnion = (node: Node, keyword: string, path: Path, whole: Whole): Spec => {
  const branches = node[keyword]
  if (!Array.isArray(branches) || branches.length === 0) {
    whole.report([...path, keyword], keyword, "no list of schemas")
    return anything
  }
  for (const other of Object.keys(node)) {
    if (other !== keyword && isConstraint(other))
      whole.report([...path, other], other, `beside ${keyword}: specs are not combined like this`)
  }
  const list: ReadonlyArray<unknown> = branches
  const isNull = (branch: unknown) => isRecord(branch) && branch["type"] === "null" && alone(branch, "type")
  const typed = list.flatMap((branch, index) =>
    isNull(branch) && list.length > 1 ? [] : [readNode(branch, [...path, keyword, index], whole)],
  )
  const branchesOnce = keyword === "anyOf" ? withoutDoubles(typed) : typed
  const [first = anything] = branchesOnce
  const spec = branchesOnce.length === 1 ? first : { [keyword]: branchesOnce }
  return typed.length < list.length && !listsNull(spec) ? { ...spec, nullable: true } : spec
}

/** Two branches can become one: schemas that differ in what only annotates. */
const withoutDoubles = (specs: ReadonlyArray<Spec>): ReadonlyArray<Spec> => {
  const seen = new Set<string>()
  return specs.filter((spec) => {
    const text = JSON.stringify(spec)
    return seen.size < seen.add(text).size
  })
}

const listsNull = (spec: Spec): boolean =>
  spec["type"] === "any" ||
  spec["type"] === "null" ||
  spec["nullable"] === true ||
  (Array.isArray(spec["enum"]) && spec["enum"].includes(null))

const readRef = (node: Node, path: Path, whole: Whole): Spec => {
  const reference = String(node["$ref"])
  const refuse = (why: string): Spec => {
    whole.report([...path, "$ref"], "$ref", why)
    return anything
  }
  if (!alone(node, "$ref")) return refuse("keywords beside $ref: specs are not combined like this")
  const pointer = pointerOf(reference)
  if (pointer === undefined) return refuse(`${JSON.stringify(reference)} is no pointer into this schema`)
  const known = whole.names.get(pointer)
  if (known !== undefined) return { ref: known }
  const at = toPath(pointer, whole.document)
  const target = at.length === 0 ? undefined : valueAt(whole.document, at)
  if (target === undefined) return refuse(`${JSON.stringify(reference)} is not there, or is the root`)
  const name = nameOf(String(at.at(-1)), whole)
  whole.names.set(pointer, name)
  const spec = readNode(target, at, whole)
  return spec["ref"] === undefined && spec["name"] === undefined
    ? { ...spec, name }
    : refuse("a reference to a reference")
}

const nameOf = (wanted: string, whole: Whole): string => {
  const clean = wanted
    .replace(/[^\w.-]/g, "_")
    .replace(/^(?![A-Za-z_])/, "_")
    .slice(0, 48)
  const taken = new Set(whole.names.values())
  for (let count = 1; ; count++) {
    const name = count === 1 ? clean : `${clean}_${count}`
    if (!taken.has(name)) return name
  }
}

/** Keep the default and the examples that fit; what holds a reference is not asked, its names are not known yet. */
const keepExamples = (spec: Spec, node: Node): Spec => {
  const fits = (value: unknown): boolean => {
    try {
      compileRoot({ x: { ...spec, default: value } })
      return true
    } catch {
      return false
    }
  }
  const given = node["default"]
  const examples = Array.isArray(node["examples"]) ? node["examples"].filter(fits) : []
  return {
    ...spec,
    ...(given !== undefined && fits(given) ? { default: given } : {}),
    ...(examples.length > 0 ? { examples } : {}),
  }
}
