/**
 * Read arguments more kindly than they were written: policies, off unless a tool names them, each leaving a trace.
 *
 * In:  the parameters of a tool, the policies that are on, the model's text.      Out: the arguments, and every change.
 * Fails with: `ArgumentsProblem`: what no policy may change, or changing did not help. Nothing is half changed then.
 * Not here: what is wrong and what would repair it: the `fix` of each violation says so, and a policy only permits it.
 *
 * One loop for specs, Effect Schemas and JSON Schemas: check, change what is permitted, check again. The last check is
 * the one that gives the arguments, so that what was checked is what the body receives.
 */
import { Effect, Result, type Schema } from "effect"
import * as Beginning from "../error/Beginning.ts"
import type { Fix, Violation } from "../error/Violation.ts"
import * as JsonRepair from "../text/JsonRepair.ts"
import { applyFix, valueAt } from "./applyFix.ts"
import type { ArgumentsProblem, Parameters } from "./Parameters.ts"
import * as Violations from "./Violations.ts"

/** All policies there are. */
export const policies = [
  /** Null for an optional key that does not take it: the key is left out. */
  "null-as-absent",
  /** A number in quotes. */
  "number-from-text",
  /** True or false in quotes, also as Python writes them. */
  "boolean-from-text",
  /** An array or object written as JSON inside a string; also the arguments as a whole. */
  "json-from-text",
  /** A lone item where a list of such items is wanted. */
  "list-from-single",
  /** Text that is almost JSON, mended by the package `jsonrepair`. */
  "json-repair",
] as const

export type Policy = (typeof policies)[number]

/** A change that a policy made. */
export interface Repair {
  readonly policy: Policy
  readonly path: Violation["path"]
  /** What is sensitive stands as its digest, what is long as its beginning. */
  readonly before: Schema.Json
  /** Absent when the key was left out. */
  readonly after?: Schema.Json
  /** What was wrong, as a model would have heard it. */
  readonly why: string
}

/** Arguments as they were understood. */
export interface Reading<out A> {
  readonly args: A
  readonly repairs: ReadonlyArray<Repair>
  /** Keys that the spec does not know and that look like one it does. */
  readonly notes: () => ReadonlyArray<Violation>
}

/** Stands for a secret. */
export type Digest = (secret: unknown) => string

/** Believe names of policies that may come from untyped code. Errors: a `TypeError` that names the known ones. */
export const toPolicies = (names: ReadonlyArray<Policy>): ReadonlySet<Policy> => {
  const unknown = names.find((name) => !policies.includes(name))
  if (unknown !== undefined)
    throw new TypeError(
      `there is no policy ${JSON.stringify(unknown)}; the policies are ${policies.join(", ")}`,
    )
  if (names.includes("json-repair")) JsonRepair.load()
  return new Set(names)
}

/** Check, change, check again: what a change reveals may need another, and none goes on for ever. */
const maxRounds = 32

/** Units: UTF-16 code units of a text whose arguments are looked through for notes. */
const maxNoted = 16_384

/** Read the text of a call. With no policy on, this is `parameters.decode`. */
export const read = <A, R>(
  parameters: Parameters<A, R>,
  allowed: ReadonlySet<Policy>,
  digest: Digest,
): ((text: string) => Effect.Effect<Reading<A>, ArgumentsProblem, R>) => {
  const attempt = (
    text: string,
    value: Schema.Json,
    repairs: ReadonlyArray<Repair>,
    round: number,
  ): ReturnType<ReturnType<typeof read<A, R>>> =>
    // At once where the check is no wait, as that of a spec: then all of this is a call and no step of a fiber.
    Effect.catchEager(
      Effect.mapEager(parameters.check(value), (args) => ({
        args,
        repairs,
        notes: () => (text.length > maxNoted ? [] : parameters.notes(args).filter(isNear)),
      })),
      (found) => {
        const violations = Violations.seal(found, value, digest)
        const mended = round < maxRounds ? mend(parameters, allowed, digest, value, violations) : undefined
        return mended === undefined
          ? Effect.fail({ _tag: "Invalid" as const, violations })
          : attempt(text, mended.value, [...repairs, ...mended.repairs], round + 1)
      },
    )
  return (text) => {
    const parsed = parameters.parse(text)
    if (Result.isSuccess(parsed)) return attempt(text, parsed.success, [], 0)
    const repaired = allowed.has("json-repair") ? repairText(parameters, text, parsed.failure) : undefined
    return repaired === undefined
      ? Effect.fail(parsed.failure)
      : attempt(text, repaired.value, [toRepair(parameters.mask, digest, repaired)], 0)
  }
}

