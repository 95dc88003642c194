/**
 * Look into a value that may be anything, and may throw when it is looked at.
 *
 * In:  any value.      Out: a property, a usable text, the chain of causes, the name; absent when it cannot be read.
 * Fails with: nothing.
 * Not here: what is made of it (`findCode.ts`, `findMessage.ts`).
 */
import * as Beginning from "./Beginning.ts"

const maxDepth = 8
const maxLinks = 32

/** Getters and proxies may throw; what cannot be read is not there. */
export const read = (value: unknown, key: PropertyKey): unknown => {
  if (!isObject(value)) return undefined
  try {
    return Reflect.get(value, key)
  } catch {
    return undefined
  }
}

export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" && value !== "[object Object]" ? value : undefined

export const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function"

export const isArray = (value: unknown): value is ReadonlyArray<unknown> => {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/** Units: UTF-16 code units of a name; of a longer one its beginning. */
const maxNameLength = 64

/** One line, without what a terminal would obey. */
const name = (value: unknown): string | undefined => {
  const line =
    text(value)
      ?.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
      .trim() ?? ""
  return text(Beginning.of(line, maxNameLength).trimEnd())
}

/** Read the `_tag` of a value, if it has a usable one. */
export const readTag = (thrown: unknown): string | undefined => name(read(thrown, "_tag"))

/** A class that forgot to set its name is called by its constructor's. */
export const nameOf = (thrown: unknown): string => {
  const own = readTag(thrown) ?? name(read(thrown, "name"))
  if (own !== undefined && own !== "Error") return own
  const made = name(read(read(thrown, "constructor"), "name"))
  return made === undefined || plain.has(made) ? "Error" : made
}

const plain: ReadonlySet<string> = new Set(["Object", "Array", "Function"])

/** The value and what caused it, nearest first. */
export const causesOf = (thrown: unknown): ReadonlyArray<unknown> => follow(thrown, false)

/** The value, what caused it, and what it gathers, nearest first. */
export const chainOf = (thrown: unknown): ReadonlyArray<unknown> => follow(thrown, true)

const follow = (thrown: unknown, isWide: boolean): ReadonlyArray<unknown> => {
  const chain: Array<unknown> = []
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > maxDepth || chain.includes(value)) return
    if (chain.length === maxLinks) return
    chain.push(value)
    visit(read(value, "reason"), depth + 1)
    visit(read(value, "cause"), depth + 1)
    const gathered = isWide ? read(value, "errors") : undefined
    if (isArray(gathered)) for (let i = 0; i < maxDepth; i++) visit(read(gathered, i), depth + 1)
  }
  visit(thrown, 0)
  return chain
}

const maxIssues = 10

/**
 * What a validator found, a line each: `a.b: Required`.
 *
 * Source: Zod and Valibot (`issues`, a path of keys or of `{ key }`), Standard Schema, Ajv (`errors`, `instancePath`), Yup (`inner`).
 */
export const issuesOf = (thrown: unknown): ReadonlyArray<string> => {
  const list = ["issues", "errors", "inner"].map((key) => read(thrown, key)).find(isArray)
  if (list === undefined) return []
  const lines: Array<string> = []
  for (let i = 0; i < maxIssues; i++) {
    const issue = read(list, i)
    const message = text(read(issue, "message"))
    const path = ["path", "instancePath"].map((key) => read(issue, key)).find((one) => one !== undefined)
    if (message === undefined || path === undefined) continue
    const place = placeOf(path)
    lines.push(place === "" ? message : `${place}: ${message}`)
  }
  return lines
}

const placeOf = (path: unknown): string => {
  if (typeof path === "string") return path.replace(/^\//, "").replaceAll("/", ".")
  if (!isArray(path)) return ""
  const keys: Array<string> = []
  for (let i = 0; i < maxLinks; i++) {
    const step = read(path, i)
    const key = isObject(step) ? read(step, "key") : step
    if (typeof key === "string" || typeof key === "number") keys.push(String(key))
  }
  return keys.join(".")
}
