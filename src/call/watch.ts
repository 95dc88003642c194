/**
 * Let those who watch know of a call: its span and counter, its failed runs, the error that it ended with.
 *
 * In:  a call and what becomes of it.      Out: the same end; spans, `error` events, `CallFailure`s beside it.
 * Fails with: nothing of its own.
 * Not here: the call's own events (`Calls.ts`, `rerun.ts`), names of spans (`telemetry/Operation`).
 */
import { Effect, Exit } from "effect"
import type { Payload } from "../event/SessionEvent.ts"
import type { ToolCall } from "../message/ToolCall.ts"
import type { Again } from "../policy/Retry.ts"
import type { Session } from "../session/Session.ts"
import * as Operation from "../telemetry/Operation.ts"
import type { Telemetry } from "../telemetry/Telemetry.ts"
import type { Settled } from "../tool/ToolRunner.ts"
import type { CallFailure } from "./CallFailure.ts"

export interface Watchers {
  readonly session: Session
  readonly telemetry: Telemetry | undefined
  /** The names of the tools that there are. */
  readonly tools: Pick<ReadonlyMap<string, unknown>, "has">
  /** Hear the error of each call that ends in one. */
  readonly onFailure: (failure: CallFailure) => Effect.Effect<unknown>
}

type Place = Payload<"step/end">

/** Run a call as one operation, when telemetry is on. */
export const observe = <E>(
  { telemetry, session, tools }: Watchers,
  { turn, step }: Place,
  { callId, name }: ToolCall,
  run: Effect.Effect<Settled, E>,
): Effect.Effect<Settled, E> => {
  if (telemetry === undefined) return run
  // What a model calls a tool that is not there is the model's text, which no span and no counter holds.
  const tool = tools.has(name) ? name : undefined
  const operation = Operation.executeTool({ conversation: session.id, turn, step, callId, tool })
  return telemetry.observe(operation, run, (exit) =>
    Operation.toolEnded(tool, Exit.isSuccess(exit) ? exit.value.result : undefined),
  )
}

/** Let the log hear of a run that failed and is tried again; a message that it cannot hold is not worth the call. */
export const logRetry = (
  session: Session,
  place: Place,
  call: ToolCall,
  again: Again,
): Effect.Effect<void> => {
  const { name, code, message } = again.error
  const said = `${call.name} (${call.callId}), run ${again.attempt - 1}: ${message}`
  return Effect.ignore(
    session.append("accepted", () => [{ type: "error", data: { ...place, name, code, message: said } }]),
  )
}

/** Hand on the error of a call that ended in one; to be called once its result is in the log. */
export const tellFailure = (
  { onFailure }: Watchers,
  place: Place,
  { callId, name }: ToolCall,
  { result, error }: Settled,
): Effect.Effect<void> =>
  result.isError ? Effect.asVoid(onFailure({ ...place, callId, tool: name, error })) : Effect.void
