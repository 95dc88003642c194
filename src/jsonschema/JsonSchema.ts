/**
 * Read somebody else's JSON Schema as a `SchemaSpec`, or say exactly what keeps it from being one.
 *
 * In:  a JSON Schema, an object at its root.      Out: a spec that takes the same values, or all that it cannot say.
 * Fails with: nothing; what cannot be said is the result.
 * Not here: one node of the schema (`readNode.ts`), checking against the schema as it is (`Validator.ts`).
 *
 * Equal up to numbers that a double does not hold exactly: an integer of a spec is within ±(2⁵³ − 1).
 */
import type { Schema } from "effect"
import type { Path } from "../kind/Words.ts"
import { compile, type ObjectSpec } from "../spec/SchemaSpec.ts"
import { modernise } from "./modernise.ts"
import { readNode } from "./readNode.ts"

/** One thing that a spec has no word for. */
export interface Unsupported {
  /** Where in the schema. */
  readonly path: Path
  readonly keyword: string
  readonly why: string
}

export type FromJsonSchema =
  | { readonly spec: ObjectSpec; readonly unsupported?: never }
  | { readonly spec?: never; readonly unsupported: ReadonlyArray<Unsupported> }

/**
 * Translate a schema. Nothing is guessed: a word that is no type of JSON Schema stays unsupported.
 *
 * Annotations that a spec knows are kept (`title`, `description`, `default`, `examples`, `deprecated`, `format` of a
 * string), a default or an example that breaks its own schema and keywords without meaning in JSON Schema are dropped.
 */
export const fromJsonSchema = (given: Schema.JsonObject): FromJsonSchema => {
  const schema = modernise(given)
  const unsupported: Array<Unsupported> = []
  const root = schema["type"] === undefined ? { ...schema, type: "object" } : schema
  const spec = readNode(root, [], {
    document: root,
    names: new Map(),
    report: (path, keyword, why) => unsupported.push({ path, keyword, why }),
  })
  if (unsupported.length > 0) return { unsupported }
  if (!isObjectSpec(spec))
    return { unsupported: [{ path: [], keyword: "type", why: "a tool takes an object" }] }
  try {
    compile(spec)
    return { spec }
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    return { unsupported: [{ path: [], keyword: "type", why: cause.message }] }
  }
}

const isObjectSpec = (spec: object): spec is ObjectSpec => "type" in spec && spec.type === "object"
