/**
 * Count what a turn has used and seen, step by step.
 *
 * In:  the end of every step.      Out: sums and streaks that limits, retries and the result are made of.
 * Not here: what follows from the numbers (`Limits.ts`, `decide.ts`).
 */
import type { CallOutcome } from "../call/Calls.ts"
import { toText } from "../message/Content.ts"
import * as Digest from "../message/Digest.ts"
import type { Usage } from "../message/ModelChunk.ts"
import { readArguments, type ToolCall } from "../message/ToolCall.ts"
import type { StepEnd } from "./step.ts"
import type { RefusedCall } from "./TurnResult.ts"

export interface Tally {
  readonly steps: number
  readonly usage: Usage
  readonly text: string
  readonly refused: ReadonlyArray<RefusedCall>
  /** Failed attempts of this model since the last answer. */
  readonly failures: number
  /** Which of the agent's models speaks. */
  readonly voice: number
  /** Times the model was told to do better in this turn. */
  readonly reminders: number
  /** The latest call and how many times in a row it came, by name and canonical arguments. */
  readonly streak: { readonly call: ToolCall | undefined; readonly count: number }
}

export const empty: Tally = {
  steps: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  text: "",
  refused: [],
  failures: 0,
  voice: 0,
  reminders: 0,
  streak: { call: undefined, count: 0 },
}

/** Add the end of a step. Streaks cost a reading of both calls' arguments: they are counted only when somebody asks. */
export const add = (tally: Tally, end: StepEnd, countsStreaks = true): Tally => {
  const text = toText(end.content)
  const outcomes = end.kind === "answered" ? end.outcomes : []
  return {
    steps: tally.steps + 1,
    usage: end.usage === undefined ? tally.usage : sum(tally.usage, end.usage),
    text: text === "" ? tally.text : text,
    refused: outcomes.reduce(correct, tally.refused).concat(outcomes.flatMap(refusal)),
    failures: end.kind === "failed" ? tally.failures + 1 : 0,
    voice: tally.voice,
    reminders: tally.reminders,
    streak: countsStreaks ? outcomes.reduce(prolong, tally.streak) : tally.streak,
  }
}

/** Let the next model speak, which has not failed yet. */
export const nextVoice = (tally: Tally): Tally => ({ ...tally, voice: tally.voice + 1, failures: 0 })

/** Units: tokens, of every kind. */
export const totalTokens = (usage: Usage): number =>
  usage.inputTokens +
  usage.outputTokens +
  (usage.cacheReadTokens ?? 0) +
  (usage.cacheWriteTokens ?? 0) +
  (usage.reasoningTokens ?? 0)

/** The last refused call that nothing corrected. */
export const uncorrected = (tally: Tally): RefusedCall | undefined =>
  tally.refused.findLast(({ corrected }) => !corrected)

const sum = (left: Usage, right: Usage): Usage => ({
  inputTokens: left.inputTokens + right.inputTokens,
  outputTokens: left.outputTokens + right.outputTokens,
  ...optionalSum("cacheReadTokens", left, right),
  ...optionalSum("cacheWriteTokens", left, right),
  ...optionalSum("reasoningTokens", left, right),
})

const optionalSum = (
  key: "cacheReadTokens" | "cacheWriteTokens" | "reasoningTokens",
  left: Usage,
  right: Usage,
): Partial<Usage> =>
  left[key] === undefined && right[key] === undefined ? {} : { [key]: (left[key] ?? 0) + (right[key] ?? 0) }

/** A success speaks for refused calls of earlier steps: those of its own step had not been answered when it was made. */
const correct = (
  refused: ReadonlyArray<RefusedCall>,
  { result: { name, outcome } }: CallOutcome,
): ReadonlyArray<RefusedCall> =>
  outcome === "success" && refused.length > 0
    ? refused.map((call) =>
        call.name === name || call.outcome === "unknown-tool" ? { ...call, corrected: true } : call,
      )
    : refused

const refusal = ({ result }: CallOutcome): ReadonlyArray<RefusedCall> => {
  const { callId, name, outcome, error } = result
  const isRefusal = outcome === "rejected" || outcome === "unknown-tool" || outcome === "denied"
  return isRefusal && error !== undefined ? [{ callId, name, outcome, error, corrected: false }] : []
}

const prolong = (streak: Tally["streak"], { call }: CallOutcome): Tally["streak"] => ({
  call,
  count: streak.call !== undefined && isSame(streak.call, call) ? streak.count + 1 : 1,
})

/** Only texts that differ have to be read. */
const isSame = (one: ToolCall, other: ToolCall): boolean =>
  one.name === other.name &&
  (one.arguments === other.arguments || canonical(one.arguments) === canonical(other.arguments))

const canonical = (text: string): string => Digest.canonical(readArguments(text))
