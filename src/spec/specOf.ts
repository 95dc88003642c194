/**
 * Read the JSON Schema of an Effect Schema as a spec, as far as one can say it: so both are explained in one voice.
 *
 * In:  a JSON Schema that `Schema.toJsonSchemaDocument` made.      Out: a spec, as plain data, that may take more.
 * Fails with: nothing; what has no word is anything.
 * Not here: schemas of others, of which nothing may be lost (`jsonschema/JsonSchema.ts`).
 */
import { isRecord } from "../kind/Words.ts"
import { listOf, type Node, refer } from "./followSchema.ts"

type Spec = Readonly<Record<string, unknown>>

/** Names that stand already, and the document that they are of. */
interface Whole {
  readonly document: Node
  readonly named: Set<string>
}

const anything: Spec = { type: "any" }

/** What says which scalars there are. */
const choices = ["enum", "const"]

/** What is taken over as it is. */
const kept = [
  ...["type", ...choices, "minLength", "maxLength", "pattern"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minItems", "maxItems", "uniqueItems"],
]

/** Translate the whole document. */
export const specOf = (document: Node): Spec => read(document, { document, named: new Set() })

const read = (node: unknown, whole: Whole): Spec => {
  if (!isRecord(node)) return anything
  const spec = readMeaning(node, whole)
  return node["writeOnly"] === true ? { ...spec, sensitive: true } : spec
}

const readMeaning = (node: Node, whole: Whole): Spec => {
  const { $ref, items, type } = node
  if (typeof $ref === "string") return readReference($ref, whole)
  const branches = node["anyOf"] ?? node["oneOf"]
  if (Array.isArray(branches)) return readUnion(branches, whole)
  const spec = take(node, typeof type === "string" ? kept : choices)
  // What Effect says of every integer; nobody wrote it, and an integer of a spec is within anyway.
  if (spec["minimum"] === Number.MIN_SAFE_INTEGER) delete spec["minimum"]
  if (spec["maximum"] === Number.MAX_SAFE_INTEGER) delete spec["maximum"]
  if (type === "object") return { ...spec, ...readMembers(node, whole) }
  if (Object.keys(spec).length === 0) return anything
  return type === "array" && isRecord(items) ? { ...spec, items: read(items, whole) } : spec
}

const take = (node: Node, keywords: ReadonlyArray<string>): Record<string, unknown> =>
  Object.fromEntries(keywords.flatMap((keyword) => (keyword in node ? [[keyword, node[keyword]]] : [])))

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

/** What takes null already cannot be said to take it too. */
const readUnion = (branches: ReadonlyArray<unknown>, whole: Whole): Spec => {
  const isNull = (branch: unknown) => isRecord(branch) && branch["type"] === "null"
  const rest = branches.filter((branch) => !isNull(branch) && !isNonFinite(branch))
  const specs = rest.map((branch) => read(branch, whole))
  if (specs.some(({ type }) => type === "any")) return anything
  const spec = specs.length === 1 ? { ...specs[0] } : { anyOf: specs }
  return branches.some(isNull) ? { ...spec, nullable: true } : spec
}

/** Other keys that may hold anything are what no schema speaks of: then a misspelt one is told. */
const readMembers = (node: Node, whole: Whole): Spec => {
  const given = isRecord(node["properties"]) ? node["properties"] : {}
  const required = listOf(node["required"])
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
