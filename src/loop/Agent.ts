/**
 * An agent: a session that a model works in, with tools, one turn at a time.
 *
 * In:  messages: prompts, steering, context, aborts.      Out: turn results, and everything as events.
 * Fails with: `AgentDisposed` and append errors. A turn that fails, is aborted or hits a limit is a result.
 * Order: a message is synced when its method returns, and in the log once, whole.
 * Not here: the fiber behind it (`serve.ts`), tools (`tool/`), opening sessions (`session/SessionLog`).
 */
import { Deferred, Effect, type Scope, Semaphore, type Stream } from "effect"
import type { EventDraft, SessionEvent } from "../event/SessionEvent.ts"
import { type Content, fromInput } from "../message/Content.ts"
import { Ids } from "../message/Ids.ts"
import { Model, type Sampling, type ToolChoice } from "../model/Model.ts"
import * as Recovery from "../recovery/Recovery.ts"
import type { AppendError, Session } from "../session/Session.ts"
import type { MessageKind, SessionState, Status } from "../session/SessionState.ts"
import * as Toolbox from "../tool/Toolbox.ts"
import * as ToolRunner from "../tool/ToolRunner.ts"
import { type AnswerOf, type AnswerServices, type AnswerSpec, answerTool, makeAnswer } from "./answer.ts"
import type { AgentDisposed } from "./LoopError.ts"
import type { Limits } from "./limits.ts"
import { makeCallIds } from "./listen.ts"
import { findLogged, makeConfig, makeDigester } from "./request.ts"
import { makeServer, type Server } from "./serve.ts"
import type { TurnResult } from "./TurnResult.ts"
import type { TurnParts } from "./turn.ts"

export type { AnswerOf, AnswerSpec } from "./answer.ts"
export type { Limits } from "./limits.ts"

/** What every method may fail with: nothing was accepted, or nobody knows what the store made of it. */
export type AgentError = AgentDisposed | AppendError

export interface Agent<Answer = never> {
  /**
   * Say something and wait for the turn that claims it. Interrupting the wait only stops waiting; the message stays
   * accepted, and `abort` is what ends a turn.
   */
  readonly prompt: (content: string | Content) => Effect.Effect<TurnResult<Answer>, AgentError>
  /** Say something for a turn of its own, after this one. Returns the message's id, as the others do. */
  readonly send: (content: string | Content) => Effect.Effect<string, AgentError>
  /** Say something between the steps of the turn that runs; while idle this is `send`. */
  readonly steer: (content: string | Content) => Effect.Effect<string, AgentError>
  /** Add context for the next step that is made; wakes nobody. `source` tells the model where it comes from. */
  readonly inject: (
    content: string | Content,
    options: { readonly source: string },
  ) => Effect.Effect<string, AgentError>
  /** End the turn that runs. Returns false when none does or another abort came first; `awaitIdle` sees it closed. */
  readonly abort: (reason?: string) => Effect.Effect<boolean, AgentError>
  /** Return when nothing runs and nothing waits to run, or when the agent is disposed. */
  readonly awaitIdle: Effect.Effect<void>
  /** Everything from now on, as the session tells it. */
  readonly events: Stream.Stream<SessionEvent>
  readonly status: () => Status
}

export interface Options<R, S> {
  /** Open, and served by no other agent. */
  readonly session: Session
  readonly tools: Toolbox.Toolbox<R>
  readonly instructions?: string
  /** `auto` unless given. */
  readonly toolChoice?: ToolChoice
  readonly sampling?: Sampling
  readonly limits?: Limits
  /** How many bodies may run at once, at least one; 4 unless given. */
  readonly concurrency?: number
  /** Failed model attempts in a row that a turn survives, when their error may pass; 3 unless given. */
  readonly modelRetries?: number
  /** Times a turn is sent on that ended without its answer or in the middle of a call; 2 unless given. */
  readonly reminders?: number
  /** Ask for a final answer of this shape, through a tool `final_answer` that the model must call. */
  readonly answer?: S
}

/**
 * Begin to serve a session; closing the scope ends the turn that runs as `disposed`.
 *
 * A turn that a dead process left open is closed first; user messages that wait in the log are served at once.
 */
