/**
 * Decide whether a turn has used up what it may use.
 *
 * In:  the limits of the agent and the tally of the turn.      Out: the limit that was reached, or nothing.
 * Order: looked at before every step, so a step that began is never cut; only wall time cuts (`Turn.ts`).
 */
import type { Duration } from "effect"
import { LimitReached } from "./TurnError.ts"
import { type Tally, totalTokens } from "./tally.ts"

/** Of one turn; what is absent is unlimited, but for `steps`. */
export interface Limits {
  /** Model requests, failed attempts included; 100 unless given. */
  readonly steps?: number
  /** Units: tokens of every kind, input and output, summed over the steps. */
  readonly tokens?: number
  /** From the start of the turn; what runs when it is over is interrupted. */
  readonly wallTime?: Duration.Input
  /** The same tool with the same arguments this many times in a row. */
  readonly repeatedCalls?: number
}

const defaultSteps = 100

/** Say which limit forbids another step. */
export const reached = (limits: Limits, tally: Tally): LimitReached | undefined => {
  const steps = limits.steps ?? defaultSteps
  if (tally.steps >= steps) {
    return new LimitReached({
      code: "LIMIT_STEPS",
      message: `the turn made ${tally.steps} of ${steps} steps`,
    })
  }
  const tokens = totalTokens(tally.usage)
  if (limits.tokens !== undefined && tokens >= limits.tokens) {
    const message = `the turn used ${tokens} tokens; the limit is ${limits.tokens}`
    return new LimitReached({ code: "LIMIT_TOKENS", message })
  }
  if (limits.repeatedCalls !== undefined && tally.streak.count >= limits.repeatedCalls) {
    const message = `the model made the same call ${tally.streak.count} times in a row`
    return new LimitReached({ code: "LIMIT_REPEATED_CALLS", message })
  }
  return undefined
}
