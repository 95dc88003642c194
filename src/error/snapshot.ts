/**
 * Copy what can be said of any value as JSON: enough to know it again, never all of it.
 *
 * In:  any value, also a hostile one.      Out: JSON; what is no JSON is said in words, what is too much is left out.
 * Fails with: nothing.
 * Not here: a copy that loses nothing or says so (`output/jsonify.ts`).
 */
import type { Schema } from "effect"
import { cut } from "./findMessage.ts"
import { isArray, isObject, read } from "./read.ts"

const maxDepth = 8
const maxMembers = 32

/** Units: UTF-16 code units that a value takes beside its text. */
const valueCost = 4

/** Units: UTF-16 code units that are left for one error with all its causes. */
export interface Room {
  left: number
}

export const roomy = (): Room => ({ left: 16_384 })

/** `write` may write an object in a way of its own. */
export const snapshot = (
  value: unknown,
  room: Room,
  write: (value: object) => Schema.Json | undefined,
  depth = 0,
): Schema.Json => {
  room.left -= valueCost
  if (value === null || typeof value === "boolean") return value
  // Adding zero makes -0, which JSON cannot hold, 0.
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : String(value)
  if (typeof value === "string") return take(value, room)
  if (value === undefined || typeof value === "function") return null
  if (!isObject(value)) return String(value)
  if (depth === maxDepth) return "…"
  const written = write(value)
  if (written !== undefined) return written
  if (isArray(value))
    return items(value).flatMap((item) => (room.left <= 0 ? [] : [snapshot(item, room, write, depth + 1)]))
  return Object.fromEntries(
    keysOf(value).flatMap((key) => {
      const member = read(value, key)
      return typeof member === "function" || member === undefined || room.left <= 0
        ? []
        : [[take(key, room), snapshot(member, room, write, depth + 1)]]
    }),
  )
}

/** What its own members are called; those that another key of the copy cannot be. */
const keysOf = (value: object): ReadonlyArray<string> => {
  try {
    return Object.keys(value)
      .filter((key) => key !== "__proto__")
      .slice(0, maxMembers)
  } catch {
    return []
  }
}

export const take = (text: string, room: Room): string => {
  const taken = cut(text.slice(0, Math.max(0, room.left))).replace(/\p{Surrogate}/gu, "\uFFFD")
  room.left -= taken.length
  return taken
}

const items = (list: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  Array.from({ length: Math.min(maxMembers, Number(read(list, "length"))) }, (_, i) => read(list, i))
