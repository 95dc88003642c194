/**
 * Take one answer of a model, chunk by chunk: into the log and into blocks, with no fiber or queue between.
 *
 * In:  a model's stream.      Out: an `Answer`, also when the stream fails or is interrupted half-way.
 * Fails with: `ModelError` or `ModelDefect` (the step ends with them), `SessionPoisoned` (the turn stops).
 * Not here: what the log says of an answer (`step.ts`).
 */
import { Cause, Effect, Result, type Stream } from "effect"
import type { CallIds } from "../call/CallIds.ts"
import * as Contained from "../error/Contained.ts"
import * as Foreign from "../error/Foreign.ts"
import { isHarnessError } from "../error/HarnessError.ts"
import type { Payload } from "../event/SessionEvent.ts"
import * as Assembler from "../message/Assembler.ts"
import type { AssistantContent } from "../message/Content.ts"
import type { BlockChunk, Finish, ModelChunk, Usage } from "../message/ModelChunk.ts"
import { type ModelError, ModelInterrupted, ModelProtocolViolated } from "../model/ModelError.ts"
import type { Session } from "../session/Session.ts"
import type { SessionPoisoned } from "../session/SessionError.ts"
import { pull } from "./pull.ts"
import { ModelDefect } from "./TurnError.ts"

/** What has been heard so far; it grows while the stream runs. */
export interface Answer {
  /** Finished blocks only. */
  readonly content: () => AssistantContent
  readonly usage: () => Usage | undefined
  /** A call had begun and was not finished: nobody knows its arguments. */
  readonly hasOpenCall: () => boolean
}

export interface Listening {
  readonly answer: Answer
  /** Run the stream to its finish. Interrupting it leaves `answer` as far as it came. */
  readonly run: Effect.Effect<Finish, ModelError | ModelDefect | SessionPoisoned>
}

type Place = Payload<"step/end">

/** Listen to `stream`, logging every chunk as one of `place`. */
export const listen = (
  parts: { readonly session: Session; readonly callIds: CallIds },
  place: Place,
  stream: () => Stream.Stream<ModelChunk, ModelError>,
): Listening => {
  const assembler = Assembler.make()
  let finish: Finish | undefined

  const { turn, step } = place

  /** What our own log threw stays a defect; whatever else breaks here, the adapter broke. */
  let hasLogBroken = false

  const log = (chunk: BlockChunk): ModelProtocolViolated | SessionPoisoned | undefined => {
    hasLogBroken = true
    const accepted = parts.session.accept({ type: "assistant/chunk", data: { turn, step, chunk } })
    hasLogBroken = false
    if (Result.isSuccess(accepted)) return undefined
    return accepted.failure._tag === "SessionPoisoned" ? accepted.failure : violated(accepted.failure.message)
  }

  const take = (chunk: ModelChunk): ModelError | SessionPoisoned | undefined => {
    const named = parts.callIds.rename(chunk)
    const fault = assembler.push(named)
    if (fault !== undefined) return violated(fault)
    if (named.type === "usage") return undefined
    if (named.type !== "finish") return log(named)
    finish = named.finish
    return reported(named.finish)
  }

  const takeAll = (chunks: ReadonlyArray<ModelChunk>) => {
    for (const chunk of chunks) {
      const failure = take(chunk)
      if (failure !== undefined) return Effect.fail(failure)
      if (finish !== undefined) return Effect.succeed(finish)
    }
    return undefined
  }

  const hear = pull(stream, takeAll, () => Effect.fail(violated("the stream stopped without a finish")))

  const run = Effect.catchCause(Contained.run(hear), (cause) =>
    hasLogBroken ? Effect.failCause(cause) : blame(cause),
  )

  return {
    answer: {
      content: assembler.content,
      usage: () => assembler.usage,
      hasOpenCall: () => assembler.open().some((block) => assembler.blocks.get(block) === "tool-call"),
    },
    run,
  }
}

/** What an adapter throws, and what it fails with that is no error of this package, is a bug in it. */
const blame = (
  cause: Cause.Cause<ModelError | SessionPoisoned>,
): Effect.Effect<never, ModelError | ModelDefect | SessionPoisoned> => {
  const defect = cause.reasons.find(Cause.isDieReason)
  if (defect !== undefined) return Effect.fail(toDefect("threw", defect.defect))
  const failure = cause.reasons.find(Cause.isFailReason)
  return failure === undefined || isHarnessError(failure.error)
    ? Effect.failCause(cause)
    : Effect.fail(toDefect("failed with what is no ModelError", failure.error))
}

const toDefect = (what: string, cause: unknown): ModelDefect =>
  new ModelDefect({ message: `the model adapter ${what}: ${Foreign.normalise(cause).message}`, cause })

/** A model that reports one of the harness's own finishes has failed. */
const reported = (finish: Finish): ModelError | undefined => {
  if (finish.kind === "error") return violated(`the model reported an error${withCode(finish)}`)
  if (finish.kind === "aborted") {
    return new ModelInterrupted({ message: `the provider broke the answer off${withCode(finish)}` })
  }
  return undefined
}

const withCode = (finish: Finish): string => (finish.code === undefined ? "" : ` (${finish.code})`)

const violated = (message: string): ModelProtocolViolated => new ModelProtocolViolated({ message })
