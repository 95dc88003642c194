/**
 * Say in words, for a model, how a call ended badly, and whether to make it again.
 *
 * In:  the tool, the outcome, the code of the result, the error.      Out: one text.
 * Fails with: nothing.
 * Not here: which outcome it is (`encode.ts`), what an error says of itself (`error/`).
 */
import * as Foreign from "../error/Foreign.ts"
import { type HarnessError, isHarnessError, type Retry } from "../error/HarnessError.ts"
import type { Outcome } from "../message/ToolResult.ts"
import { ToolArgsMalformed, ToolTimedOut } from "./ToolError.ts"

export interface Ending {
  readonly tool: string
  readonly outcome: Exclude<Outcome, "success">
  readonly foreign: Foreign.Foreign
  readonly error: unknown
  /** How often the body was run; 0 when it was stopped as it waited for its turn. */
  readonly attempts: number
}

/** Say what happened. */
export const describe = ({ tool, outcome, foreign: { code, message }, error, attempts }: Ending): string => {
  const runs = attempts > 1 ? ` after ${attempts} runs` : ""
  switch (outcome) {
    case "unknown-tool":
      return `${message} Nothing ran. ${advice.now}`
    case "rejected":
      // What is said about broken JSON is whole in itself.
      if (isHarnessError(error) && error instanceof ToolArgsMalformed)
        return `${tool} was not called. ${message}`
      return `The arguments of ${tool} were refused, and nothing ran.\n${message}\n${advice.now}`
    case "denied":
      return `${toSentence(message)} Nothing ran. Do not make this call again unless the user asks for it.`
    case "failed":
      return `${tool} failed${runs} (${code}): ${message}\n${adviceFor(error, code)}`
    case "defect":
      return `${tool} broke (${code}): ${message}\nThis is a fault in the tool, not in the call. ${advice.never}`
    case "timed-out":
      if (attempts === 0)
        return `${message} It was still waiting for its turn, and nothing ran. ${advice.later}`
      if (isHarnessError(error) && error instanceof ToolTimedOut && error.mayStillRun === true)
        return `${message} It was told to stop${runs}, has not ended yet, and may still do its work. ${advice.later}`
      return `${message} It was stopped${runs} and may have done a part of its work. ${advice.later}`
    case "interrupted-before-start":
      return `${message} ${advice.later}`
    case "not-started":
      return `${toSentence(message)} Nothing ran. ${advice.later}`
    case "interrupted":
      return `${toSentence(message)} Find out what it did before you make the call again.`
    case "outcome-unknown":
      return message
  }
}

const toSentence = (message: string): string => message.replace(/[.!]?$/, ".")

/** Say whether the same call may work. */
export const adviceFor = (error: unknown, code: string): string => {
  // A `ToolFailed` only stands for a foreign error, whose code tells more than nothing, or nothing.
  const isOwn = isHarnessError(error) && Foreign.tagOf(error) !== "ToolFailed"
  const retry = (isOwn ? retryIn(error) : undefined) ?? Foreign.retryOf(code)
  return retry === undefined ? "The same call helps only when the reason for this is gone." : advice[retry]
}

/** A class of its author may say anything here, or throw. */
const retryIn = (error: HarnessError): Retry | undefined => {
  try {
    return Object.hasOwn(advice, error.retry) ? error.retry : undefined
  } catch {
    return undefined
  }
}

const advice: Record<Retry, string> = {
  now: "Correct the call and make it again.",
  later: "The same call may work later.",
  never: "The same call would end the same way.",
}
