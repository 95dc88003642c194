/**
 * An agent: a session that a model works in, with tools, one turn at a time.
 *
 * In:  messages: prompts, steering, context, aborts.      Out: turn results, and everything as events.
 * Fails with: `AgentDisposed` and append errors. A turn that fails, is aborted or hits a limit is a result.
 * Order: a message is synced when its method returns, and in the log once, whole.
 * Not here: the fiber behind it (`serve.ts`), what is accepted (`accept.ts`), tools (`tool/`), opening sessions (`session/SessionLog`).
 */
import { Deferred, Duration, Effect, PubSub, type Scope, Semaphore, Stream } from "effect"
import * as Approvals from "../call/Approvals.ts"
import * as CallIds from "../call/CallIds.ts"
import type { Progress } from "../call/Progress.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Content } from "../message/Content.ts"
import { Ids } from "../message/Ids.ts"
import { Model, type Sampling, type ToolChoice } from "../model/Model.ts"
import * as Approver from "../policy/Approver.ts"
import * as Recovery from "../recovery/Recovery.ts"
import type { AppendError, Session } from "../session/Session.ts"
import type { Status } from "../session/SessionState.ts"
import { Telemetry } from "../telemetry/Telemetry.ts"
import * as Toolbox from "../tool/Toolbox.ts"
import * as ToolRunner from "../tool/ToolRunner.ts"
import type { Limits } from "../turn/Limits.ts"
import { type Ended, endOf, lastArguments, recall } from "../turn/Recall.ts"
import type { TurnParts } from "../turn/Turn.ts"
import type { TurnResult } from "../turn/TurnResult.ts"
import { makeVoice, type Voices } from "../turn/Voice.ts"
import { type AgentError, type MessageId, makeAbort, makeInbox } from "./accept.ts"
import { type AnswerOf, type AnswerServices, type AnswerSpec, answerTool, makeAnswer } from "./answer.ts"
import { makeServer, type Server } from "./serve.ts"

export type { AgentError } from "./accept.ts"
export type { AnswerOf, AnswerSpec } from "./answer.ts"

/** A message may be given an id of the caller's; one that is said again under its id is in the log once. */
export interface MessageOptions {
  /**
   * Unique in the session; drawn from `Ids` unless given. With the same content it is the same message, and the method
   * gives what it gave the first time; with another one it is refused.
   */
  readonly messageId?: string
}

export interface Agent<Answer = never> {
  /**
   * Say something and wait for the turn that claims it. Interrupting the wait only stops waiting; the message stays
   * accepted, and `abort` is what ends a turn.
   */
  readonly prompt: (
    content: string | Content,
    options?: MessageOptions,
  ) => Effect.Effect<TurnResult<Answer>, AgentError>
  /** Say something for a turn of its own, after this one. Returns the message's id, as the others do. */
  readonly send: (content: string | Content, options?: MessageOptions) => Effect.Effect<string, AgentError>
  /** Say something between the steps of the turn that runs; while idle this is `send`. */
  readonly steer: (content: string | Content, options?: MessageOptions) => Effect.Effect<string, AgentError>
  /** Add context for the next step that is made; wakes nobody. `source` tells the model where it comes from. */
  readonly inject: (
    content: string | Content,
    options: MessageOptions & { readonly source: string },
  ) => Effect.Effect<string, AgentError>
  /** End the turn that runs. Returns false when none does or another abort came first; `awaitIdle` sees it closed. */
  readonly abort: (reason?: string) => Effect.Effect<boolean, AgentError>
  /** Return when nothing runs and nothing waits to run, or when the agent is disposed. */
  readonly awaitIdle: Effect.Effect<void>
  /** Everything from now on, as the session tells it. */
  readonly events: Stream.Stream<SessionEvent>
  /**
   * What bodies say from now on while they run (`CallInfo.progress`); it is not logged, and the model never reads it.
   * A listener that is slow misses the oldest: of what waits for it, the latest 256 are kept.
   */
  readonly progress: Stream.Stream<Progress>
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
  /** Failed attempts in a row that a turn survives with one model, when their error may pass; 3 unless given. */
  readonly modelRetries?: number
  /** Longest wait before another attempt that a provider may ask for; 2 minutes unless given. */
  readonly longestRetryAfter?: Duration.Input
  /**
   * Models to go on with when the one before has failed for good, for the rest of the turn. A turn begins with `Model`.
   */
  readonly fallback?: ReadonlyArray<Model["Service"]>
  /** How long the question for an approval stands; 10 minutes unless given. */
  readonly approvalTimeout?: Duration.Input
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
    const answer = options.answer === undefined ? undefined : makeAnswer<S>(options.answer)
    const context = yield* Effect.context<AnswerServices<S>>()
    const tools = answer === undefined ? options.tools : Toolbox.concat(options.tools, answer.tools)
    yield* Recovery.close(session)
    const progress = yield* PubSub.sliding<Progress>(progressKept)
    const approvals = Approvals.make({
      session,
      approver: yield* Approver.Approver,
      fingerprint: (tool) => tools.tools.get(tool)?.fingerprint ?? "",
      timeout: options.approvalTimeout ?? "10 minutes",
    })
    const ids = yield* Ids
    const parts: TurnParts = {
      session,
      ids,
      approvals,
      tools: tools.tools,
      voices: makeVoices(options, tools.descriptions, yield* Model),
      runner: yield* ToolRunner.make(tools),
      telemetry: yield* Telemetry,
      slots: yield* Semaphore.make(concurrency),
      callIds: CallIds.make(ids, session.log()),
      onProgress: (said) => PubSub.publish(progress, said),
      limits: options.limits ?? {},
      policy: makePolicy(options),
    }
    const server = makeServer(parts, answer?.latest ?? (() => undefined))
    const run = Effect.provideService(server.run, Approver.Approver, approvals.approver)
    yield* Effect.addFinalizer(() => PubSub.shutdown(progress))
    yield* Effect.forkScoped(run, { uninterruptible: true })
    return {
      ...fromServer(session, server, ids, (ended) =>
        answer === undefined || ended.reason.kind !== "completed"
          ? Effect.succeed(undefined)
          : Effect.provideContext(
              answer.read(lastArguments(session.log(), ended.turn, answerTool) ?? ""),
              context,
            ),
      ),
      progress: Stream.fromPubSub(progress),
    }
  })

