/**
 * Settle the calls of a step that a dead process left open, and close the step.
 *
 * In:  a session whose log ends in an open turn, and the tools of today.      Out: a result for each call, in the log.
 * Fails with: append errors.
 * Order: `session/resume` is in the log before any call runs again; results that are in the log stay as they are.
 * Not here: what is written for a call that is not run (`recovery/`), how one is run again (`rerun.ts`).
 * Source: PROTOCOL "Crashes".
 */
import { Effect, Exit } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { ToolCallBlock } from "../message/Content.ts"
import type { ToolCall } from "../message/ToolCall.ts"
import * as Recovery from "../recovery/Recovery.ts"
import type { AppendError } from "../session/Session.ts"
import type { CallState } from "../session/SessionState.ts"
import type { Standing } from "../tool/Recovered.ts"
import { type CallParts, runCalls } from "./Calls.ts"
import { type Rerun, rerunCalls } from "./rerun.ts"

/** Close the open step, if there is one: with the results there are, of what may run again, and of what is known. */
export const settle = (parts: CallParts): Effect.Effect<void, AppendError> =>
  Effect.gen(function* () {
    const { session } = parts
    const place = { turn: session.state().turn, step: session.state().step }
    const standings = yield* standingsOf(parts)
    yield* session.append("written", (state) => {
      const options = state.aborting ? {} : { standings }
      return Recovery.goOn(state, session.log(), { aside: session.aside, ...options })
    })
    const left = Recovery.openCalls(session.state())
    if (left.length === 0) return
    yield* rerunCalls(parts, place, left.flatMap(toRerun))
    const asked = left.flatMap(({ phase, block }) => (phase === "open" ? [block] : []))
    yield* runCalls(parts, place, asked)
    yield* session.append("synced", () => [{ type: "step/end", data: place }])
  })

/** What can be found out of each call that has no result. An abort, or the end of the agent, ends the finding out. */
const standingsOf = (parts: CallParts): Effect.Effect<Recovery.Standings, AppendError> => {
  const { session } = parts
  const log = session.log()
  const find = Effect.forEach(Recovery.openCalls(session.state()), (call) =>
    Effect.map(standingOf(parts, call, log), (standing) => [call.block.callId, standing] as const),
  )
  return Effect.map(Effect.exit(Effect.interruptible(find)), (found) =>
    Exit.isSuccess(found) ? new Map(found.value) : new Map(),
  )
}

const standingOf = (
  { runner, approvals, session }: CallParts,
  { block, phase, key }: CallState,
  log: ReadonlyArray<SessionEvent>,
): Effect.Effect<Standing | { readonly _tag: "kept" }> => {
  const call = toCall(block)
  // What was asked or decided is still to be run; what nobody had looked at yet is not, and the model hears so.
  if (phase === "open")
    return Effect.succeed(approvals.wasAsked(call.callId) ? { _tag: "kept" } : { _tag: "unknown" })
  const mayRun = key !== undefined && Recovery.mayRerun(log, call.callId)
  return Effect.flatMap(approvals.isApproved(call), (isApproved) =>
    runner.recover(call, { scope: session.id, isApproved, ...(mayRun && { key }) }),
  )
}

const toRerun = ({ phase, block, key }: CallState): ReadonlyArray<Rerun> =>
  phase === "running" && key !== undefined ? [{ call: toCall(block), key }] : []

const toCall = ({ callId, name, arguments: text }: ToolCallBlock): ToolCall => ({
  callId,
  name,
  arguments: text,
})
