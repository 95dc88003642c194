/**
 * Who may run what: one verdict a call, after its arguments are known and before its body starts.
 *
 * In:  the tool's name and the decoded arguments.      Out: allow, deny or ask; the default allows.
 * Fails with: nothing that counts; a guard that fails, dies or stops itself denies.
 * Not here: who answers an `ask` (`Approver.ts`), what becomes of a verdict (`authorize.ts`).
 */
import { Context, Effect, Layer } from "effect"

export interface GuardedCall {
  readonly callId: string
  readonly tool: string
  readonly args: unknown
}

export type Verdict =
  | { readonly _tag: "allow" }
  | { readonly _tag: "deny"; readonly reason: string }
  | { readonly _tag: "ask"; readonly reason: string }

export type Guard = (call: GuardedCall) => Effect.Effect<Verdict, unknown>

export const allow: Verdict = { _tag: "allow" }
export const deny = (reason: string): Verdict => ({ _tag: "deny", reason })
export const ask = (reason: string): Verdict => ({ _tag: "ask", reason })

const allowed = Effect.succeed(allow)

/** The guard of the calls made under it. */
export const Guard = Context.Reference<Guard>("effect-harness/tool/Guard", { defaultValue: () => () => allowed })
