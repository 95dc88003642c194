/**
 * What is said of one log that was held to the rules.
 *
 * In:  the name of a log, its size and what is wrong with it.      Out: `Verdict`, in words or as JSON.
 * Not here: coming to one (`Judge.ts`), many of them at once (`Summary.ts`).
 */
import type { LogViolation } from "../invariant/Verifier.ts"
import type { Place } from "../store/SessionStore.ts"
import { inline, type Paint } from "../terminal/Paint.ts"
import { count } from "../text/Excerpt.ts"

/** A break of a rule, with the line in which it was found. */
export interface Violation extends LogViolation, Place {}

export interface Verdict {
  readonly file: string
  readonly events: number
  /** The first ones, in the order of the log. */
  readonly violations: ReadonlyArray<Violation>
  /** How often each rule is broken, also where it is not listed. */
  readonly broken: ReadonlyMap<string, number>
  /** What the end of the log lacks, a line each. It is lawful, so it is told apart. */
  readonly unfinished: ReadonlyArray<string>
  /** The id that session/start names. */
  readonly sessionId?: string
}

export const isLawful = ({ broken }: Verdict): boolean => broken.size === 0

const total = ({ broken }: Verdict): number => [...broken.values()].reduce((sum, times) => sum + times, 0)

/** How many violations are not listed. */
const more = (verdict: Verdict): number => total(verdict) - verdict.violations.length

/** A verdict for programs. */
export const toJson = (verdict: Verdict) => {
  const { file, events, violations } = verdict
  return { file, events, violations, more: more(verdict) }
}

/** A verdict in words, a line a violation. What to do about a rule is said once. */
export const toText = (verdict: Verdict, paint: Paint): string => {
  const { file, events, violations } = verdict
  const size = count(events, "event")
  if (isLawful(verdict)) return `${paint.green("✓ lawful")} ${inline(file)} ${paint.dim(`· ${size}`)}\n`
  const told = new Set<string>()
  const lines = violations.map((violation) => {
    const { rule, hint } = violation
    const isNew = hint !== undefined && !told.has(rule)
    told.add(rule)
    return `  ${describe(violation, paint)}${isNew ? `      ${paint.dim(inline(hint))}\n` : ""}`
  })
  const head = `${paint.red("✗ unlawful")} ${inline(file)} ${paint.dim(`· ${size} · ${count(total(verdict), "violation")}`)}\n`
  return `${head}${lines.join("")}${restOf(verdict, paint)}`
}

const describe = ({ rule, seq, line, byteOffset, message }: Violation, paint: Paint): string =>
  `${paint.red(rule)} at seq ${seq}, line ${line} (byte ${byteOffset}): ${inline(message)}\n`

const restOf = (verdict: Verdict, paint: Paint): string => {
  if (more(verdict) === 0) return ""
  const left = new Map(verdict.broken)
  for (const { rule } of verdict.violations) left.set(rule, (left.get(rule) ?? 0) - 1)
  const rules = [...left].filter(([, times]) => times > 0).sort(([, a], [, b]) => b - a)
  const sums = rules.map(([rule, times]) => `${times} of ${rule}`).join(", ")
  return `  … ${more(verdict)} more: ${sums} ${paint.dim("(--limit 0 prints all)")}\n`
}
