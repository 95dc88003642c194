/**
 * Make a provider's token counts disjoint.
 *
 * In:  totals with their parts, any of them absent.      Out: `Usage`, or nothing when nothing was counted.
 * Not here: when usage is told (`toChunks.ts`).
 */
import type { Usage } from "../message/ModelChunk.ts"

type Count = number | undefined

export interface Counts {
  readonly inputTokens: {
    readonly total: Count
    readonly noCache: Count
    readonly cacheRead: Count
    readonly cacheWrite: Count
  }
  readonly outputTokens: { readonly total: Count; readonly text: Count; readonly reasoning: Count }
}

export const toUsage = ({ inputTokens: input, outputTokens: output }: Counts): Usage | undefined => {
  if ([input.total, input.noCache, output.total, output.text].every((count) => count === undefined))
    return undefined
  const cacheRead = whole(input.cacheRead)
  const cacheWrite = whole(input.cacheWrite)
  const reasoning = whole(output.reasoning)
  return {
    inputTokens: whole(input.noCache ?? whole(input.total) - cacheRead - cacheWrite),
    outputTokens: whole(output.text ?? whole(output.total) - reasoning),
    ...(cacheRead > 0 && { cacheReadTokens: cacheRead }),
    ...(cacheWrite > 0 && { cacheWriteTokens: cacheWrite }),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
  }
}

/** What no log can hold as a count was never counted: NaN, Infinity, 1e300. */
const whole = (count: Count): number => {
  const rounded = Math.round(count ?? 0)
  return Number.isSafeInteger(rounded) ? Math.max(0, rounded) : 0
}
