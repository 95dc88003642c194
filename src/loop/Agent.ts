/**
 * An agent: a session that a model works in, with tools, one turn at a time.
 *
 * In:  messages: prompts, steering, context, aborts.      Out: turn results, and everything as events.
 * Fails with: `AgentDisposed` and append errors. A turn that fails, is aborted or hits a limit is a result.
 * Order: a message is synced when its method returns, and in the log once, whole.
 * Not here: the fiber behind it (`serve.ts`), what is accepted (`accept.ts`), tools (`tool/`), opening sessions (`session/SessionLog`).
 */
import { Deferred, Duration, Effect, type Scope, Semaphore, type Stream } from "effect"
import * as Approvals from "../call/Approvals.ts"
import type { CallFailure } from "../call/CallFailure.ts"
import * as CallIds from "../call/CallIds.ts"
import type { Progress } from "../call/Progress.ts"
import * as Stragglers from "../call/Stragglers.ts"
import * as Compaction from "../compaction/Compaction.ts"
import * as Summary from "../compaction/Summary.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Content } from "../message/Content.ts"
import { Ids } from "../message/Ids.ts"
import { Model, type Sampling, type ToolChoice } from "../model/Model.ts"
import type { ModelError } from "../model/ModelError.ts"
import * as Approver from "../policy/Approver.ts"
import * as Recovery from "../recovery/Recovery.ts"
import type { AppendError, Session } from "../session/Session.ts"
import type { Status } from "../session/SessionState.ts"
import { Telemetry } from "../telemetry/Telemetry.ts"
import * as Toolbox from "../tool/Toolbox.ts"
import * as ToolRunner from "../tool/ToolRunner.ts"
import type { Limits } from "../turn/Limits.ts"
import { claimsOf, type Ended, endOf, lastArguments, recall } from "../turn/Recall.ts"
import type { TurnParts } from "../turn/Turn.ts"
import type { TurnResult } from "../turn/TurnResult.ts"
import { makeVoice, type Voices } from "../turn/Voice.ts"
import { type AgentError, type MessageId, makeAbort, makeInbox } from "./accept.ts"
import { type AnswerOf, type AnswerServices, type AnswerSpec, answerTool, makeAnswer } from "./answer.ts"
import { findMistake } from "./checkOptions.ts"
import { makeServer, type Server } from "./serve.ts"
import { around, claim, outside } from "./serving.ts"
import { makeTeller } from "./tell.ts"

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
   * accepted, and `abort` is what ends a turn. It dies in a body of this agent, whose turn would wait for itself.
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
  /**
   * Put a summary in the place of all that was said, as soon as nothing runs: made by `summarise`, or as `compaction` says.
   * Undefined when nothing has come since the last time. The log keeps everything.
   */
  readonly compact: (
    summarise?: Summary.Summarise<ModelError>,
  ) => Effect.Effect<Compaction.Compacted | undefined, AgentError | ModelError>
  /** Everything from now on, as the session tells it. */
  readonly events: Stream.Stream<SessionEvent>
  /**
   * What bodies say from now on while they run (`CallInfo.progress`); it is not logged, and the model never reads it.
   * A listener that is slow misses the oldest: of what waits for it, the latest 256 are kept.
   */
  readonly progress: Stream.Stream<Progress>
  /**
   * The errors that calls end with from now on, as they are: typed errors of bodies, and those of the stages before and
   * after. Log and model get name, code and words only. A listener that is slow misses the oldest, as with `progress`.
   */
  readonly failures: Stream.Stream<CallFailure>
  readonly status: () => Status
  /**
   * The end of the turn that the log had open when this agent was made, whether it was gone on with or closed;
   * undefined when there was none.
   */
  readonly resumed: Effect.Effect<TurnResult<Answer> | undefined, AgentError>
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
  /**
   * Longest wait before another attempt that a provider may ask for; 2 minutes unless given. A model that asks for more
   * has failed for good: the next of `fallback` is asked at once, or the turn fails.
   */
  readonly longestRetryAfter?: Duration.Input
  /**
   * Models to go on with when the one before has failed for good, for the rest of the turn. A turn begins with `Model`.
   */
  readonly fallback?: ReadonlyArray<Model["Service"]>
  /** How long the question for an approval stands, and a yes to it counts until its call starts; 10 minutes unless given. */
  readonly approvalTimeout?: Duration.Input
  /** Times a turn is sent on that ended without its answer or in the middle of a call; 2 unless given. */
  readonly reminders?: number
  /**
   * What becomes of a turn that a dead process left open in the log: `continue`, the default, goes on with it; `close`
   * ends it as interrupted, with a result for each call. One that was aborted, or gone on with three times, is closed in
   * any case.
   */
  readonly openTurn?: "continue" | "close"
  /**
   * What happens when a model finds the history too long: its older part gives way to a summary, by the model itself
   * unless another way is given, and the turn goes on. `off`: the turn fails with `ModelContextOverflow`.
   */
  readonly compaction?: "off" | { readonly summarise: Summary.Summarise<ModelError> }
  /** Ask for a final answer of this shape, through a tool `final_answer` that the model must call. */
  readonly answer?: S
}

/**
 * Begin to serve a session; closing the scope ends the turn that runs as `disposed`.
 *
 * A turn that a dead process left open goes on first (`openTurn`): finished results stay, calls that are idempotent are run
 * again under their keys, all others are answered with what is known of them. User messages that wait in the log are
 * served next.
 *
 * It dies, before anything is written, of options that no agent could work by, and when another agent serves the session.
 */
