/**
 * The rules of the group log: what is logged stays as it is.
 *
 * In:  any value.      Out: `deepFreeze`, and `rules`, which say whether it has been done.
 * Fails with: nothing. What JavaScript cannot freeze is made read-only, or copied once so that its owner loses hold of it.
 * Not here: seqs, versions and lossless JSON (`contract/`, always on).
 */
import { Broken, make, type Rule } from "../contract/Rule.ts"
import type { Observation } from "./Observation.ts"

/**
 * Freeze a value and all it holds, in place, also below parts that are frozen already.
 *
 * Maps, Sets and Dates refuse their own mutators from then on. The contents of typed arrays and buffers cannot be
 * frozen: one that an unfrozen object holds is replaced by a copy, any other stays as it is. Getters are not called.
 */
export const deepFreeze = <A>(value: A): A => {
  walk(value, (object) => {
    holdCopies(object)
    closeMutators(object)
    if (!ArrayBuffer.isView(object)) Object.freeze(object)
    return true
  })
  return value
}

/** Tell whether a value and all it holds can no longer change, typed arrays aside. */
export const isDeeplyFrozen = (value: unknown): boolean => {
  let frozen = true
  walk(value, (object) => {
    frozen &&= ArrayBuffer.isView(object) || (Object.isFrozen(object) && hasNoMutators(object))
    return frozen
  })
  return frozen
}

/** Visit every object once, without recursion, so that deep nesting is no danger; stop when `visit` says so. */
const walk = (root: unknown, visit: (object: object) => boolean): void => {
  if (!isObject(root)) return
  const seen = new Set<object>([root])
  const open: Array<object> = [root]
  for (let object = open.pop(); object !== undefined; object = open.pop()) {
    if (!visit(object)) return
    for (const child of childrenOf(object)) {
      if (!isObject(child) || seen.has(child)) continue
      seen.add(child)
      open.push(child)
    }
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const childrenOf = (object: object): ReadonlyArray<unknown> => {
  if (ArrayBuffer.isView(object)) return []
  if (Array.isArray(object)) return object
  const own = propertiesOf(object).map((property) => property.value)
  if (object instanceof Map) return [...own, ...object.keys(), ...object.values()]
  return object instanceof Set ? [...own, ...object] : own
}

const propertiesOf = (object: object): ReadonlyArray<PropertyDescriptor & { readonly key: PropertyKey }> =>
  Reflect.ownKeys(object).flatMap((key) => {
    const property = Object.getOwnPropertyDescriptor(object, key)
    return property === undefined ? [] : [{ ...property, key }]
  })

const holdCopies = (object: object): void => {
  if (Object.isFrozen(object) || ArrayBuffer.isView(object)) return
  for (const { key, value, writable } of propertiesOf(object)) {
    if (writable === true && ArrayBuffer.isView(value)) Reflect.set(object, key, structuredClone(value))
  }
}

const setters = Object.getOwnPropertyNames(Date.prototype).filter((name) => name.startsWith("set"))

const mutatorsOf = (object: object): ReadonlyArray<string> => {
  if (object instanceof Map) return ["set", "delete", "clear"]
  if (object instanceof Set) return ["add", "delete", "clear"]
  return object instanceof Date ? setters : []
}

const refuse = (): never => {
  throw new TypeError("Cannot change what has been logged")
}

const closeMutators = (object: object): void => {
  if (!Object.isExtensible(object)) return
  for (const name of mutatorsOf(object)) Object.defineProperty(object, name, { value: refuse })
}

const hasNoMutators = (object: object): boolean =>
  mutatorsOf(object).every((name) => Reflect.get(object, name) === refuse)

const frozen = make<undefined, Observation>({
  id: "log.frozen",
  statement: "What is logged is deeply frozen.",
  mode: "D",
  sees: "live",
  hint: "Log plain data, and hand over no object that refuses to be frozen, such as a frozen one that holds a Map.",
  initial: undefined,
  step: (_, observation) => {
    if (observation.kind !== "logged" || isDeeplyFrozen(observation.event)) return undefined
    return new Broken(undefined, [`${observation.event.type} can still be changed after it is logged`])
  },
})

export const rules: ReadonlyArray<Rule<Observation>> = [frozen]
