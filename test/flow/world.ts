/**
 * A small world for whole turns: a model that follows a script, a store in memory, all invariants on.
 *
 * Not here: stories; each file beside this one tells one.
 */
import { Deferred, Effect, Layer, type Scope, Stream } from "effect"
import { expect } from "vitest"
import type { CoreType, Payload, SessionEvent } from "../../src/event/SessionEvent.ts"
import * as DevInvariants from "../../src/invariant/DevInvariants.ts"
import { verify } from "../../src/invariant/Verifier.ts"
import * as Agent from "../../src/loop/Agent.ts"
import { Ids, sequential } from "../../src/message/Ids.ts"
import type { ModelChunk } from "../../src/message/ModelChunk.ts"
import { Model, type ModelRequest } from "../../src/model/Model.ts"
import type { ModelError } from "../../src/model/ModelError.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import type { Session } from "../../src/session/Session.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import type { SessionStore } from "../../src/store/SessionStore.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"

export type Step = ScriptedModel.Step

/** What a story may use: an agent, its session, and what its model was asked. */
export interface World {
  readonly agent: Agent.Agent
  readonly session: Session
  readonly requests: () => ReadonlyArray<ModelRequest>
}

export type Options<R> = Partial<Omit<Agent.Options<R, never>, "session" | "answer">>

export const services = (
  model: Model["Service"],
  store: Layer.Layer<SessionStore> = MemoryStore.layer,
): Layer.Layer<SessionStore | Model> =>
  Layer.mergeAll(store, DevInvariants.layer(), Layer.succeed(Model, model), Layer.succeed(Ids, sequential()))

/** Tell a story in a fresh world; in the end the log must be lawful to the last rule. */
export const tell = <A, E, R>(
  steps: ReadonlyArray<Step> | Model["Service"],
  options: Options<R>,
  story: (world: World) => Effect.Effect<A, E, Scope.Scope>,
) => {
  const scripted = "stream" in steps ? { model: steps, requests: () => [] } : ScriptedModel.make({ steps })
  return Effect.gen(function* () {
    const session = yield* SessionLog.create()
    const told = yield* Effect.scoped(
      Effect.gen(function* () {
        const agent = yield* Agent.make({ tools: Toolbox.empty, ...options, session })
        return yield* story({ agent, session, requests: scripted.requests })
      }),
    )
    expect(verify(session.log())).toEqual([])
    expect(session.status()).not.toBe("running")
    return told
  }).pipe(Effect.scoped, Effect.provide(services(scripted.model)))
}

/** A model that is written by hand: the nth request gets the nth answer, and empty text after the last. */
export const handmade = (
  ...answers: ReadonlyArray<() => Stream.Stream<ModelChunk, ModelError>>
): Model["Service"] => {
  let asked = 0
  return { name: "handmade:test", stream: () => answers[asked++]?.() ?? say("") }
}

export const chunks = (...parts: ReadonlyArray<ReadonlyArray<ModelChunk>>): Stream.Stream<ModelChunk> =>
  Stream.fromIterable(parts.flat())

export const textBlock = (block: string, text: string): ReadonlyArray<ModelChunk> => [
  { type: "block-start", block, kind: "text" },
  { type: "text-delta", block, text },
  { type: "block-end", block },
]

export const callBlock = (
  callId: string,
  name: string,
  text: string,
): ReadonlyArray<ModelChunk & { readonly type: string }> => [
  { type: "block-start", block: `block of ${callId}`, kind: "tool-call", callId, name },
  { type: "arguments-delta", block: `block of ${callId}`, text },
  { type: "block-end", block: `block of ${callId}` },
]

export const finish = (
  kind: "stop" | "tool-calls" | "max-tokens" | "refused" | "error" | "aborted",
): ReadonlyArray<ModelChunk> => [{ type: "finish", finish: { kind } }]

export const say = (text: string): Stream.Stream<ModelChunk> => chunks(textBlock("0", text), finish("stop"))

/** A tool that echoes a word. */
export const echo = defineTool({
  name: "echo",
  description: "Say a word back",
  parameters: { word: { type: "string", required: true } },
  run: ({ word }) => Effect.succeed(word),
})

export const callEcho = (word: string, id?: string) => ({
  name: "echo",
  arguments: JSON.stringify({ word }),
  ...(id !== undefined && { id }),
})

/** A tool that says when its body starts, and goes on when it is let go. */
export const gate = (name: string) => {
  const started = Deferred.makeUnsafe<void>()
  const open = Deferred.makeUnsafe<void>()
  const tool = defineTool({
    name,
    description: "Wait until it is let go",
    parameters: {},
    run: () =>
      Deferred.succeed(started, undefined).pipe(
        Effect.andThen(Deferred.await(open)),
        Effect.as(`${name} is done`),
      ),
  })
  return { tool, started: Deferred.await(started), letGo: Deferred.succeed(open, undefined) }
}

/** The types of a log, in order, without chunks. */
export const types = (session: Session): ReadonlyArray<string> =>
  session.log().flatMap((event) => (event.type === "assistant/chunk" ? [] : [event.type]))

/** The payloads of all events of one type. */
export const all = <T extends CoreType>(session: Session, type: T): ReadonlyArray<Payload<T>> =>
  session.log().flatMap((event) => (isOf(event, type) ? [event.data] : []))

const isOf = <T extends CoreType>(
  event: SessionEvent,
  type: T,
): event is Extract<SessionEvent, { readonly type: T }> & { readonly data: Payload<T> } => event.type === type

/** Wait until the log holds an event of this type. */
export const logged = (session: Session, type: SessionEvent["type"]): Effect.Effect<SessionEvent> =>
  Effect.callback((resume) => {
    const unsubscribe = session.subscribe((event) => {
      if (event.type !== type) return
      unsubscribe()
      resume(Effect.succeed(event))
    })
    return Effect.sync(unsubscribe)
  })
