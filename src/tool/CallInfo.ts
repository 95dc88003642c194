/**
 * What a body is told about the call that it serves.
 *
 * In:  the call's id, the tool's name, the model's text.      Out: `CallInfo`; key and signal are made on first use.
 * Fails with: nothing.
 * Not here: the arguments (a body's first parameter), the result (`encode.ts`).
 */
import { Effect, type Schema } from "effect"
import * as Digest from "../message/Digest.ts"

export interface CallInfo {
  readonly callId: string
  /** Equal for two runs of the same call, different for any other: what an idempotent service wants to be given. */
  readonly key: string
  /** Aborts when the body is interrupted. */
  readonly signal: AbortSignal
  /** Tell the person who waits what goes on; the model never reads it. */
  readonly progress: (text: string) => Effect.Effect<void>
}

/** What a caller may say about a call; an id is drawn from `Ids` when none is given. */
export interface CallOptions {
  readonly callId?: string
  readonly progress?: CallInfo["progress"]
}

const ignore: CallInfo["progress"] = () => Effect.void

/** Make the info of one call of one tool. */
export const make = (tool: string, argumentText: string, callId: string, progress = ignore): CallInfo => {
  let key: string | undefined
  let controller: AbortController | undefined
  return {
    callId,
    progress,
    get key() {
      key ??= Digest.ofJson([callId, tool, canonicalArguments(argumentText)])
      return key
    },
    get signal() {
      controller ??= new AbortController()
      return controller.signal
    },
  }
}

/** Arguments that mean the same have the same key; text that is no JSON stands for itself. */
const canonicalArguments = (text: string): Schema.Json => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
