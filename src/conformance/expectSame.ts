/**
 * Say what was found and what is owed, in the shape in which test runners show differences.
 *
 * In:  two values that are JSON.      Out: nothing, or a thrown `Error` with `expected` and `actual`.
 */
import { Effect, Result, type Scope } from "effect"
import * as Beginning from "../error/Beginning.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { SessionStore } from "../store/SessionStore.ts"

/** One thing that is owed, before a store is given to it. */
export interface Duty<R = never> {
  readonly name: string
  readonly check: (store: SessionStore["Service"]) => Effect.Effect<void, unknown, Scope.Scope | R>
}

class Broken extends Error {
  override readonly name = "ConformanceError"
  readonly expected: unknown
  readonly actual: unknown
  constructor(message: string, actual: unknown, expected: unknown) {
    super(message)
    this.actual = actual
    this.expected = expected
  }
}

/** Compare by text: the order of keys counts, for digests are made of it. */
export const expectSame = (what: string, actual: unknown, expected: unknown): void => {
  const [found, owed] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (found === owed) return
  throw new Broken(`${what}: expected ${cut(owed)}, found ${cut(found)}`, actual, expected)
}

/** Compare events one by one, so that the first that differs is named. */
export const expectEvents = (
  what: string,
  actual: ReadonlyArray<SessionEvent>,
  expected: ReadonlyArray<SessionEvent>,
): void => {
  for (const [index, event] of actual.entries()) expectSame(`${what}, event ${index}`, event, expected[index])
  expectSame(`${what}, number of events`, actual.length, expected.length)
}

export const expectThat = (what: string, holds: boolean, actual: unknown): void => {
  if (!holds) throw new Broken(`${what}: found ${cut(JSON.stringify(actual))}`, actual, what)
}

/** The error with which something fails that owes to fail so. */
export const failureOf = <A, E extends { readonly _tag: string }, R>(
  what: string,
  owed: E["_tag"] | ReadonlyArray<E["_tag"]>,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<E, never, R> =>
  Effect.map(Effect.result(effect), (result) => {
    const tags = [owed].flat()
    const found = Result.isFailure(result) ? result.failure._tag : "success"
    if (Result.isFailure(result) && tags.includes(found)) return result.failure
    throw new Broken(`${what}: expected ${tags.join(" or ")}, found ${found}`, found, tags.join(" or "))
  })

const cut = (text: string | undefined): string =>
  text === undefined ? "undefined" : Beginning.shown(text, 200, " …")
