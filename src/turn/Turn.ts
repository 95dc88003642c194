/**
 * Run one turn that is open in the log: steps until the model asks for no tool, or until something ends it.
 *
 * In:  an open turn.      Out: its `TurnResult`; its `turn/end` is synced.
 * Fails with: append errors; the turn stays open in the log then, and the next open of the session closes it.
 * Order: "no steering is left" and a completed `turn/end` are one append, so late steering gets another step.
 * Not here: which messages begin a turn (`serve.ts`), what follows a step (`decide.ts`).
 */
import { Cause, Duration, Effect, Exit } from "effect"
import * as OpenCalls from "../call/OpenCalls.ts"
import * as Compaction from "../compaction/Compaction.ts"
import * as Summary from "../compaction/Summary.ts"
import type { EventRejected } from "../event/EventError.ts"
import type { EventDraft, SessionEvent, TurnEndReason } from "../event/SessionEvent.ts"
import type { Ids } from "../message/Ids.ts"
import type { ModelError } from "../model/ModelError.ts"
import * as Recovery from "../recovery/Recovery.ts"
import type { AppendError, Session } from "../session/Session.ts"
import type { SessionState } from "../session/SessionState.ts"
import * as Operation from "../telemetry/Operation.ts"
import { decide, type End, failWith, type Move, type Policy } from "./decide.ts"
import { type Limits, reached } from "./Limits.ts"
import { stepsOf } from "./Recall.ts"
import { harness, takeUp } from "./resume.ts"
import { runStep, type StepParts } from "./step.ts"
import { LimitReached } from "./TurnError.ts"
import type { TurnError, TurnResult } from "./TurnResult.ts"
import * as Tally from "./tally.ts"
import type { Voice, Voices } from "./Voice.ts"

export interface TurnParts extends StepParts {
  /** A turn begins with the first; the others are there for when it fails. */
  readonly voices: Voices
  readonly limits: Limits
  readonly policy: Policy
  readonly ids: Ids
  /** How a history is made shorter; by the model that found it too long unless given. */
  readonly summarise: Summary.Summarise<ModelError> | undefined
}

/** Why the fiber of a turn is interrupted; set before it is. That it is aborted stands in the log. */
export interface Stop {
  cause?: "disposed" | LimitReached
  abortReason?: string
}

/** A turn's end as the log has it. */
interface Ended {
  readonly reason: TurnEndReason
  readonly error?: TurnError
}

/**
 * To be run as a fiber of its own, uninterruptible; interrupting that fiber ends the turn by `stop` or the abort.
 * A turn that `isResumed` was begun by a process which is no more.
 */
export const runTurn = (
  parts: TurnParts,
  stop: Stop,
  isResumed = false,
): Effect.Effect<TurnResult, AppendError> => {
  const { telemetry, session, voices } = parts
  const run = play(parts, stop, isResumed)
  if (telemetry === undefined) return run
  const { turn } = session.state()
  const operation = Operation.invokeAgent({ conversation: session.id, turn, model: voices[0].model.name })
  return telemetry.observe(operation, run, (exit) =>
    Exit.isSuccess(exit)
      ? Operation.turnEnded(exit.value)
      : Operation.turnEnded({ reason: { kind: "failed" }, steps: 0 }),
  )
}

const play = (parts: TurnParts, stop: Stop, isResumed: boolean): Effect.Effect<TurnResult, AppendError> =>
  Effect.suspend(() => {
    const { session, limits, policy, voices } = parts
    const { turn } = session.state()
    const isStopping = () => stop.cause !== undefined || session.state().aborting
    const voice = () => voices[tally.voice] ?? voices[0]
    let tally = Tally.empty

    const goOn: Effect.Effect<Ended, AppendError> = Effect.suspend(() => {
      const limit = reached(limits, tally)
      if (limit !== undefined) return follow(failWith("limit", limit))
      return Effect.flatMap(runStep(parts, voice(), isStopping), (end) => {
        if (end !== undefined) tally = Tally.add(tally, end, limits.repeatedCalls !== undefined)
        return follow(decide(policy, tally, end))
      })
    })

    const follow = (move: Move): Effect.Effect<Ended, AppendError> =>
      move.kind === "step" && !isStopping()
        ? goOn
        : Effect.flatMap(lead(move), (ended) => (ended === undefined ? goOn : Effect.succeed(ended)))

    /** Do what comes before the next step, or instead of it. */
    const lead = Effect.fnUntraced(function* (next: Move) {
      let move = next
      if (move.kind === "compact")
        move = (yield* makeRoom(parts, voice())) ? { kind: "step" } : move.otherwise
      if (move.kind === "remind") tally = yield* remind(parts, tally, move.text)
      if (move.kind === "retry") yield* pause(move.waitMillis)
      if (move.kind === "fall back") tally = Tally.nextVoice(tally)
      if (move.kind === "stop" || (move.kind !== "end" && isStopping())) move = stopWith(stop)
      return move.kind === "end" ? yield* close(session, move, stop) : undefined
    })

    const resume = Effect.flatMap(OpenCalls.settle(parts), () => {
      const taken = takeUp(parts)
      tally = taken.tally
      return follow(taken.move)
    })

    const timer = limits.wallTime === undefined ? Effect.void : forkTimer(limits.wallTime, stop)
    return Effect.andThen(timer, isResumed ? resume : goOn).pipe(
      Effect.catchTag("EventRejected", (error) =>
        Effect.map(giveUp(session, error, stop), (end) => {
          // The step that was given up has told nobody what it used; the log knows.
          tally = stepsOf(session.log(), turn).reduce(
            (before, step) => Tally.add(before, step, false),
            Tally.empty,
          )
          return end
        }),
      ),
      Effect.map((ended): TurnResult => {
        const { steps, usage, text, refused } = tally
        return { turn, steps, usage, text, refused, ...ended }
      }),
    )
  })

