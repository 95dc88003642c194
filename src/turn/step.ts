/**
 * Make one step: one request to the model, its answer, and the calls of the answer.
 *
 * In:  an open turn without an open step.      Out: how the step ended; its `step/end` is in the log.
 * Fails with: append errors; nothing is closed then, the next open of the session repairs.
 * Order: claims and `step/start` are one append; usage and message come before the first call; `step/end` comes
 * after the last result, synced when a body ran that is not idempotent.
 * Not here: whether there is a next step (`decide.ts`).
 */
import { Cause, Effect, Exit } from "effect"
import type { CallIds } from "../call/CallIds.ts"
import { type CallOutcome, type CallParts, refuseCalls, runCalls } from "../call/Calls.ts"
import type { EventDraft, Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { AssistantContent } from "../message/Content.ts"
import type { Message } from "../message/Message.ts"
import type { Finish, Usage } from "../message/ModelChunk.ts"
import { type ModelError, ModelInterrupted } from "../model/ModelError.ts"
import { deriveMessages } from "../session/History.ts"
import type { AppendError, Session } from "../session/Session.ts"
import type { SessionPoisoned } from "../session/SessionError.ts"
import type { SessionState } from "../session/SessionState.ts"
import * as Operation from "../telemetry/Operation.ts"
import type { Telemetry } from "../telemetry/Telemetry.ts"
import { type Answer, type Listening, listen } from "./listen.ts"
import type { ModelDefect } from "./TurnError.ts"
import type { Voice } from "./Voice.ts"

export interface StepParts extends CallParts {
  readonly callIds: CallIds
}

interface Said {
  readonly content: AssistantContent
  readonly usage: Usage | undefined
}

export interface Answered extends Said {
  readonly kind: "answered"
  readonly finish: Finish
  /** In call order, one a finished call. */
  readonly outcomes: ReadonlyArray<CallOutcome>
  /** The answer stopped in the middle of a call, which is not in the log. */
  readonly hasOpenCall: boolean
}

export type StepEnd =
  | Answered
  | (Said & { readonly kind: "failed"; readonly error: ModelError | ModelDefect })
  /** The turn was interrupted while the model spoke. */
  | (Said & { readonly kind: "stopped" })

type Place = Payload<"step/end">

/**
 * To be called in an uninterruptible region; only the stream and the wait for the calls can be interrupted.
 * Undefined when the turn was stopped before the step began.
 */
export const runStep = (
  parts: StepParts,
  voice: Voice,
  isStopping: () => boolean,
): Effect.Effect<StepEnd | undefined, AppendError> =>
  Effect.flatMap(
    parts.session.append("accepted", (state) => (isStopping() ? [] : begin(parts.session, voice, state))),
    (started) => (started.length === 0 ? Effect.succeed(undefined) : ask(parts, voice, isStopping)),
  )

/** Send the request of the step that has begun, and bring the step to its end. */
const ask = (
  parts: StepParts,
  voice: Voice,
  isStopping: () => boolean,
): Effect.Effect<StepEnd, AppendError> => {
  const { session, telemetry } = parts
  const { model, config, logged } = voice
  const { turn, step, configSeq } = session.state()
  logged.seq = configSeq
  const place = { turn, step }
  const messages = session.messages()
  session.observeRequest(messages)
  const listening = listen(parts, place, () => model.stream({ ...config.request, messages }))
  const { answer } = listening
  const run =
    telemetry === undefined
      ? listening.run
      : observe(telemetry, { ...place, conversation: session.id }, voice, listening)
  return Effect.matchCauseEffect(Effect.interruptible(run), {
    onSuccess: (finish): Effect.Effect<StepEnd, AppendError> => answered(parts, place, answer, finish),
    onFailure: (cause) =>
      Effect.flatMap(failureOf(cause, isStopping), (failure) => broken(session, place, answer, failure)),
  })
}

/** An answer that an interruption broke off is no error of the model. */
const observe = (
  telemetry: Telemetry,
  place: Place & { readonly conversation: string },
  { model: { name: model }, config }: Voice,
  { answer, run }: Listening,
): Listening["run"] =>
  telemetry.observe(Operation.chat({ ...place, ...config.request.sampling, model }), run, (exit) => {
    const tokens = answer.usage()
    if (Exit.isSuccess(exit)) return Operation.chatEnded(model, { finish: exit.value.kind, tokens })
    const code = exit.cause.reasons.find(Cause.isFailReason)?.error.code
    return Operation.chatEnded(model, { ...(code !== undefined && { code }), tokens })
  })

/** Draft the start of the next step, with the config before it when that is not the last one in the log. */
const begin = (
  session: Session,
  { config, logged, digest }: Voice,
  state: SessionState,
): ReadonlyArray<EventDraft> => {
  const claimed = state.pending.filter((message) => message.kind !== "user")
  const place = { turn: state.turn, step: state.step + 1 }
  const claims = claimed.map((message) => message.messageId)
  const isNew = logged.seq !== state.configSeq || logged.seq < 0
  const known = session.messages()
  const messages =
    claimed.length === 0 ? known : [...known, ...project(session, claimed, { ...place, claims })]
  const request = { config: isNew ? state.nextSeq : state.configSeq, digest: digest(messages) }
  const start: EventDraft = {
    type: "step/start",
    data: { turn: place.turn, step: place.step, claims, request },
  }
  return isNew ? [{ type: "request/config", data: config.payload }, start] : [start]
}

/** What the claimed messages will read like once this step has claimed them. */
const project = (
  session: Session,
  claimed: SessionState["pending"],
  data: Place & { readonly claims: ReadonlyArray<string> },
): ReadonlyArray<Message> => {
  const log = session.log()
  const arrivals = claimed.flatMap(({ seq }): ReadonlyArray<SessionEvent> => log.slice(seq, seq + 1))
  return deriveMessages([...arrivals, { seq: log.length, at: 0, type: "step/start", data }])
}

const answered = (
  parts: StepParts,
  place: Place,
  answer: Answer,
  finish: Finish,
): Effect.Effect<Answered, AppendError> => {
  const { session } = parts
  const content = answer.content()
  const usage = answer.usage()
  const said = session.append("written", () => say(place, content, finish, usage))
  const calls = Effect.flatMap(orUsageAlone(session, place, usage, said), () => {
    const blocks = content.filter((block) => block.type === "tool-call")
    const why = whyNoCallRuns(finish)
    return why === undefined ? runCalls(parts, place, blocks) : refuseCalls(parts, place, blocks, why)
  })
  return Effect.flatMap(calls, (outcomes) => {
    const durability = outcomes.some((outcome) => outcome.mustSync) ? "synced" : "accepted"
    const end: Answered = {
      kind: "answered",
      content,
      usage,
      finish,
      outcomes,
      hasOpenCall: answer.hasOpenCall(),
    }
    return Effect.as(
      session.append(durability, () => [{ type: "step/end", data: place }]),
      end,
    )
  })
}

/** Whoever cut the answer, a part of it is not what the model wanted to say; no call of such an answer runs. */
const whyNoCallRuns = ({ kind }: Finish): string | undefined => {
  if (kind === "max-tokens") return "was cut off at the output token limit"
  return kind === "refused" ? "was stopped by the provider's content rules" : undefined
}

/** Close a step whose answer broke off: the finished blocks that are no calls, the error if it is one, the end. */
const broken = (
  session: Session,
  place: Place,
  answer: Answer,
  error: ModelError | ModelDefect | "stopped",
): Effect.Effect<StepEnd, AppendError> => {
  const content = withoutCalls(answer.content())
  const usage = answer.usage()
  const isStopped = error === "stopped"
  const finish: Finish = isStopped ? { kind: "aborted" } : { kind: "error", code: error.code }
  const said = say(place, content, finish, usage)
  const complaint: ReadonlyArray<EventDraft> = isStopped
    ? []
    : [{ type: "error", data: { ...place, name: error._tag, code: error.code, message: error.message } }]
  const end: EventDraft = { type: "step/end", data: place }
  const logged = session.append("written", () => [...said, ...complaint, end])
  return Effect.as(
    orUsageAlone(session, place, usage, logged),
    isStopped ? { kind: "stopped", content, usage } : { kind: "failed", content, usage, error },
  )
}

const say = (
  { turn, step }: Place,
  content: AssistantContent,
  finish: Finish,
  usage: Usage | undefined,
): ReadonlyArray<EventDraft> => {
  const drafts: Array<EventDraft> = []
  if (usage !== undefined) drafts.push({ type: "usage", data: { turn, step, usage } })
  if (content.length > 0) drafts.push({ type: "assistant/message", data: { turn, step, content, finish } })
  return drafts
}

/** What was used was used, also when the log cannot hold what was said. */
const orUsageAlone = <A>(
  session: Session,
  place: Place,
  usage: Usage | undefined,
  logging: Effect.Effect<A, AppendError>,
): Effect.Effect<A, AppendError> =>
  Effect.tapError(logging, (error) =>
    usage === undefined || error._tag !== "EventRejected"
      ? Effect.void
      : Effect.ignore(session.append("accepted", () => [{ type: "usage", data: { ...place, usage } }])),
  )

const withoutCalls = (content: AssistantContent): AssistantContent =>
  content.filter((block) => block.type !== "tool-call")

/** Sort out why a stream broke: our own log and our own defects stop the turn, all else ends the step. */
const failureOf = (
  cause: Cause.Cause<ModelError | ModelDefect | SessionPoisoned>,
  isStopping: () => boolean,
): Effect.Effect<ModelError | ModelDefect | "stopped", AppendError> => {
  if (Cause.hasDies(cause)) return Effect.die(Cause.squash(cause))
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  if (failure?._tag === "SessionPoisoned") return Effect.fail(failure)
  if (isStopping()) return Effect.succeed("stopped" as const)
  return Effect.succeed(
    failure ?? new ModelInterrupted({ message: "the provider interrupted its own stream" }),
  )
}
