/**
 * In which situations an adapter is seen: what its far side says and does.
 *
 * Not here: what is owed in them (`answerCases.ts`, `endCases.ts`).
 */
import type { Effect, Scope } from "effect"
import type { Usage } from "../message/ModelChunk.ts"
import type { Model } from "../model/Model.ts"
import type { ModelError } from "../model/ModelError.ts"

type Subject<A, E> = Effect.Effect<A, E, Scope.Scope>

export interface Silent {
  readonly model: Model["Service"]
  /** Waits until the request has reached the far side. */
  readonly asked: Effect.Effect<void>
  /** Waits until the far side has noticed that nobody listens any more. */
  readonly aborted: Effect.Effect<void>
}

export interface Failing {
  readonly model: Model["Service"]
  /** What the failure is called in the port's words. */
  readonly code: ModelError["code"]
  /** How many requests have reached the far side. Without it nothing is said about retries. */
  readonly requests?: () => number
}

/**
 * Each situation is one way in which the far side answers every request. One that its wire has no way to say is left out,
 * and nothing is said about it.
 */
export interface Situations<E> {
  /** The text "Let me look.", two calls of `search` with `{"q": "a b"}` and `{"q": "c"}` as they stand here, and its usage. */
  readonly speaking: Subject<Model["Service"], E>
  /** What `speaking` tells of its usage, in the port's words. Without it, any usage will do. */
  readonly usage?: Usage
  /** Begins to answer or not, and never ends. */
  readonly silent: Subject<Silent, E>
  /** As `speaking`, but both calls have the same id. */
  readonly sameIds?: Subject<Model["Service"], E>
  /** As `speaking`, but the calls have no ids, or empty ones. */
  readonly noIds?: Subject<Model["Service"], E>
  /** One call of `search` with the text `{"q": "a` for arguments, which the model believes to be whole. */
  readonly brokenArguments?: Subject<Model["Service"], E>
  /** One call of `search`, of whose arguments `{"q": "a` has come when the answer stops, without an end. */
  readonly cut?: Subject<Model["Service"], E>
  /** Nothing but a failure: a status, a promise that is rejected, a function that throws. */
  readonly refusing?: Subject<Failing, E>
  /** The text "Let me", and then a failure as a part of the answer. */
  readonly erring?: Subject<Failing, E>
}
