/**
 * Refuse numbers that an agent could not work by, before it begins.
 *
 * In:  the numbers of an agent's options, perhaps without types.      Out: the first that is wrong, in words.
 * Fails with: nothing; `Agent.make` dies of what is said here.
 * Not here: what the numbers mean (`turn/Limits.ts`, `turn/decide.ts`).
 */
import { Duration } from "effect"
import type { Limits } from "../turn/Limits.ts"

interface Numbers {
  readonly limits?: Limits
  readonly concurrency?: number
  readonly modelRetries?: number
  readonly reminders?: number
  readonly longestRetryAfter?: Duration.Input
  readonly approvalTimeout?: Duration.Input
}

/** The mistake of a caller; undefined when there is none. */
export const findMistake = (options: Numbers): TypeError | undefined => {
  const { limits = {}, concurrency, modelRetries, reminders, longestRetryAfter, approvalTimeout } = options
  const found = [
    count("limits.steps", limits.steps, 1),
    count("limits.tokens", limits.tokens, 1),
    count("limits.repeatedCalls", limits.repeatedCalls, 1),
    time("limits.wallTime", limits.wallTime, 1),
    count("concurrency", concurrency, 1),
    count("modelRetries", modelRetries, 0),
    count("reminders", reminders, 0),
    time("longestRetryAfter", longestRetryAfter, 0),
    time("approvalTimeout", approvalTimeout, 1),
  ].find((mistake) => mistake !== undefined)
  return found === undefined ? undefined : new TypeError(found)
}

/** Infinity is no limit. */
const count = (name: string, given: number | undefined, least: number): string | undefined => {
  if (given === undefined || given === Number.POSITIVE_INFINITY) return undefined
  return Number.isInteger(given) && given >= least
    ? undefined
    : `An agent's ${name} must be a whole number from ${least}, or absent; it is ${say(given)}.`
}

/** Units: milliseconds. */
const time = (name: string, given: Duration.Input | undefined, least: number): string | undefined => {
  if (given === undefined || (millisOf(given) ?? -1) >= least) return undefined
  return `An agent's ${name} must be a duration of at least ${least} ms, or absent; it is ${say(given)}.`
}

/** Nothing for what is no duration, which without types may be anything. */
const millisOf = (given: Duration.Input): number | undefined => {
  if (Number.isNaN(given)) return undefined
  try {
    return Duration.toMillis(given)
  } catch {
    return undefined
  }
}

const say = (given: unknown): string => (typeof given === "string" ? JSON.stringify(given) : String(given))
