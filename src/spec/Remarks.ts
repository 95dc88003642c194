/**
 * What a model hears of a call that ran, though its arguments were not quite as they should be.
 *
 * In:  the changes that policies made, and keys that nothing reads.      Out: one line, or nothing.
 * Fails with: nothing.
 * Not here: refusals (`Violations.ts`).
 */
import type { Violation } from "../error/Violation.ts"
import { place } from "../kind/Words.ts"
import { cut } from "../text/Excerpt.ts"
import type { Repair } from "./Leniency.ts"

/** How many of each are named. */
const maxNamed = 3

/** Units: UTF-16 code units of one reason. */
const maxReason = 160

/** Say it in one line; `undefined` when there is nothing to say. */
export const toText = (
  repairs: ReadonlyArray<Repair>,
  notes: ReadonlyArray<Violation>,
): string | undefined => {
  const changed = repairs.map(({ policy, why }) => `${cut(why, maxReason)} (${policy})`)
  const unread = notes.map(({ path, hint = "" }) => `${place(path)}: ${hint}`)
  const parts = [
    ...(changed.length === 0 ? [] : [`The arguments were changed before the call: ${name(changed)}.`]),
    ...(unread.length === 0 ? [] : [`Nothing read the unknown key ${name(unread)}`]),
  ]
  return parts.length === 0 ? undefined : `Note: ${parts.join(" ")}`
}

const name = (all: ReadonlyArray<string>): string => {
  const more = all.length - maxNamed
  return more > 0 ? `${all.slice(0, maxNamed).join("; ")}; and ${more} more` : all.join("; ")
}
