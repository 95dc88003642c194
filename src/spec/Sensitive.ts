/**
 * What a JSON Schema calls sensitive: `writeOnly: true`, the standard's word for what is sent and never shown again.
 *
 * In:  a JSON Schema, a value, violations.      Out: the same without the secrets.
 * Fails with: nothing.
 * Not here: `sensitive` of a `SchemaSpec` (`kind/`), which its JSON Schema says by this word; what stands in place of
 * a secret (`message/Redaction.ts`).
 *
 * On the safe side: what is of the wrong form, or of an unknown name beside a secret, counts as the secret. A union
 * hides what any of its branches hides. Where references cannot be followed, all of the arguments are one secret.
 */
import type { Schema } from "effect"
import type { Violation } from "../error/Violation.ts"
import { hide, isRecord } from "../kind/Words.ts"
import { below, type Node, names, spread } from "./followSchema.ts"
import { isMarked, leadsToSecret } from "./marked.ts"
import { isOpaque } from "./opaque.ts"

export type Replace = (secret: unknown) => unknown
export type Mask = (value: unknown, replace: Replace) => unknown

/** Make the mask of a schema; `undefined` when nothing is sensitive. */
export const maskOf = (document: Schema.JsonObject): Mask | undefined => {
  if (!isMarked(document)) return undefined
  return isOpaque(document)
    ? (value, replace) => replace(value)
    : (value, replace) => maskNode({ document, replace }, [document], value, 0)
}

/** Hide the value of a violation that is about the whole of something sensitive. */
export const guard = (violation: Violation, document: Schema.JsonObject): Violation =>
  isMarked(document) ? hide(violation) : violation

/** Hide the values of violations at or below what is sensitive. */
export const hideIn = (
  violations: ReadonlyArray<Violation>,
  document: Schema.JsonObject,
): ReadonlyArray<Violation> => {
  if (!isMarked(document)) return violations
  const opaque = isOpaque(document)
  return violations.map((violation) => {
    const { path } = violation
    if (!opaque && !isSecretAt(document, path)) return violation
    return hide({ ...violation, path: path.slice(0, declared(document, path, opaque)) })
  })
}

/** How much of a path is safe to tell: inside a secret, a key that no schema declares may be one itself. */
const declared = (document: Node, path: Violation["path"], opaque: boolean): number => {
  let nodes = spread([document], document)
  let isInside = opaque
  for (const [at, step] of path.entries()) {
    isInside ||= nodes.some(({ writeOnly }) => writeOnly === true)
    if (isInside && typeof step === "string" && !names(nodes, step)) return at
    nodes = spread(below(nodes, step), document)
  }
  return path.length
}

/** Levels of a value; what lies deeper is hidden where a secret may be. */
const maxDepth = 128

interface Masking {
  readonly document: Node
  readonly replace: Replace
}

const maskNode = (
  masking: Masking,
  given: ReadonlyArray<unknown>,
  value: unknown,
  depth: number,
): unknown => {
  const nodes = spread(given, masking.document)
  if (nodes.some(({ writeOnly }) => writeOnly === true)) return masking.replace(value)
  if (!nodes.some((node) => leadsToSecret(node, masking.document))) return value
  if (depth > maxDepth) return masking.replace(value)
  if (Array.isArray(value)) {
    const items = below(nodes, 0).filter(isRecord)
    if (items.length === 0) return masking.replace(value)
    return value.map((item) => maskNode(masking, items, item, depth + 1))
  }
  if (!isRecord(value)) return hasOther(nodes, value) ? value : masking.replace(value)
  const members = Object.entries(value).map(([key, member]) => {
    const schemas = below(nodes, key).filter(isRecord)
    const isStranger = !names(nodes, key) && schemas.length === 0
    return [key, isStranger ? masking.replace(member) : maskNode(masking, schemas, member, depth + 1)]
  })
  return Object.fromEntries(members)
}

/** Whether a scalar is what a branch without secrets takes: null beside an object, above all. */
const hasOther = (nodes: ReadonlyArray<Node>, value: unknown): boolean =>
  value === null && nodes.some(({ type }) => [type].flat().includes("null"))

const isSecretAt = (document: Node, path: Violation["path"]): boolean => {
  let nodes = spread([document], document)
  for (const step of path) {
    if (nodes.some(({ writeOnly }) => writeOnly === true)) return true
    nodes = spread(below(nodes, step), document)
  }
  // What should have been a container may hold the secret in another form.
  return nodes.some((node) => leadsToSecret(node, document))
}
