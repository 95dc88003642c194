/**
 * Who answers when a guard asks.
 *
 * In:  the guarded call and the guard's reason.      Out: yes or no; the default says no.
 * Fails with: nothing that counts; an approver that fails, dies, stops itself or gives no decision denies.
 * Not here: when to ask (`Guard.ts`), how an answer is logged (`loop/`).
 */
import { Context, Effect, Layer, Predicate } from "effect"
import * as Contained from "../error/Contained.ts"
import * as Foreign from "../error/Foreign.ts"
import * as Digest from "../message/Digest.ts"
import { readArguments } from "../message/ToolCall.ts"
import { type GuardedCall, readReason } from "./Guard.ts"

/**
 * Of a guarded call. Its `args` are those that the body will read, with all that is sensitive: before a person sees
 * them, or a log of your own, hide it by `Redactor.make(redaction).args(tool, args)`, as the command line does.
 */
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

/** Ask; what the approver fails with comes through, and an answer that is no decision is a no. */
export const put = (approver: Approver, question: Question): Effect.Effect<Decision, unknown> =>
  Effect.suspend(() => {
    const deciding = approver(question)
    return Effect.isEffect(deciding)
      ? Effect.map(Contained.run(deciding), toDecision)
      : Effect.succeed(toDecision(undefined))
  })

/** An approver without types may give anything: `true`, or nothing when a person closed the dialog. */
const toDecision = (given: unknown): Decision => {
  const by = Predicate.hasProperty(given, "by") && typeof given.by === "string" ? { by: given.by } : {}
  const tag = Foreign.tagOf(given)
  if (tag === "allow") return { _tag: "allow", ...by }
  return { _tag: "deny", reason: tag === "deny" ? readReason(given) : "the approver gave no decision", ...by }
}

/**
 * Name what an approval is for: this tool, as its schema is now, with these arguments.
 *
 * Shape: lower-case hex; equal for arguments that differ in spacing or key order only.
 */
export const digest = (tool: string, argumentText: string, fingerprint: string): string =>
  Digest.ofJson([tool, readArguments(argumentText), fingerprint])
