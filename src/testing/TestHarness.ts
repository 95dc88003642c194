/**
 * A world for tests of agents: a scripted model, a store in memory, ids that count, a clock that stands still, all
 * invariants on; and when the test ends, every session of it is read again.
 *
 * In:  a script, or a model of one's own; rules of one's own.      Out: a layer with `Model`, `SessionStore` and `Requests`.
 * Fails with: `UnknownInvariant` while it is built, where rules are picked. `InvariantViolated` is thrown at the first break of a
 * rule; `ReplayFailed` is thrown at the end, when a stored log does not say what the test has lived through, or when a
 * session was made that nothing is known of. Both are defects.
 * Order: sessions that are still open when the layer is left are read as far as they are stored; scope them inside.
 * Not here: orders in which things may happen (`explore/`), the rules themselves (`invariant/`).
 */
import { Clock, Context, Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as DevInvariants from "../invariant/DevInvariants.ts"
import type { UnknownInvariant } from "../invariant/InvariantError.ts"
import * as Rules from "../invariant/Rules.ts"
import { type LogViolation, verify } from "../invariant/Verifier.ts"
import * as Ids from "../message/Ids.ts"
import { Model, type ModelRequest } from "../model/Model.ts"
import * as ScriptedModel from "../model/ScriptedModel.ts"
import { Observer } from "../session/Observer.ts"
import * as MemoryStore from "../store/MemoryStore.ts"
import { SessionStore } from "../store/SessionStore.ts"
import { readAgain } from "./readAgain.ts"
import { type Lived, noteUnseen, witness } from "./witness.ts"

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

export interface Options extends DevInvariants.Options {
  /** Where sessions are kept; in memory unless given. */
  readonly store?: Layer.Layer<SessionStore>
}

type Services = Model | SessionStore | Requests

/**
 * Make the world of one test. A script answers its requests in order, and breaks the turn of a request too many.
 *
 * A clock that a test runner has put in place of the real one stays; else one is put there, at the epoch. What
 * `mode: "collect"` found (`DevInvariants.violations`) fails nothing, also not at the end.
 *
 * Errors: UnknownInvariant when a name in `only` or `except` fits no rule.
 * @example docs/examples/33-harness.test.ts
 */
export function layer(
  answers: ScriptedModel.Plan | Model["Service"],
  options?: Options & { readonly only?: never; readonly except?: never },
): Layer.Layer<Services>
export function layer(
  answers: ScriptedModel.Plan | Model["Service"],
  options: Options,
): Layer.Layer<Services, UnknownInvariant>
export function layer(
  answers: ScriptedModel.Plan | Model["Service"],
  { store = Layer.fresh(MemoryStore.layer), ...rules }: Options = {},
): Layer.Layer<Services, UnknownInvariant> {
  return Layer.suspend(() => {
    const seen: Seen = { sessions: new Map(), unseen: new Set() }
    const picked = Effect.suspend(() => Effect.fromResult(Rules.select(rules)))
    const checked = Effect.map(picked, (selected) =>
      Layer.provideMerge(atTheEnd(selected, rules, seen), DevInvariants.layerOf(selected, rules)),
    )
    return Layer.mergeAll(modelOf(answers), watched(seen)).pipe(
      Layer.provideMerge(Layer.unwrap(checked)),
      Layer.provideMerge(Layer.mergeAll(store, Ids.layerSequential, clock)),
    )
  })
}

/** What the sessions of one test told, and those that told it to somebody else. */
interface Seen {
  readonly sessions: Map<string, Lived>
  readonly unseen: Set<string>
}

const watched = ({ sessions, unseen }: Seen): Layer.Layer<SessionStore, never, SessionStore> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const checking = yield* Observer
      const ours = checking && witness(checking, sessions)
      const store = noteUnseen(yield* SessionStore, ours, unseen)
      return Context.make(SessionStore, store).pipe(Context.add(Observer, ours))
    }),
  )

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
const atTheEnd = (
  { log }: Rules.Selected,
  options: DevInvariants.Options,
  { sessions, unseen }: Seen,
): Layer.Layer<never, never, SessionStore> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const picked = new Set(log.map(({ id }) => id))
      const context = yield* Effect.context<SessionStore>()
      const verdicts = Effect.gen(function* () {
        const store = yield* SessionStore
        const collected = options.mode === "collect" ? yield* DevInvariants.violations : []
        const isNews = (id: string, { rule, seq }: LogViolation): boolean =>
          picked.has(rule) &&
          !collected.some((one) => one.sessionId === id && one.rule === rule && one.seq === seq)
        return yield* Effect.forEach(sessions, ([id, lived]) =>
          Effect.match(store.read(id), {
            onFailure: (error) => ({ id, fault: `${id} cannot be read again: ${error.message}` }),
            onSuccess: (stored) => {
              const violations = verify(stored, options).filter((violation) => isNews(id, violation))
              return { id, fault: readAgain(id, lived, stored, violations) }
            },
          }),
        )
      }).pipe(Effect.provideContext(context))
      yield* Effect.addFinalizer(() =>
        Effect.map(verdicts, (known) =>
          failOn([...known, ...[...unseen].filter((id) => !sessions.has(id)).map(notSeen)]),
        ),
      )
    }),
  )

const notSeen = (id: string) => ({
  id,
  fault: [
    `${id} cannot be held against what the test has lived through: a layer inside of this one has replaced its observer.`,
    "Give rules to TestHarness.layer(script, { rules }), and put no DevInvariants.layer beside it.",
  ].join("\n"),
})

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
