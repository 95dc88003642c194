/**
 * Say what in a log no longer fits the tools of today, before anybody goes on with it.
 *
 * In:  a log and a toolbox.      Out: tools that are gone or have another schema, calls whose arguments are not accepted any more.
 * Fails with: nothing. No body runs and nobody is asked.
 * Not here: what becomes of such a call (`call/OpenCalls`): when it is to run again it is answered as unknown.
 */
import { Effect, Exit } from "effect"
import type { Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { Toolbox } from "../tool/Toolbox.ts"

export interface Misfit {
  readonly seq: number
  readonly callId: string
  readonly tool: string
  /** It started and has no result: going on has to say something about it. */
  readonly isOpen: boolean
  /** Why its arguments are refused today. */
  readonly message: string
}

export interface Inspection {
  /** Tools that the model was told of last, or that were called, and that there are not any more. */
  readonly missing: ReadonlyArray<string>
  /** Tools whose parameters are described in another way than the model was told last. */
  readonly changed: ReadonlyArray<string>
  /** Calls that started, of tools that there are, in the order of the log. */
  readonly misfits: ReadonlyArray<Misfit>
}

export const inspect = <R>(
  log: ReadonlyArray<SessionEvent>,
  toolbox: Toolbox<R>,
): Effect.Effect<Inspection, never, R> => {
  const told = toldIn(log)
  const calls = log.flatMap((event) =>
    event.type === "tool/call" && event.data.starts !== false ? [{ seq: event.seq, ...event.data }] : [],
  )
  const results = new Set(log.flatMap(({ type, data }) => (type === "tool/result" ? [data.callId] : [])))
  const names = new Set([...told.map(({ name }) => name), ...calls.map(({ name }) => name)])
  const check = Effect.forEach(calls, ({ seq, callId, name, arguments: text }) => {
    const tool = toolbox.tools.get(name)
    if (tool === undefined) return Effect.succeed([])
    return Effect.map(Effect.exit(tool.prepare(text)), (prepared): ReadonlyArray<Misfit> => {
      if (Exit.isSuccess(prepared)) return []
      const failure = prepared.cause.reasons.find((reason) => reason._tag === "Fail")
      const message = failure?.error.message ?? "the check of the arguments broke"
      return [{ seq, callId, tool: name, isOpen: !results.has(callId), message }]
    })
  })
  return Effect.map(check, (found) => ({
    missing: [...names].filter((name) => !toolbox.tools.has(name)),
    changed: told.flatMap(({ name, fingerprint }) => {
      const tool = toolbox.tools.get(name)
      return tool === undefined || tool.fingerprint === fingerprint ? [] : [name]
    }),
    misfits: found.flat(),
  }))
}

const toldIn = (log: ReadonlyArray<SessionEvent>): Payload<"request/config">["tools"] => {
  const last = log.findLast(({ type }) => type === "request/config")
  return last?.type === "request/config" ? last.data.tools : []
}

/** An inspection in words, one line a finding; none when all fits. */
export const toLines = ({ missing, changed, misfits }: Inspection): ReadonlyArray<string> => [
  ...missing.map((name) => `the tool ${name} is not there any more`),
  ...changed.map((name) => `the tool ${name} takes other arguments than the model was told`),
  ...misfits
    .filter(({ isOpen }) => isOpen)
    .map(
      ({ tool, callId, message }) => `the open call ${callId} of ${tool} does not fit any more: ${message}`,
    ),
]
