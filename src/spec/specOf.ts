/**
 * Read the JSON Schema of an Effect Schema as a spec, as far as one can say it: so both are explained in one voice.
 *
 * In:  a JSON Schema that `Schema.toJsonSchemaDocument` made.      Out: a spec, as plain data, that may take more.
 * Fails with: nothing; what has no word is anything.
 * Not here: schemas of others, of which nothing may be lost (`jsonschema/JsonSchema.ts`).
 */
import { isRecord } from "../kind/Words.ts"
import { type Node, refer } from "./followSchema.ts"

type Spec = Readonly<Record<string, unknown>>

/** Names that stand already, and the document that they are of. */
interface Whole {
  readonly document: Node
  readonly named: Set<string>
}

const anything: Spec = { type: "any" }

/** By type: what is taken over as it is. */
const kept: Readonly<Record<string, ReadonlyArray<string>>> = {
  string: ["enum", "const", "minLength", "maxLength", "pattern"],
  number: ["enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  integer: ["enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  boolean: ["enum", "const"],
  null: [],
  array: ["minItems", "maxItems", "uniqueItems"],
  object: [],
}

/** Translate the whole document. */
export const specOf = (document: Node): Spec => read(document, { document, named: new Set() })

const read = (node: unknown, whole: Whole): Spec => {
  if (!isRecord(node)) return anything
  const spec = readMeaning(node, whole)
  return node["writeOnly"] === true ? { ...spec, sensitive: true } : spec
}

const readMeaning = (node: Node, whole: Whole): Spec => {
  const reference = node["$ref"]
  if (typeof reference === "string") return readReference(reference, whole)
  const branches = node["anyOf"] ?? node["oneOf"]
  if (Array.isArray(branches)) return readUnion(branches, whole)
  const { type } = node
  if (typeof type !== "string" || !Object.hasOwn(kept, type)) return readList(node)
  const spec: Record<string, unknown> = { type }
  for (const keyword of kept[type] ?? []) if (node[keyword] !== undefined) spec[keyword] = node[keyword]
  // What Effect says of every integer; nobody wrote it, and an integer of a spec is within anyway.
  if (spec["minimum"] === Number.MIN_SAFE_INTEGER) delete spec["minimum"]
  if (spec["maximum"] === Number.MAX_SAFE_INTEGER) delete spec["maximum"]
  if (type === "array" && isRecord(node["items"])) spec["items"] = read(node["items"], whole)
  return type === "object" ? { ...spec, ...readMembers(node, whole) } : spec
}

const readList = (node: Node): Spec => {
  if (node["enum"] !== undefined) return { enum: node["enum"] }
  return node["const"] === undefined ? anything : { const: node["const"] }
}

const readReference = (reference: string, whole: Whole): Spec => {
  const name = /^#\/\$defs\/([A-Za-z_][\w.-]{0,63})$/.exec(reference)?.[1]
  if (name === undefined) return anything
  if (whole.named.has(name)) return { ref: name }
  whole.named.add(name)
  return { ...read(refer(reference, whole.document), whole), name }
}

/** `Schema.Number` is a number, and three words for what JSON has no number for: nobody is to be told these. */
const isNonFinite = (branch: unknown): boolean =>
  isRecord(branch) && JSON.stringify(branch["enum"]) === '["Infinity","-Infinity","NaN"]'

const readUnion = (branches: ReadonlyArray<unknown>, whole: Whole): Spec => {
  const isNull = (branch: unknown) => isRecord(branch) && branch["type"] === "null"
  const rest = branches.filter((branch) => !isNull(branch) && !isNonFinite(branch))
  const specs = rest.map((branch) => read(branch, whole))
  const [only = anything] = specs
  const spec = specs.length === 1 ? only : { anyOf: specs }
  return branches.some(isNull) && specs.length > 0 && only["type"] !== "any"
    ? { ...spec, nullable: true }
    : spec
}

/** Other keys that may hold anything are what no schema speaks of: then a misspelt one is told. */
const readMembers = (node: Node, whole: Whole): Spec => {
  const given = isRecord(node["properties"]) ? node["properties"] : {}
  const required: ReadonlyArray<unknown> = Array.isArray(node["required"]) ? node["required"] : []
  const properties = Object.entries(given).map(([name, member]): readonly [string, Spec] => {
    const spec = read(member, whole)
    return [name, required.includes(name) ? { ...spec, required: true } : spec]
  })
  const rest = node["additionalProperties"]
  return {
    properties: Object.fromEntries(properties),
    ...(rest === false ? { additionalProperties: false } : {}),
    ...(isRecord(rest) ? { additionalProperties: read(rest, whole) } : {}),
  }
}
