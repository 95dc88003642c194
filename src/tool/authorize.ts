/**
 * Stage two: may this call run?
 *
 * In:  the guard of the call, the tool's name and the decoded arguments.      Out: nothing, when it may.
 * Fails with: `ToolDenied` on a deny, on an `ask` that nobody grants, and when either could not answer.
 * Not here: the ports that decide (`Guard.ts`, `Approver.ts`).
 */
import { Effect } from "effect"
import { Approver, put } from "../policy/Approver.ts"
import { type Guard, type GuardedCall, judge, reasonOf, show } from "../policy/Guard.ts"
import { ToolDenied } from "./ToolError.ts"

/** Ask the guard, and the approver when the guard says so: the one given, or that of the context. */
export const authorize = (
  guard: Guard,
  call: GuardedCall,
  approver?: Approver,
): Effect.Effect<void, ToolDenied> => {
  const shown = show(call)
  const asked = Effect.flatMap(judge(guard, shown), (verdict) => {
    if (verdict._tag === "allow") return Effect.void
    return verdict._tag === "deny"
      ? Effect.fail(denied(shown, verdict.reason))
      : approve(shown, verdict.reason)
  })
  return approver === undefined ? asked : Effect.provideService(asked, Approver, approver)
}

const approve = (call: GuardedCall, reason: string): Effect.Effect<void, ToolDenied> =>
  Effect.flatMap(Approver, (approver) =>
    Effect.matchCauseEffect(put(approver, { ...call, reason }), {
      onFailure: (cause) => Effect.fail(denied(call, `the approver could not decide: ${reasonOf(cause)}`)),
      onSuccess: (decision) =>
        decision._tag === "allow" ? Effect.void : Effect.fail(denied(call, decision.reason)),
    }),
  )

const denied = (call: GuardedCall, reason: string): ToolDenied =>
  new ToolDenied({ message: `${call.tool} may not run: ${reason}`, tool: call.tool, reason })
