/**
 * Find the first place in which two JSON values differ, and say it in a line.
 *
 * In:  what was meant and what is.      Out: a path and both values there, capped; undefined when they are equal.
 */
export interface Difference {
  /** Of the place: `content[0].text`; empty for the whole. */
  readonly path: string
  readonly expected: string
  readonly found: string
}

export const differ = (expected: unknown, found: unknown, path = ""): Difference | undefined => {
  if (Object.is(expected, found)) return undefined
  if (!isObject(expected) || !isObject(found) || Array.isArray(expected) !== Array.isArray(found))
    return { path, ...quote(expected, found) }
  const left: Readonly<Record<string, unknown>> = { ...expected }
  const right: Readonly<Record<string, unknown>> = { ...found }
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const below = Array.isArray(expected) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`
    const difference = differ(left[key], right[key], below)
    if (difference !== undefined) return difference
  }
  return undefined
}

export const toText = ({ path, expected, found }: Difference): string =>
  `${path === "" ? "it" : path} is ${found}, recorded ${expected}`

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Units: UTF-16 code units of each side that are shown. */
const shown = 80

/** Of long texts, the part in which they begin to differ. */
const quote = (expected: unknown, found: unknown) => {
  const [left, right] = [write(expected), write(found)]
  let at = 0
  while (at < left.length && left[at] === right[at]) at++
  const from = Math.max(0, at - shown / 2)
  return { expected: cut(left, from), found: cut(right, from) }
}

const write = (value: unknown): string => (value === undefined ? "absent" : JSON.stringify(value))

const cut = (text: string, from: number): string => {
  const part = text.slice(from, from + shown)
  return `${from > 0 ? "…" : ""}${part}${from + shown < text.length ? "…" : ""}`
}