export const make = <R, const S extends AnswerSpec = never>(
  options: Options<R, S>,
): Effect.Effect<Agent<AnswerOf<S>>, AppendError, Model | R | AnswerServices<S> | Scope.Scope> =>
  Effect.gen(function* () {
    const { session } = options
    const mistake = findMistake(options)
    if (mistake !== undefined) return yield* Effect.die(mistake)
    yield* claim(session)
    const answer = options.answer === undefined ? undefined : makeAnswer<S>(options.answer)
    const context = yield* Effect.context<AnswerServices<S>>()
    const tools = answer === undefined ? options.tools : Toolbox.concat(options.tools, answer.tools)
    const openTurn = yield* prepare(options)
    const progress = makeTeller<Progress>()
    const failures = makeTeller<CallFailure>()
    const approvals = Approvals.make({
      session,
      approver: Approvals.unlogged(yield* Approver.Approver),
      fingerprint: (tool) => tools.tools.get(tool)?.fingerprint ?? "",
      timeout: options.approvalTimeout ?? "10 minutes",
    })
    const ids = yield* Ids
    const model = yield* Model
    const summarise = options.compaction === "off" ? undefined : options.compaction?.summarise
    const parts: TurnParts = {
      session,
      ids,
      approvals,
      stragglers: Stragglers.make(),
      tools: tools.tools,
      voices: makeVoices(options, tools.descriptions, model),
      runner: yield* ToolRunner.make(tools),
      telemetry: yield* Telemetry,
      slots: yield* Semaphore.make(options.concurrency ?? 4),
      callIds: CallIds.make(ids, session.log()),
      onProgress: progress.tell,
      onFailure: failures.tell,
      limits: options.limits ?? {},
      policy: makePolicy(options),
      summarise,
    }
    const readAnswer = (turn: number) =>
      Effect.suspend(() => {
        const given = answer && lastArguments(session.log(), turn, answerTool)
        return answer === undefined || given === undefined
          ? Effect.succeed(undefined)
          : Effect.provideContext(answer.read(given), context)
      })
    // An answer that was accepted before its turn broke off is in the log only.
    const before = openTurn === undefined ? undefined : yield* readAnswer(openTurn.turn)
    const server = makeServer(parts, () => answer?.latest() ?? before)
    const resumed = yield* waitForOpen(session, server, openTurn)
    const run = server.run.pipe(around(session), Effect.provideService(Approver.Approver, approvals.ofBodies))
    yield* Effect.addFinalizer(() => Effect.andThen(progress.end, failures.end))
    yield* Effect.forkScoped(run, { uninterruptible: true })
    return {
      ...fromServer(session, server, ids, ({ reason, turn }) =>
        reason.kind === "completed" ? readAnswer(turn) : Effect.succeed(undefined),
      ),
      progress: progress.told,
      failures: failures.told,
      resumed,
      compact: makeCompact(session, server, summarise ?? Summary.byModel(model)),
    }
  })

interface OpenTurn {
  readonly turn: number
  readonly claims: ReadonlyArray<string>
}

/** Say which turn the log has open, and close it unless it is to be gone on with; note a torn tail in any case. */
const prepare = ({
  session,
  openTurn = "continue",
}: Pick<Options<never, unknown>, "session" | "openTurn">): Effect.Effect<OpenTurn | undefined, AppendError> =>
  Effect.suspend(() => {
    const { turn, turnIsOpen } = session.state()
    const goesOn = openTurn === "continue" && Recovery.mayGoOn(session.state(), session.log())
    const open = turnIsOpen ? { turn, claims: claimsOf(session.log(), turn) } : undefined
    return goesOn ? Effect.succeed(open) : Effect.as(Recovery.close(session), open)
  })

/** A turn that begins while the summary is made is waited for, and the summary made again. */
const makeCompact =
  <A>(session: Session, server: Server<A>, byDefault: Summary.Summarise<ModelError>): Agent<A>["compact"] =>
  (summarise = byDefault) => {
    const once: ReturnType<Agent<A>["compact"]> = Effect.gen(function* () {
      yield* outside(session, "compact")(server.awaitIdle)
      const down = server.down()
      if (down !== undefined) return yield* down
      const range = Compaction.whole(session.log())
      if (range === undefined) return undefined
      return (yield* Compaction.compact(session, range, summarise)) ?? (yield* once)
    })
    return once
  }

/** The end of the turn that was open: the server tells it, or the log does when it is closed already. */
const waitForOpen = <A>(
  session: Session,
  server: Server<A>,
  open: OpenTurn | undefined,
): Effect.Effect<Agent<A>["resumed"]> =>
  Effect.sync(() => {
    const [messageId] = open?.claims ?? []
    if (open === undefined || messageId === undefined) return Effect.succeed(undefined)
    const ended = endOf(session.log(), messageId)
    if (ended === undefined) return Deferred.await(server.waitFor(messageId))
    const { answer: _, ...result } = recall(session.log(), ended)
    return Effect.succeed(result)
  })

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
  compacts: options.compaction !== "off",
  answerTool: options.answer === undefined ? undefined : answerTool,
})

/** The methods of an agent whose answer is read out of a log by `readAnswer`. */
const fromServer = <A>(
  session: Session,
  server: Server<A>,
  ids: Ids,
  readAnswer: (ended: Ended) => Effect.Effect<A | undefined>,
): Omit<Agent<A>, "progress" | "failures" | "resumed" | "compact"> => {
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
          if (ended === undefined) return Deferred.await(waiter)
          // The end may be accepted and not yet synced: nobody hears of it before.
          return Effect.andThen(
            session.append("synced", () => []),
            retell(ended),
          )
        }),
        Effect.onExit(() => Effect.sync(() => server.forget(messageId))),
      )
    }).pipe(outside(session, "prompt"))

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
    awaitIdle: outside(session, "awaitIdle")(server.awaitIdle),
    events: session.events,
    status: () => (server.down() === undefined ? session.status() : "disposed"),
  }
}