export const make = <R, const S extends AnswerSpec = never>(
  options: Options<R, S>,
): Effect.Effect<Agent<AnswerOf<S>>, AppendError, Model | R | AnswerServices<S> | Scope.Scope> =>
  Effect.gen(function* () {
    const { session } = options
    const concurrency = options.concurrency ?? 4
    if (!(concurrency >= 1))
      return yield* Effect.die(new TypeError(`concurrency is ${concurrency}: no call could run`))
    const model = yield* Model
    const ids = yield* Ids
    const answer = options.answer === undefined ? undefined : makeAnswer<S>(options.answer)
    const tools = answer === undefined ? options.tools : Toolbox.concat(options.tools, answer.tools)
    yield* Recovery.close(session)
    const log = session.log()
    const config = makeConfig({
      model: model.name,
      system: options.instructions,
      tools: tools.descriptions,
      toolChoice: options.toolChoice ?? "auto",
      sampling: options.sampling ?? {},
    })
    const parts: TurnParts = {
      session,
      model,
      ids,
      runner: yield* ToolRunner.make(tools),
      slots: yield* Semaphore.make(concurrency),
      callIds: makeCallIds(ids, log),
      config,
      digest: makeDigester(config),
      logged: { seq: findLogged(config, log) },
      limits: options.limits ?? {},
      policy: {
        modelRetries: options.modelRetries ?? 3,
        reminders: options.reminders ?? 2,
        answerTool: answer && answerTool,
      },
    }
    const server = makeServer(parts, answer?.latest ?? (() => undefined))
    yield* Effect.forkScoped(server.run, { uninterruptible: true })
    return fromServer(session, server, ids)
  })

const fromServer = <A>(session: Session, server: Server<A>, ids: Ids): Agent<A> => {
  const ring = Effect.sync(server.ring)
  const accept = (
    decide: (state: SessionState) => ReadonlyArray<EventDraft>,
  ): Effect.Effect<ReadonlyArray<SessionEvent>, AgentError> =>
    Effect.suspend(
      (): Effect.Effect<ReadonlyArray<SessionEvent>, AgentError> =>
        server.down() ?? Effect.ensuring(session.append("synced", decide), ring),
    )
  const say = (
    kind: MessageKind | ((state: SessionState) => MessageKind),
    input: string | Content,
    source: string,
    messageId = ids.next("message"),
  ) =>
    accept((state) => {
      const type = `${typeof kind === "function" ? kind(state) : kind}/message` as const
      return [{ type, data: { messageId, content: fromInput(input), source } }]
    }).pipe(Effect.as(messageId))

  const prompt = (input: string | Content): Effect.Effect<TurnResult<A>, AgentError> =>
    Effect.suspend(() => {
      const messageId = ids.next("message")
      const waiter = server.waitFor(messageId)
      return say("user", input, "user", messageId).pipe(
        Effect.andThen(Deferred.await(waiter)),
        Effect.onExit(() => Effect.sync(() => server.forget(messageId))),
      )
    })

  const abort = (reason = "aborted by the caller"): Effect.Effect<boolean, AgentError> =>
    Effect.gen(function* () {
      const down = server.down()
      if (down !== undefined) return yield* down
      const [accepted] = yield* session.append("accepted", ({ turnIsOpen, aborting, turn }) =>
        turnIsOpen && !aborting ? [{ type: "turn/abort", data: { turn, reason } }] : [],
      )
      if (accepted === undefined) return false
      server.interruptTurn(reason)
      yield* session.append("synced", () => [])
      return true
    }).pipe(Effect.uninterruptible)

  return {
    prompt,
    send: (input) => Effect.suspend(() => say("user", input, "user")),
    steer: (input) =>
      Effect.suspend(() => say((state) => (state.turnIsOpen ? "steering" : "user"), input, "user")),
    inject: (input, { source }) => Effect.suspend(() => say("context", input, source)),
    abort,
    awaitIdle: server.awaitIdle,
    events: session.events,
    status: () => (server.down() === undefined ? session.status() : "disposed"),
  }
}
