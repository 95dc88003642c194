/**
 * JSON Pointers and paths, both ways, and the parts of a document.
 *
 * In:  a pointer or a document.      Out: steps, and where things stand.
 * Fails with: nothing.
 * Source: RFC 6901.
 */
import { isRecord, type Path } from "../kind/Words.ts"

/** Split a pointer. */
export const stepsOf = (pointer: string): ReadonlyArray<string> =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))

/** Read a pointer into a value: what indexes an array is a number, all else a key. */
export const toPath = (pointer: string, value: unknown): Path => {
  const path: Array<string | number> = []
  let here = value
  for (const step of stepsOf(pointer)) {
    path.push(Array.isArray(here) ? Number(step) : step)
    here = memberOf(here, step)
  }
  return path
}

/** Write a path as a pointer. */
export const pointerTo = (path: Path): string => path.map((step) => `/${escape(String(step))}`).join("")

const escape = (step: string): string => step.replaceAll("~", "~0").replaceAll("/", "~1")

/** The own member at a path; undefined when there is none. */
export const valueAt = (value: unknown, path: Path): unknown => path.reduce(memberOf, value)

const memberOf = (holder: unknown, step: string | number): unknown =>
  typeof holder === "object" && holder !== null && Object.hasOwn(holder, step)
    ? Reflect.get(holder, step)
    : undefined

/** Where each object and array of a document stands, by identity. */
export const pointersOf = (document: object): ReadonlyMap<unknown, string> => {
  const pointers = new Map<unknown, string>([[document, ""]])
  for (const [holder, pointer] of pointers) {
    for (const [key, member] of Object.entries(holder ?? {})) {
      if (typeof member !== "object" || member === null || pointers.has(member)) continue
      pointers.set(member, `${pointer}/${escape(key)}`)
    }
  }
  return pointers
}

/** Where a keyword with such a value stands first; the root when nowhere. */
export const find = (document: object, keyword: string, fits: (value: unknown) => boolean): Path => {
  for (const [holder, pointer] of pointersOf(document)) {
    if (isRecord(holder) && Object.hasOwn(holder, keyword) && fits(holder[keyword]))
      return [...toPath(pointer, document), keyword]
  }
  return []
}

/** The pointer of a reference into its own document; undefined when it is none, or no URI. */
export const pointerOf = (reference: string): string | undefined => {
  if (!/^#(?:\/|$)/.test(reference)) return undefined
  try {
    return decodeURIComponent(reference.slice(1))
  } catch {
    return undefined
  }
}

/** Follow a `$ref` inside the document, as far as it goes. */
export const follow = (schema: unknown, document: unknown): Readonly<Record<string, unknown>> => {
  let here = schema
  for (let hops = 0; hops < maxHops && isRecord(here); hops++) {
    const reference = here["$ref"]
    if (typeof reference !== "string" || !reference.startsWith("#")) return here
    const pointer = pointerOf(reference)
    here = pointer === undefined ? undefined : valueAt(document, toPath(pointer, document))
  }
  return isRecord(here) ? here : {}
}

const maxHops = 16