/** Compact what the model found too long; false when that cannot be, or the summary failed. */
const makeRoom = (
  { session, summarise }: TurnParts,
  { model }: Voice,
): Effect.Effect<boolean, AppendError> => {
  const range = Compaction.forRoom(session.log())
  if (range === undefined) return Effect.succeed(false)
  const summary: Summary.Summarise<undefined> = (messages) =>
    Effect.mapError((summarise ?? Summary.byModel(model))(messages), () => undefined)
  const compacted = Effect.catchIf(
    Compaction.compact(session, range, summary),
    (error) => error === undefined,
    () => Effect.succeed(undefined),
  )
  return Effect.flatMap(Effect.exit(Effect.interruptible(compacted)), (exit) => {
    if (Exit.isSuccess(exit)) return Effect.succeed(exit.value !== undefined)
    return Cause.hasInterruptsOnly(exit.cause) ? Effect.succeed(false) : Effect.failCause(exit.cause)
  })
}

/** End the turn, unless it would complete while steering waits. An abort that was accepted first wins over all. */
const close = (session: Session, end: End, stop: Stop): Effect.Effect<Ended | undefined, AppendError> =>
  session
    .append("synced", (state) => {
      const isSteered = state.pending.some((message) => message.kind === "steering")
      if (end.reason.kind === "completed" && isSteered && !state.aborting) return []
      return [turnEnd(state, end.reason, stop)]
    })
    .pipe(Effect.map(([event]) => event && told(event, end)))

/** Something that had to be logged is not loggable, such as a provider's metadata: close what is open and fail. */
const giveUp = (session: Session, error: EventRejected, stop: Stop): Effect.Effect<Ended, AppendError> => {
  const end = failWith("failed", error)
  return session
    .append("synced", (state) => {
      const { turn } = state
      const step = state.phase === "none" ? 0 : state.step
      const complaint = { turn, step, name: error._tag, code: error.code, message: error.message }
      const closing = Recovery.repairStep(state, session.log())
      return [{ type: "error", data: complaint }, ...closing, turnEnd(state, end.reason, stop)]
    })
    .pipe(Effect.map((events) => told(events.at(-1), end)))
}

const turnEnd = ({ turn, aborting }: SessionState, reason: TurnEndReason, stop: Stop): EventDraft => ({
  type: "turn/end",
  data: { turn, reason: aborting ? abortedBy(stop) : reason },
})

/** What was logged is what is told: an abort may have come before the end that was meant. */
const told = (event: SessionEvent | undefined, { reason, error }: End): Ended => {
  const logged = event?.type === "turn/end" ? event.data.reason : reason
  return logged.kind === reason.kind && error !== undefined ? { reason: logged, error } : { reason: logged }
}

const abortedBy = ({ abortReason }: Stop): TurnEndReason =>
  abortReason === undefined ? { kind: "aborted" } : { kind: "aborted", message: abortReason }

/** A wait that an interruption of the turn cuts short. */
const pause = (millis: number): Effect.Effect<unknown> =>
  Effect.exit(Effect.interruptible(Effect.sleep(millis)))

const stopWith = (stop: Stop): End =>
  stop.cause instanceof LimitReached
    ? failWith("limit", stop.cause)
    : { kind: "end", reason: { kind: "disposed" } }

/** Put a word of the harness into the inbox as context; the next step claims it. */
const remind = (
  { session, ids }: TurnParts,
  tally: Tally.Tally,
  text: string,
): Effect.Effect<Tally.Tally, AppendError> =>
  session
    .append("accepted", (state) =>
      state.aborting
        ? []
        : [
            {
              type: "context/message",
              data: {
                messageId: ids.next("message"),
                content: [{ type: "text", text }],
                source: harness,
              },
            },
          ],
    )
    .pipe(Effect.as({ ...tally, reminders: tally.reminders + 1 }))

/** Interrupt this fiber when the wall time is over; the timer ends with the turn. */
const forkTimer = (wallTime: Duration.Input, stop: Stop): Effect.Effect<unknown> =>
  Effect.withFiber((turn) => {
    const millis = Duration.toMillis(wallTime)
    const expire = Effect.sync(() => {
      const message = `the turn took longer than ${millis} milliseconds`
      stop.cause ??= new LimitReached({ code: "LIMIT_WALL_TIME", message })
      turn.interruptUnsafe()
    })
    return Effect.forkChild(Effect.andThen(Effect.sleep(millis), expire))
  })
