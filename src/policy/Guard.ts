/**
 * Who may run what: one verdict a call, after its arguments are known and before its body starts.
 *
 * In:  the tool's name and the decoded arguments.      Out: allow, deny or ask; the default allows.
 * Fails with: nothing that counts; a guard that fails, dies, stops itself or gives no verdict denies.
 * Not here: who answers an `ask` (`Approver.ts`), what becomes of a verdict (`tool/authorize.ts`).
 */
import { Cause, Context, Effect, Layer, Predicate } from "effect"
import * as Contained from "../error/Contained.ts"
import * as Foreign from "../error/Foreign.ts"

/**
 * What a guard sees of a call: a copy, so that looking never changes what runs; lists and plain objects in it are frozen.
 * Only instances of other classes than the language's own, such as those that a `Schema.Class` decodes to, are the body's
 * own: a guard must not write to them.
 */
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

export const allowAll: Guard = () => allowed

/** What of a tool a guard of its own needs: its name, and what its body reads. */
interface Guarded<in A> {
  readonly name: string
  readonly body: (args: A, call: never) => unknown
}

/** Look at the arguments of one tool, as its body reads them; all other tools are allowed. */
export const forTool =
  <A>(
    { name }: Guarded<A>,
    judgeArgs: (args: A, call: GuardedCall) => Verdict | Effect.Effect<Verdict, unknown>,
  ): Guard =>
  (call) => {
    if (call.tool !== name) return allowed
    // A tool's name is unique in its box, so these were decoded by its own parameters; test/policy/Guard.test.ts.
    const verdict = judgeArgs(call.args as A, call)
    return Effect.isEffect(verdict) ? verdict : Effect.succeed(verdict)
  }

/** The guard of the calls made under it. */
export const Guard = Context.Reference<Guard>("effect-harness/policy/Guard", { defaultValue: () => allowAll })

/**
 * Ask every guard: deny wins over ask, ask over allow, whatever their order.
 *
 * Shape: the reasons of all that gave the winning verdict, sorted.
 */
export const all =
  (...guards: ReadonlyArray<Guard>): Guard =>
  (call) =>
    Effect.map(
      Effect.forEach(guards, (guard) => judge(guard, call)),
      strictest,
    )

/** Add a guard to the one that is there: a later layer never turns a deny into an allow. */
export const layer = (guard: Guard): Layer.Layer<never> =>
  Layer.effect(
    Guard,
    Effect.map(Guard, (outer) => all(outer, guard)),
  )

/** Ask one guard; one that fails, dies or stops itself denies. An abort of the caller passes by: no handler sees it. */
export const judge = (guard: Guard, call: GuardedCall): Effect.Effect<Verdict> =>
  Effect.catchCause(
    Effect.suspend(() => {
      const judging = guard(call)
      return Effect.isEffect(judging) ? Effect.map(Contained.run(judging), toVerdict) : noVerdict
    }),
    (cause) => Effect.succeed(deny(`the guard could not decide: ${reasonOf(cause)}`)),
  )

/** Copy a call for its guards. */
export const show = (call: GuardedCall): GuardedCall => Object.freeze({ ...call, args: detach(call.args) })

const detach = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(detach))
  if (isPlain(value))
    return Object.freeze(
      Object.fromEntries(Object.entries(value).map(([key, member]) => [key, detach(member)])),
    )
  if (value instanceof Map)
    return new Map(Array.from(value, ([key, member]) => [detach(key), detach(member)]))
  if (value instanceof Set) return new Set(Array.from(value, detach))
  const isWhole = value instanceof Date || value instanceof ArrayBuffer || ArrayBuffer.isView(value)
  return isWhole ? structuredClone(value) : value
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** Only these three count; a guard without types may give anything, and a misspelt "deny" must not allow. */
const toVerdict = (given: unknown): Verdict => {
  const tag = Foreign.tagOf(given)
  if (tag === "allow") return allow
  if (tag === "deny") return deny(readReason(given))
  return tag === "ask" ? ask(readReason(given)) : deny("the guard gave no verdict")
}

const noVerdict = Effect.sync(() => toVerdict(undefined))

/** Read the `reason` of a verdict or of a decision. */
export const readReason = (given: unknown): string => {
  const reason = Predicate.hasProperty(given, "reason") ? given.reason : undefined
  // A text normalises to itself, at a length that a log and a model can bear.
  return typeof reason === "string" && reason.trim() !== ""
    ? Foreign.normalise(reason).message
    : "no reason given"
}

/** Say in words why a guard or an approver gave no answer. */
export const reasonOf = (cause: Cause.Cause<unknown>): string =>
  Cause.hasInterruptsOnly(cause) ? "it stopped itself" : Foreign.normalise(Cause.squash(cause)).message

const strictest = (verdicts: ReadonlyArray<Verdict>): Verdict => {
  const denials = reasons(verdicts, "deny")
  if (denials !== "") return deny(denials)
  const questions = reasons(verdicts, "ask")
  return questions === "" ? allow : ask(questions)
}

const reasons = (verdicts: ReadonlyArray<Verdict>, tag: "deny" | "ask"): string => {
  const found = verdicts.flatMap((verdict) => (verdict._tag === tag ? [verdict.reason] : []))
  return [...new Set(found)].sort().join("; ")
}
