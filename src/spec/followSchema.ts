/**
 * Find which parts of a JSON Schema speak of a place in a value.
 *
 * In:  a document, and nodes of it.      Out: the nodes that hold there too: references, branches, members, items.
 * Fails with: nothing; what a schema does not say is not found.
 * Not here: what the nodes say (`Sensitive.ts`, `explain.ts`).
 */
import type { Violation } from "../error/Violation.ts"
import { isRecord } from "../kind/Words.ts"

export type Node = Readonly<Record<string, unknown>>

/** How many nodes speak of one place, at the most. */
const maxNodes = 128

/** All schemas that speak of one place: a node, what it refers to, its branches. */
export const spread = (nodes: ReadonlyArray<unknown>, document: Node): ReadonlyArray<Node> => {
  const found = new Set<Node>()
  const open = [...nodes]
  while (open.length > 0 && found.size < maxNodes) {
    const node = open.pop()
    if (!isRecord(node) || found.has(node)) continue
    found.add(node)
    open.push(refer(node["$ref"], document))
    for (const keyword of ["anyOf", "oneOf", "allOf"]) open.push(...listOf(node[keyword]))
    for (const keyword of ["if", "then", "else"]) open.push(node[keyword])
  }
  return [...found]
}

/** The members of a list; none of what is no list. */
export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** What a reference into the document points at. */
export const refer = (reference: unknown, document: Node): unknown => {
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined
  let here: unknown = document
  for (const step of reference.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~")
    here = isRecord(here) && Object.hasOwn(here, key) ? here[key] : undefined
  }
  return here
}

/** The schemas of a member or an item; none when no schema speaks of it. */
export const below = (nodes: ReadonlyArray<Node>, step: string | number): ReadonlyArray<unknown> =>
  nodes.flatMap((node): ReadonlyArray<unknown> => {
    if (typeof step === "number")
      return [node["items"], ...listOf(node["prefixItems"]), ...listOf(node["items"])]
    if (names([node], step)) return [memberOf(node["properties"], step)]
    const byPattern = node["patternProperties"]
    return [node["additionalProperties"], ...(isRecord(byPattern) ? Object.values(byPattern) : [])]
  })

const memberOf = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined)

/** Whether some node declares a key. */
export const names = (nodes: ReadonlyArray<Node>, key: string): boolean =>
  nodes.some(({ properties }) => isRecord(properties) && Object.hasOwn(properties, key))

/** The schemas of a place. */
export const nodesAt = (document: Node, path: Violation["path"]): ReadonlyArray<Node> =>
  path.reduce<ReadonlyArray<Node>>(
    (nodes, step) => spread(below(nodes, step), document),
    spread([document], document),
  )

/** Whether a key is declared, and may be absent. */
export const isOptional = (document: Node, path: Violation["path"]): boolean => {
  const key = path.at(-1)
  if (typeof key !== "string") return false
  const holders = nodesAt(document, path.slice(0, -1))
  return names(holders, key) && !holders.some(({ required }) => listOf(required).includes(key))
}
