/**
 * Make values read-only to the last: what is logged, and what rules are told of it.
 *
 * In:  any value.      Out: `deepFreeze`, and `isDeeplyFrozen`, which says whether it has been done.
 * Fails with: nothing. What JavaScript cannot freeze is made read-only, or copied once so that its owner loses hold of it.
 * Not here: in production nobody asks for it, for what is appended is a copy (`JsonCopy.ts`).
 */

/**
 * Freeze a value and all it holds, in place, also below parts that are frozen already.
 *
 * Maps, Sets and Dates refuse their own mutators from then on. The contents of typed arrays and buffers cannot be
 * frozen: one that an unfrozen object, Map or Set holds is replaced by a copy, any other stays as it is. So does an
 * instance of any other class, and what it holds.
 */
export const deepFreeze = <A>(value: A): A => {
  if (isPlainFrozen(value)) return value
  walk(value, (object, children) => {
    if (ArrayBuffer.isView(object) || isForeign(object)) return true
    if (children.some(ArrayBuffer.isView) && !Object.isFrozen(object)) holdCopies(object)
    closeMutators(object)
    Object.freeze(object)
    return true
  })
  return value
}

/** Tell whether a value and all it holds can no longer change, typed arrays aside. Of a class of somebody's it cannot be known. */
export const isDeeplyFrozen = (value: unknown): boolean => {
  if (isPlainFrozen(value)) return true
  let frozen = true
  walk(value, (object) => {
    frozen =
      ArrayBuffer.isView(object) || (Object.isFrozen(object) && !isForeign(object) && hasNoMutators(object))
    return frozen
  })
  return frozen
}

/** Units: objects. More than these, or rings, are left to the walk that remembers where it was. */
const maxPlain = 1000

/** Tell whether a value is small, plain and frozen to the last: nearly all that is logged is, and this is the fast way. */
const isPlainFrozen = (value: unknown): boolean => {
  if (isObject(value) && value === latest) return true
  const isFrozen = visitFrozen(value, maxPlain) >= 0
  if (isFrozen) latest = value
  return isFrozen
}

/** The latest that was found so, which cannot change: what is logged is frozen, and then asked whether it is. */
let latest: unknown

/** Give how many objects may still be visited after a value; -1 when it is no frozen plain one, or too large. */
const visitFrozen = (value: unknown, left: number): number => {
  if (!isObject(value)) return left
  if (left === 0 || !Object.isFrozen(value)) return -1
  let rest = left - 1
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && rest >= 0; at++) rest = visitFrozen(value[at], rest)
    return rest
  }
  if (!isPlain(value)) return -1
  for (const key in value) {
    rest = visitFrozen(value[key], rest)
    if (rest < 0) return rest
  }
  return rest
}

type Visit = (object: object, children: ReadonlyArray<object>) => boolean

/** Visit every object once, without recursion, so that deep nesting is no danger; stop when `visit` says so. */
const walk = (root: unknown, visit: Visit): void => {
  if (!isObject(root)) return
  const seen = new Set<object>()
  const open: Array<object> = [root]
  for (let object = open.pop(); object !== undefined; object = open.pop()) {
    if (seen.has(object)) continue
    seen.add(object)
    const children = childrenOf(object)
    if (!visit(object, children)) return
    for (const child of children) open.push(child)
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** An instance of a class may fill itself later: a DateTime of Effect's does when it is first read. */
const isForeign = (object: object): boolean => {
  if (Array.isArray(object) || ArrayBuffer.isView(object)) return false
  if (object instanceof Map || object instanceof Set || object instanceof Date) return false
  const prototype: unknown = Object.getPrototypeOf(object)
  return prototype !== Object.prototype && prototype !== null
}

const childrenOf = (object: object): ReadonlyArray<object> => {
  if (ArrayBuffer.isView(object) || isForeign(object)) return []
  if (Array.isArray(object)) return object.filter(isObject)
  const children = isPlain(object) ? Object.values(object).filter(isObject) : membersOf(object)
  if (object instanceof Map) return [...children, ...[...object.keys(), ...object.values()].filter(isObject)]
  return object instanceof Set ? [...children, ...[...object].filter(isObject)] : children
}

/** Nearly all that is logged is plain, and reading it by its keys is three times as fast. */
const isPlain = (object: object): object is { readonly [key: string]: unknown } =>
  Object.getPrototypeOf(object) === Object.prototype && Object.getOwnPropertySymbols(object).length === 0

const membersOf = (object: object): ReadonlyArray<object> =>
  Reflect.ownKeys(object).flatMap((key) => {
    const value: unknown = Object.getOwnPropertyDescriptor(object, key)?.value
    return isObject(value) ? [value] : []
  })

const holdCopies = (object: object): void => {
  for (const key of Reflect.ownKeys(object)) {
    const { value, writable } = Object.getOwnPropertyDescriptor(object, key) ?? {}
    if (writable === true) Reflect.set(object, key, ownBytes(value))
  }
  if (object instanceof Map || object instanceof Set) holdMemberCopies(object)
}

/** All members anew, so that they stay in their order also where a key is copied. */
const holdMemberCopies = (object: Map<unknown, unknown> | Set<unknown>): void => {
  const entries = [...object.entries()]
  object.clear()
  for (const [key, value] of entries) {
    if (object instanceof Map) object.set(ownBytes(key), ownBytes(value))
    else object.add(ownBytes(value))
  }
}

const ownBytes = (value: unknown): unknown => (ArrayBuffer.isView(value) ? structuredClone(value) : value)

const setters = (): ReadonlyArray<string> =>
  Object.getOwnPropertyNames(Date.prototype).filter((name) => name.startsWith("set"))

const mutatorsOf = (object: object): ReadonlyArray<string> => {
  if (object instanceof Map) return ["set", "delete", "clear"]
  if (object instanceof Set) return ["add", "delete", "clear"]
  return object instanceof Date ? setters() : []
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
