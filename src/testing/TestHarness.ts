/**
 * A world for tests of agents: a scripted model, a store in memory, ids that count, a clock that stands still, all
 * invariants on; and when the test ends, every session of it is read again.
 *
 * In:  a script, or a model of one's own.      Out: a layer with `Model`, `SessionStore` and `Requests`.
 * Fails with: nothing while it is built. `InvariantViolated` is thrown at the first break of a rule; `ReplayFailed` is
 * thrown at the end, when a stored log does not say what the test has lived through. Both are defects.
 * Order: sessions that are still open when the layer is left are read as far as they are stored; scope them inside.
 * Not here: orders in which things may happen (`explore/`), the rules themselves (`invariant/`).
 */
import { Clock, Context, Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as DevInvariants from "../invariant/DevInvariants.ts"
import * as Ids from "../message/Ids.ts"
import { Model, type ModelRequest } from "../model/Model.ts"
import * as ScriptedModel from "../model/ScriptedModel.ts"
import { Observer } from "../session/Observer.ts"
import * as MemoryStore from "../store/MemoryStore.ts"
import { SessionStore } from "../store/SessionStore.ts"
import { readAgain } from "./readAgain.ts"
import { type Lived, witness } from "./witness.ts"

/** What the model was asked so far, the oldest first. */
export class Requests extends Context.Service<Requests, () => ReadonlyArray<ModelRequest>>()(
  "effect-harness/testing/Requests",
) {}

/** A session was stored that says something else than what happened, or that breaks a rule. */
export class ReplayFailed extends Error {
  override readonly name = "ReplayFailed"
  readonly sessionIds: ReadonlyArray<string>
  constructor(sessionIds: ReadonlyArray<string>, message: string) {
    super(message)
    this.sessionIds = sessionIds
  }
}

export interface Options {
  /** Where sessions are kept; in memory unless given. */
  readonly store?: Layer.Layer<SessionStore>
}

/**
 * Make the world of one test. A script answers its requests in order, and breaks the turn of a request too many.
 *
 * A clock that a test runner has put in place of the real one stays; else one is put there, at the epoch.
 *
 * @example docs/examples/33-harness.test.ts
 */
export const layer = (
  answers: ScriptedModel.Plan | Model["Service"],
  { store = Layer.fresh(MemoryStore.layer) }: Options = {},
): Layer.Layer<Model | SessionStore | Requests> =>
  Layer.suspend(() => {
    const sessions = new Map<string, Lived>()
    const watched = Layer.effect(
      Observer,
      Effect.map(Observer, (observer) => observer && witness(observer, sessions)),
    ).pipe(Layer.provide(DevInvariants.layer()))
    return Layer.mergeAll(modelOf(answers), watched, atTheEnd(sessions)).pipe(
      Layer.provideMerge(Layer.mergeAll(store, Ids.layerSequential, clock)),
    )
  })

const clock: Layer.Layer<never> = Layer.unwrap(
  Clock.clockWith((present) => Effect.succeed("adjust" in present ? Layer.empty : TestClock.layer())),
)

const modelOf = (answers: ScriptedModel.Plan | Model["Service"]): Layer.Layer<Model | Requests> => {
  const requests: Array<ModelRequest> = []
  const model = "stream" in answers ? answers : ScriptedModel.make(answers, { whenUsedUp: "fail" }).model
  const stream: Model["Service"]["stream"] = (request) =>
    Stream.suspend(() => {
      requests.push(request)
      return model.stream(request)
    })
  return Layer.mergeAll(
    Layer.succeed(Model, { ...model, stream }),
    Layer.succeed(Requests, () => [...requests]),
  )
}

/** Read every session again when the layer is left. */
const atTheEnd = (sessions: ReadonlyMap<string, Lived>): Layer.Layer<never, never, SessionStore> =>
  Layer.effectDiscard(
    Effect.flatMap(SessionStore, (store) =>
      Effect.addFinalizer(() =>
        Effect.forEach(sessions, ([id, lived]) =>
          Effect.match(store.read(id), {
            onFailure: (error) => ({ id, fault: `${id} cannot be read again: ${error.message}` }),
            onSuccess: (stored) => ({ id, fault: readAgain(id, lived, stored) }),
          }),
        ).pipe(Effect.map(failOn)),
      ),
    ),
  )

const failOn = (
  verdicts: ReadonlyArray<{ readonly id: string; readonly fault: string | undefined }>,
): void => {
  const broken = verdicts.flatMap(({ id, fault }) => (fault === undefined ? [] : [{ id, fault }]))
  if (broken.length === 0) return
  throw new ReplayFailed(
    broken.map(({ id }) => id),
    broken.map(({ fault }) => fault).join("\n\n"),
  )
}