const isNear = ({ fix }: Violation): boolean => fix?.kind === "rename"

interface Change {
  readonly policy: Policy
  readonly path: Violation["path"]
  readonly why: string
  /** The whole before and after. */
  readonly old: Schema.Json
  readonly value: Schema.Json
}

const repairText = (
  { parse }: Pick<Parameters<unknown>, "parse">,
  text: string,
  problem: ArgumentsProblem,
): Change | undefined => {
  if (problem._tag !== "Malformed") return undefined
  const mended = JsonRepair.load()(text)
  const parsed = mended === undefined ? undefined : parse(mended)
  if (parsed === undefined || Result.isFailure(parsed)) return undefined
  return {
    policy: "json-repair",
    path: [],
    why: problem.why,
    old: text,
    value: parsed.success,
  }
}

/** Make every change that a policy permits; `undefined` when there is none. */
const mend = (
  parameters: Pick<Parameters<unknown>, "mask">,
  allowed: ReadonlySet<Policy>,
  digest: Digest,
  given: Schema.Json,
  violations: ReadonlyArray<Violation>,
): { readonly value: Schema.Json; readonly repairs: ReadonlyArray<Repair> } | undefined => {
  let value = given
  const repairs: Array<Repair> = []
  for (const violation of violations) {
    const change = changeOf(violation, value, allowed)
    if (change === undefined) continue
    repairs.push(toRepair(parameters.mask, digest, change))
    value = change.value
  }
  return repairs.length === 0 ? undefined : { value, repairs }
}

/** What would repair a place, when a policy permits it. */
const changeOf = (
  { fix, got, message: why, path }: Violation,
  old: Schema.Json,
  allowed: ReadonlySet<Policy>,
): Change | undefined => {
  if (fix === undefined) return undefined
  const policy = policyOf(fix, got)
  if (policy === undefined || !allowed.has(policy)) return undefined
  const value = applyFix(old, path, fix)
  return value === undefined ? undefined : { policy, path, why, old, value }
}

/** Which policy permits a fix, if any does. */
const policyOf = (fix: Fix, got: string): Policy | undefined => {
  switch (fix.kind) {
    case "drop":
      // A key that is not declared at all is no optional one. Behind the word stands the digest of what is hidden.
      return got.startsWith("null") ? "null-as-absent" : undefined
    case "take":
      return byMember.get(typeof fix.member)
    case "convert":
      return byConversion.get(fix.to)
    default:
      return undefined
  }
}

/** Only a text is ever taken for a scalar of another kind. */
const byMember: ReadonlyMap<string, Policy> = new Map([
  ["number", "number-from-text"],
  ["boolean", "boolean-from-text"],
])

const byConversion: ReadonlyMap<string, Policy> = new Map([
  ["number", "number-from-text"],
  ["integer", "number-from-text"],
  ["boolean", "boolean-from-text"],
  ["json", "json-from-text"],
  ["array", "list-from-single"],
])

const toRepair = (mask: Parameters<unknown>["mask"], digest: Digest, change: Change): Repair => {
  const { policy, path, why, old, value } = change
  const after = valueAt(value, path)
  const show = (whole: Schema.Json, part: Schema.Json): Schema.Json =>
    shorten(mask === undefined ? part : masked(mask(whole, digest), path, part, digest))
  return {
    policy,
    path,
    why,
    before: show(old, valueAt(old, path) ?? null),
    ...(after === undefined ? {} : { after: show(value, after) }),
  }
}

/** What is not found in the masked whole lies inside a secret. */
const masked = (whole: unknown, path: Violation["path"], part: Schema.Json, digest: Digest): Schema.Json => {
  const shown = valueAt(whole, path)
  return shown === undefined ? digest(part) : shown
}

/** Units: UTF-16 code units of JSON text that a repair repeats; the whole is in the call's own text. */
const maxShown = 1_000

const shorten = (value: Schema.Json): Schema.Json => {
  const text = JSON.stringify(value)
  return text.length <= maxShown ? value : Beginning.shown(text, maxShown)
}
