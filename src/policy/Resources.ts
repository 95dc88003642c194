/**
 * What a call reads and writes, by name, so that calls that would disturb each other keep their order.
 *
 * In:  names that a tool makes of its decoded arguments.      Out: `Resources`, their checked copy, whether two conflict.
 * Fails with: nothing.
 * Not here: who waits for whom (`loop/`), locks inside a tool.
 *
 * A name that ends in `*` stands for all names that begin with what is before it; `*` alone for everything named.
 */

export interface Resources {
  readonly reads?: ReadonlyArray<string>
  readonly writes?: ReadonlyArray<string>
}

/** In nobody's way: what a tool that names nothing touches. */
export const none: Resources = {}

/** In the way of every call that names something. */
export const everything: Resources = { writes: ["*"] }

/**
 * Copy what a tool that may have no types named. What is anything but two lists of texts, each of which may be absent,
 * says nothing that can be relied on: it counts as everything.
 */
export const copy = (named: unknown): Resources => {
  try {
    if (typeof named !== "object" || named === null) return everything
    // What it rejects with is heard here, or it would end the process.
    if (named instanceof Promise) void named.catch(() => undefined)
    const reads = "reads" in named ? named.reads : undefined
    const writes = "writes" in named ? named.writes : undefined
    if (reads === undefined && writes === undefined) return isEmpty(named) ? none : everything
    return {
      ...(reads !== undefined && { reads: texts(reads) }),
      ...(writes !== undefined && { writes: texts(writes) }),
    }
  } catch {
    return everything
  }
}

/** A promise, a set or a misspelt name has neither list, and is not nothing. */
const isEmpty = (named: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(named)
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null
  return (
    isPlain &&
    !Array.isArray(named) &&
    Reflect.ownKeys(named).every((key) => key === "reads" || key === "writes")
  )
}

const texts = (list: unknown): ReadonlyArray<string> => {
  if (!Array.isArray(list)) throw new TypeError("no list")
  return Array.from(list, (name: unknown) => {
    if (typeof name !== "string") throw new TypeError("no text")
    return name
  })
}

/** Tell whether two calls must keep their order: one writes what the other reads or writes. */
export const conflict = (left: Resources, right: Resources): boolean =>
  left !== none &&
  right !== none &&
  (meet(left.writes, right.writes) || meet(left.writes, right.reads) || meet(left.reads, right.writes))

/**
 * Name a file, or with a `*` at the end a folder, by its path relative to a root that all callers share.
 *
 * Shape: `file:src/a.ts`, however the path was written. One that leaves the root, or is absolute, is any file: nothing
 * here can tell which.
 */
export const file = (path: string): string => {
  const steps: Array<string> = []
  for (const step of path.replaceAll("\\", "/").split("/")) {
    if (step === "" || step === ".") continue
    if (step !== "..") steps.push(step)
    else if (steps.pop() === undefined) return "file:*"
  }
  return /^([a-z]:|[\\/])/i.test(path) || steps.length === 0 ? "file:*" : `file:${steps.join("/")}`
}

/** Name all that lies in a folder. */
export const folder = (path: string): string => {
  const name = file(path)
  return name.endsWith("*") ? name : `${name}*`
}

const meet = (left: Resources["reads"] = [], right: Resources["reads"] = []): boolean =>
  left.some((one) => right.some((other) => overlap(one, other)))

const overlap = (left: string, right: string): boolean => {
  const [wide, narrow] = left.length <= right.length ? [left, right] : [right, left]
  if (wide.endsWith("*")) return narrow.startsWith(wide.slice(0, -1))
  return left === right || (narrow.endsWith("*") && wide.startsWith(narrow.slice(0, -1)))
}
