/**
 * Find out how a call stands that started in a process which is no more.
 *
 * In:  a tool of today, the call, and what the log knows of it.      Out: `Standing`. The body is not run.
 * Fails with: nothing. What can no longer be decoded, found out or allowed is unknown.
 * Not here: running it again (`call/Rerun`).
 */
import { Effect, Exit } from "effect"
import * as Contained from "../error/Contained.ts"
import type { ToolCall } from "../message/ToolCall.ts"
import { Guard, judge, show } from "../policy/Guard.ts"
import * as CallInfo from "./CallInfo.ts"
import { encode } from "./encode.ts"
import type { Prepared, Steps } from "./pipeline.ts"
import type { Standing } from "./Recovered.ts"

/** What the log knows of a call. */
export interface Known {
  /** In what the call's id is unique: its session. */
  readonly scope?: string
  /** The key under which it ran; absent when its tool was not idempotent then. */
  readonly key?: string
  /** An equal question was answered with yes before it started. */
  readonly isApproved?: boolean
}

export const recover = <R>(
  tool: Steps<unknown, unknown, R>,
  call: ToolCall,
  known: Known,
): Effect.Effect<Standing, never, R> =>
  Effect.flatMap(Effect.exit(tool.prepare(call.arguments)), (prepared): Effect.Effect<Standing, never, R> => {
    if (Exit.isFailure(prepared))
      return Effect.succeed(unknown("its arguments are not accepted any more as they were"))
    return Effect.flatMap(lookUp(tool, call, known, prepared.value), (found) =>
      found._tag === "done"
        ? Effect.succeed(found)
        : Effect.map(mayRunAgain(tool, call, known, prepared.value.args), (again) =>
            again._tag === "again" || found._tag === "unknown" ? again : found,
          ),
    )
  })

const unknown = (because?: string): Standing => ({
  _tag: "unknown",
  ...(because !== undefined && { because }),
})

/** Ask the tool itself; one that fails, dies or gives what its output may not be knows nothing. */
const lookUp = <R>(
  tool: Steps<unknown, unknown, R>,
  call: ToolCall,
  { scope, key }: Known,
  { recover: ask }: Prepared<unknown, unknown, R>,
): Effect.Effect<Standing, never, R> => {
  if (ask === undefined) return Effect.succeed(unknown())
  const info = CallInfo.make(call.name, call.arguments, call.callId, undefined, undefined, scope, key)
  return Effect.flatMap(
    Contained.run(Effect.suspend(() => ask(info))),
    (found): Effect.Effect<Standing, unknown, R> => {
      if (found._tag !== "done") return Effect.succeed(found)
      return Effect.map(tool.output(found.output), (rendered) => {
        const ran = {
          _tag: "ran",
          exit: Exit.succeed(rendered),
          aborted: false,
          lingers: false,
          durationMillis: 0,
        } as const
        const { durationMillis: _, ...result } = encode(call, ran, 1, []).result
        return { _tag: "done", result: { ...result, recovered: true } }
      })
    },
  ).pipe(Effect.catchCause(() => Effect.succeed(unknown())))
}

const mayRunAgain = (
  tool: Steps<unknown, unknown, unknown>,
  { callId, name }: ToolCall,
  { key, isApproved = false }: Known,
  args: unknown,
): Effect.Effect<Standing> => {
  if (key === undefined || !tool.idempotent) return Effect.succeed(unknown())
  return Effect.flatMap(Guard, (guard) =>
    Effect.map(judge(guard, show({ callId, tool: name, args })), (verdict): Standing => {
      if (verdict._tag === "allow" || (verdict._tag === "ask" && isApproved)) return { _tag: "again" }
      return unknown("it may not be run again as things stand now")
    }),
  )
}
