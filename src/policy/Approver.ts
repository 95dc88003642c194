/**
 * Who answers when a guard asks.
 *
 * In:  the guarded call and the guard's reason.      Out: yes or no; the default says no.
 * Fails with: nothing that counts; an approver that fails, dies or stops itself denies.
 * Not here: when to ask (`Guard.ts`), how an answer is logged (`loop/`).
 */
import { Context, Effect, Layer } from "effect"
import * as Digest from "../message/Digest.ts"
import { readArguments } from "../message/ToolCall.ts"
import type { GuardedCall } from "./Guard.ts"

export interface Question extends GuardedCall {
  readonly reason: string
  /** What an answer counts for (`digest`), as the log has it; absent when nothing logs the question. */
  readonly digest?: string
  /** When it is too late to answer; absent when that is never. Units: epoch milliseconds. */
  readonly expiresAt?: number
}

/** `by`: who decided, in the words of the approver; the log keeps it. */
export type Decision =
  | { readonly _tag: "allow"; readonly by?: string }
  | { readonly _tag: "deny"; readonly reason: string; readonly by?: string }

export const allow: Decision = { _tag: "allow" }
export const deny = (reason: string): Decision => ({ _tag: "deny", reason })

export type Approver = (question: Question) => Effect.Effect<Decision, unknown>

const nobody = Effect.succeed<Decision>({
  _tag: "deny",
  reason: "it needs an approval, and nobody is there to give it",
  by: "nobody",
})

/** The approver of the calls made under it. */
export const Approver = Context.Reference<Approver>("effect-harness/policy/Approver", {
  defaultValue: () => () => nobody,
})

/** Let this one answer what guards ask; it takes the place of the one that is there. */
export const layer = (approver: Approver): Layer.Layer<never> => Layer.succeed(Approver, approver)

/**
 * Name what an approval is for: this tool, as its schema is now, with these arguments.
 *
 * Shape: lower-case hex; equal for arguments that differ in spacing or key order only.
 */
export const digest = (tool: string, argumentText: string, fingerprint: string): string =>
  Digest.ofJson([tool, readArguments(argumentText), fingerprint])
