/**
 * Who answers when a guard asks.
 *
 * In:  the guarded call and the guard's reason.      Out: yes or no; the default says no.
 * Fails with: nothing that counts; an approver that fails, dies or stops itself denies.
 * Not here: when to ask (`Guard.ts`), how an answer is logged (`loop/`).
 */
import { Context, Effect } from "effect"
import type { GuardedCall } from "./Guard.ts"

export interface Question extends GuardedCall {
  readonly reason: string
}

export type Decision = { readonly _tag: "allow" } | { readonly _tag: "deny"; readonly reason: string }

export type Approver = (question: Question) => Effect.Effect<Decision, unknown>

const nobody = Effect.succeed<Decision>({
  _tag: "deny",
  reason: "it needs an approval, and nobody is there to give it",
})

/** The approver of the calls made under it. */
export const Approver = Context.Reference<Approver>("effect-harness/policy/Approver", {
  defaultValue: () => () => nobody,
})
