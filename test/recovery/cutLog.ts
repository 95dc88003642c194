/**
 * Go on in a fresh world with the first events of a log, as a new process does after the old one died.
 *
 * In:  events of a whole or broken log.      Out: a session whose log holds them, and an agent that serves it.
 * Not here: processes that really die (`killed.test.ts`).
 */
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import * as DevInvariants from "../../src/invariant/DevInvariants.ts"
import { verify } from "../../src/invariant/Verifier.ts"
import * as Agent from "../../src/loop/Agent.ts"
import { Ids, sequential } from "../../src/message/Ids.ts"
import { Model, type ModelRequest } from "../../src/model/Model.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import type { Session } from "../../src/session/Session.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { SessionStore } from "../../src/store/SessionStore.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"

export interface Resumed {
  readonly agent: Agent.Agent
  readonly session: Session
  readonly requests: () => ReadonlyArray<ModelRequest>
  /** What the resuming process has logged. */
  readonly added: () => ReadonlyArray<SessionEvent>
}

export type Options<R> = Partial<Omit<Agent.Options<R, never>, "session" | "answer">>

/** Ids that no test draws in the process before. */
const laterIds = (): Ids => {
  const ids = sequential()
  return { next: (kind) => `later-${ids.next(kind)}` }
}

/** Open a session whose log holds `events`; the scope closes it. */
export const openWith = (events: ReadonlyArray<SessionEvent>) =>
  Effect.gen(function* () {
    const store = yield* SessionStore
    const [first] = events
    const id = first?.type === "session/start" ? first.data.id : "none"
    yield* Effect.scoped(Effect.flatMap(store.create(id), (writer) => writer.append(events, "synced")))
    return yield* SessionLog.open(id)
  })

export const world = (model: Model["Service"]) =>
  Layer.mergeAll(
    MemoryStore.layer,
    DevInvariants.layer(),
    Layer.succeed(Model, model),
    Layer.succeed(Ids, laterIds()),
  )

/** Resume with the rest of a script, and hold the log to every rule in the end. */
export const resume = <A, E, R>(
  events: ReadonlyArray<SessionEvent>,
  steps: ReadonlyArray<ScriptedModel.Step>,
  options: Options<R>,
  story: (resumed: Resumed) => Effect.Effect<A, E>,
) => {
  const { model, requests } = ScriptedModel.make({ steps }, { name: "script:inline" })
  return Effect.gen(function* () {
    const session = yield* openWith(events)
    const told = yield* Effect.scoped(
      Effect.gen(function* () {
        const agent = yield* Agent.make({ tools: Toolbox.empty, ...options, session })
        const added = () => session.log().slice(events.length)
        return yield* story({ agent, session, requests, added })
      }),
    )
    expect(verify(session.log())).toEqual([])
    return told
  }).pipe(Effect.scoped, Effect.provide(world(model)))
}

/** The first events of a log, up to and with the nth (from 0) of a type. */
export const through = (
  log: ReadonlyArray<SessionEvent>,
  type: SessionEvent["type"],
  n = 0,
): ReadonlyArray<SessionEvent> => {
  const place = log.flatMap((event, at) => (event.type === type ? [at] : []))[n]
  if (place === undefined) throw new Error(`the log has no ${type} number ${n}`)
  return log.slice(0, place + 1)
}
