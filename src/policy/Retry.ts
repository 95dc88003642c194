/**
 * Run a body again when it failed in a way that may pass.
 *
 * In:  which failures, when, how often, out of which budget; then a body.      Out: the same body, more patient.
 * Fails with: the last failure of the body. Defects and interruption are no failures.
 * Not here: what one run may take (`Tool.timeout`), who hears of a retry (`tool/CallInfo.ts`).
 */
import { Effect, type Schedule } from "effect"
import * as Foreign from "../error/Foreign.ts"
import { isHarnessError } from "../error/HarnessError.ts"
import type { RateLimit } from "./RateLimit.ts"

export interface Options<E, R = never> {
  /** How many times to run again, at most; without it the schedule decides alone. */
  readonly times?: number
  /** When to run again; without it at once. */
  readonly schedule?: Schedule.Schedule<unknown, E, never, R>
  /** Tags and codes of the failures to retry, or a predicate; without it those that may pass, by `retry` or by their code. */
  readonly while?: ReadonlyArray<Named<E>> | ((error: E) => boolean)
  /** Retries that all holders of this limit may make together; when it is used up, a failure is final. */
  readonly budget?: RateLimit
}

/** The tags that are known, and any code; also any name where an error may be a foreign one. */
export type Named<E> = unknown extends E ? string : Uppercase<string> | NameOf<E>
type NameOf<E> = E extends { readonly _tag: infer T extends string }
  ? T extends "ToolFailed"
    ? string
    : T
  : string

/** One more run, as it begins. */
export interface Again {
  /** 2 for the first retry. */
  readonly attempt: number
  /** What the run before failed with. */
  readonly error: Foreign.Foreign
}

/**
 * Without `times` or a `schedule`, run again once. `hear` is told of each run but the first, before it begins; without
 * the consent of `mayRun` there is none.
 */
export const retry = <E, R2 = never>(
  options: Options<E, R2>,
): (<A, R>(
  body: Effect.Effect<A, E, R>,
  hear: (again: Again) => Effect.Effect<void>,
  mayRun: () => boolean,
) => Effect.Effect<A, E, R | R2>) => {
  const { schedule, times = schedule === undefined ? 1 : Number.POSITIVE_INFINITY, budget } = options
  const isWorth = isWorthRetrying(options.while)
  const affordable = budget?.take ?? Effect.succeed(true)
  return (body, hear, mayRun) =>
    Effect.suspend(() => {
      let attempt = 0
      let last: E | undefined
      const run = Effect.suspend(() => {
        attempt++
        if (attempt === 1) return body
        return Effect.andThen(
          Effect.flatMap(say(last), (error) => hear({ attempt, error: named(last, error) })),
          body,
        )
      })
      const policy = {
        times,
        while: (error: E) => {
          last = error
          // The budget is for runs that will be made: the last failure takes nothing out of it.
          if (attempt > times || !mayRun()) return Effect.succeed(false)
          return Effect.flatMap(isWorth(error), (isSo) => (isSo ? affordable : Effect.succeed(false)))
        },
      }
      return schedule === undefined ? Effect.retry(run, policy) : Effect.retry(run, { ...policy, schedule })
    })
}

const say = (error: unknown): Effect.Effect<Foreign.Foreign> =>
  Effect.map(Foreign.Normalisers, (normalisers) => Foreign.normalise(error, { normalisers }))

/** Call it what the result of its call would: what an async body threw with a tag stands behind a `ToolFailed` of its code. */
const named = (error: unknown, said: Foreign.Foreign): Foreign.Foreign => {
  const name = said.name === "ToolFailed" ? behind(error) : undefined
  const isSame = isHarnessError(error) && Foreign.normalise(error.cause).code === said.code
  return name !== undefined && isSame ? { ...said, name } : said
}

const isWorthRetrying = <E>(condition: Options<E>["while"]): ((error: E) => Effect.Effect<boolean>) => {
  if (typeof condition === "function") return (error) => Effect.sync(() => condition(error))
  if (condition === undefined) return (error) => Effect.map(say(error), ({ code }) => mayPass(error, code))
  const names: ReadonlyArray<string> = condition
  for (const name of names) checkName(name)
  return (error) =>
    Effect.map(say(error), ({ name, code }) =>
      [name, code, behind(error)].some((said) => said !== undefined && names.includes(said)),
    )
}

const mayPass = (error: unknown, code: string): boolean =>
  ((isHarnessError(error) ? Foreign.ownRetryOf(error) : undefined) ?? Foreign.retryOf(code) ?? "later") ===
  "later"

/** The tag of what an async body threw: its channel has a `ToolFailed` around it. */
const behind = (error: unknown): string | undefined =>
  isHarnessError(error) ? Foreign.tagOf(error.cause) : undefined

/** Errors: a `TypeError` for what no error is called by. */
const checkName = (name: unknown): void => {
  if (typeof name === "string" && /^[A-Za-z]\S*$/.test(name)) return
  throw new TypeError(
    `\`while\` of a retry holds ${JSON.stringify(name)}, which is neither a tag nor a code.`,
  )
}
