/**
 * Whether a JSON Schema marks secrets in a way that cannot be followed to a place in a value.
 *
 * In:  a document.      Out: yes, when a reference in it leads nowhere that is known, or a secret stands below a keyword that is not followed.
 * Fails with: nothing.
 * Not here: what is followed (`followSchema.ts`), what is hidden then (`Sensitive.ts`).
 */
import { isRecord } from "../kind/Words.ts"
import { type Node, refer } from "./followSchema.ts"
import { leadsToSecret } from "./marked.ts"

/** Keywords whose schemas speak of a place, and which `followSchema.ts` leaves aside. */
const unfollowed = [
  ...["dependentSchemas", "dependencies", "contains", "propertyNames", "not", "contentSchema"],
  ...["unevaluatedProperties", "unevaluatedItems", "additionalItems"],
]

/** Keywords whose keys are names, not keywords. */
const holders = new Set([
  ...["properties", "patternProperties", "$defs", "definitions"],
  ...["dependentSchemas", "dependencies"],
])

/** Keywords that hold values, not schemas. */
const values = new Set(["const", "enum", "default", "examples"])

export const isOpaque = (document: Node): boolean => {
  const look = (part: unknown): boolean => {
    if (Array.isArray(part)) return part.some(look)
    if (!isRecord(part)) return false
    if (leadsAway(part, document)) return true
    if (unfollowed.some((keyword) => leadsToSecret(part[keyword], document))) return true
    return Object.entries(part).some(([keyword, member]) => {
      if (values.has(keyword)) return false
      return holders.has(keyword) && isRecord(member) ? Object.values(member).some(look) : look(member)
    })
  }
  return look(document)
}

/** An `$id` below the root moves what the references beside and below it start from. */
const leadsAway = (node: Node, document: Node): boolean =>
  typeof node["$dynamicRef"] === "string" ||
  typeof node["$recursiveRef"] === "string" ||
  (node !== document && typeof node["$id"] === "string") ||
  (typeof node["$ref"] === "string" && !isRecord(followed(node["$ref"], document)))

/** `#name` is an anchor, not the root. A `true` or `false` that is referred to hides nothing, but is taken as unknown. */
const followed = (reference: string, document: Node): unknown =>
  reference === "#" || reference.startsWith("#/") ? refer(reference, document) : undefined