/** Units: reports that wait for a listener. */
const progressKept = 256

const makeVoices = (
  options: Omit<Options<never, unknown>, "tools">,
  tools: Toolbox.Toolbox<never>["descriptions"],
  model: Model["Service"],
): Voices => {
  const { instructions: system, toolChoice = "auto", sampling = {}, fallback = [], session } = options
  const log = session.log()
  const make = (one: Model["Service"]) => makeVoice(one, { system, tools, toolChoice, sampling }, log)
  return [make(model), ...fallback.map(make)]
}

const makePolicy = (options: Omit<Options<never, unknown>, "tools">): TurnParts["policy"] => ({
  modelRetries: options.modelRetries ?? 3,
  models: 1 + (options.fallback?.length ?? 0),
  longestRetryAfterMillis: Duration.toMillis(options.longestRetryAfter ?? "2 minutes"),
  reminders: options.reminders ?? 2,
  answerTool: options.answer === undefined ? undefined : answerTool,
})

/** The methods of an agent whose answer is read out of a log by `readAnswer`. */
const fromServer = <A>(
  session: Session,
  server: Server<A>,
  ids: Ids,
  readAnswer: (ended: Ended) => Effect.Effect<A | undefined>,
): Omit<Agent<A>, "progress"> => {
  const say = makeInbox(session, server)
  const idOf = ({ messageId }: MessageOptions = {}): MessageId => ({
    messageId: messageId ?? ids.next("message"),
    isChosen: messageId !== undefined,
  })

  const prompt: Agent<A>["prompt"] = (input, options) =>
    Effect.suspend(() => {
      const id = idOf(options)
      const { messageId, isChosen } = id
      const waiter = server.waitFor(messageId)
      return say("user", id, input, "user").pipe(
        Effect.flatMap((): Effect.Effect<TurnResult<A>, AgentError> => {
          const ended = isChosen ? endOf(session.log(), messageId) : undefined
          return ended === undefined ? Deferred.await(waiter) : retell(ended)
        }),
        Effect.onExit(() => Effect.sync(() => server.forget(messageId))),
      )
    })

  const retell = (ended: Ended): Effect.Effect<TurnResult<A>> =>
    Effect.map(readAnswer(ended), (answer) => {
      const { answer: _, ...result } = recall(session.log(), ended)
      return answer === undefined ? result : { ...result, answer }
    })

  return {
    prompt,
    send: (input, options) => Effect.suspend(() => say("user", idOf(options), input, "user")),
    steer: (input, options) => Effect.suspend(() => say("steering", idOf(options), input, "user")),
    inject: (input, options) => Effect.suspend(() => say("context", idOf(options), input, options.source)),
    abort: makeAbort(session, server),
    awaitIdle: server.awaitIdle,
    events: session.events,
    status: () => (server.down() === undefined ? session.status() : "disposed"),
  }
}
