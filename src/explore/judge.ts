/**
 * What must be true: of an agent that has nothing left to do, of a log that a process opens, and in the end.
 *
 * In:  a course, and what is alive in it.      Out: violations, as its blame.
 * Not here: the rules of logs (`invariant/`), which are watched all the time.
 */
import { Cause, Effect, Exit, Predicate, Result } from "effect"
import * as EventCodec from "../event/EventCodec.ts"
import type { EventDraft, SessionEvent } from "../event/SessionEvent.ts"
import { verify } from "../invariant/Verifier.ts"
import * as Recovery from "../recovery/Recovery.ts"
import { replay } from "../replay/Replay.ts"
import { deriveMessages } from "../session/History.ts"
import * as SessionState from "../session/SessionState.ts"
import type { Course, Said } from "./course.ts"
import type { Alive } from "./live.ts"
import { describe } from "./story.ts"

/** Nothing goes on: then nothing may be left to do. */
export const quiet = ({ said }: Course, { agent, session }: Alive): string | undefined => {
  const waiting = said.find(({ isBegun, exit }) => isBegun && exit === undefined)
  if (waiting !== undefined) return `${describe(waiting.stimulus)} never returns, and nothing goes on`
  if (agent.status() !== "idle") return `the agent's status is ${agent.status()}, and nothing goes on`
  const { turnIsOpen, pending } = session.state()
  if (turnIsOpen) return "the turn is open, and nothing goes on"
  const unheard = pending.find(({ kind }) => kind === "user")
  if (unheard !== undefined) return `${unheard.messageId} waits for a turn, and none begins`
  return differs(session.messages(), deriveMessages(session.log()))
    ? "the history differs from the one that the log derives"
    : undefined
}

/** A log that a new process opens: whatever part of its repair is there, the rest is the rest. */
export const opened = (course: Course): void => {
  const log = course.medium.events()
  const drafts = repairOf(log)
  for (let k = 1; k < drafts.length; k++) {
    const rest = repairOf([...log, ...toEvents(drafts.slice(0, k), log.length)])
    if (differs(rest, drafts.slice(k)))
      return course.blame(
        "explore.repair",
        `a repair that is broken off after ${k} events is not gone on with`,
      )
  }
}

const repairOf = (log: ReadonlyArray<SessionEvent>): ReadonlyArray<EventDraft> =>
  Recovery.repair(log.reduce(SessionState.next, SessionState.initial), log)

const toEvents = (drafts: ReadonlyArray<EventDraft>, seq: number): ReadonlyArray<SessionEvent> =>
  drafts.map((draft, at) => Result.getOrThrow(EventCodec.fromDraft(draft, seq + at, 0, new Map())))

/** All processes are over. */
export const over = (course: Course): void => {
  const log = course.medium.events()
  for (const { rule, seq, message } of verify(log)) course.blame(rule, `at seq ${seq}: ${message}`)
  for (const said of course.said) answered(course, log, said)
  bodies(course, log)
  for (const { seq, message } of replay(log).differences)
    course.blame("explore.replay", `at seq ${seq}: replayed from the log, ${message}`)
  const wrong = course.violation === undefined ? judged(course, log) : undefined
  if (wrong !== undefined) course.blame("judge", wrong)
}

/** An assertion that throws in there says what is wrong as well. What can be taken for "all is well" by mistake is refused. */
const judged = ({ world }: Course, log: ReadonlyArray<SessionEvent>): string | undefined => {
  try {
    const wrong: unknown = world.judge?.({ log })
    if (wrong === undefined || isPassed(wrong)) return undefined
    const texts: ReadonlyArray<unknown> = Array.isArray(wrong) ? wrong : [wrong]
    return texts.every(Predicate.isString)
      ? texts.join("; ") || (Array.isArray(wrong) ? undefined : "an empty text")
      : refused(wrong)
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error)
  }
}

/** What `expect(seat).toBe(free)` of chai or vitest gives, though its type says nothing: it has not thrown. */
const isPassed = (given: unknown): boolean => Predicate.hasProperty(given, "__flags")

const refused = (given: unknown): string => {
  const hint = "let it give nothing when all is well, or say what is wrong as a text"
  if (Predicate.isPromiseLike(given)) return `the judge gives a promise, which nobody waits for: ${hint}`
  if (Effect.isEffect(given)) return `the judge gives an Effect, which nobody runs: ${hint}`
  const isValue = typeof given === "object" && given !== null
  return `the judge gives ${isValue ? `a value of ${given.constructor?.name ?? "no class"}` : String(given)}: ${hint}`
}

/** What somebody was told is true: the message is there, once; the abort is; the turn has ended so. */
const answered = (course: Course, log: ReadonlyArray<SessionEvent>, { stimulus, exit }: Said): void => {
  if (exit === undefined || Exit.isFailure(exit)) {
    const why = exit === undefined ? "no answer" : Cause.pretty(exit.cause)
    return course.blame("explore.unanswered", `${describe(stimulus)} got ${why}`)
  }
  if ("messageId" in stimulus) {
    const { messageId } = stimulus
    const times = log.filter(
      ({ data }) => Predicate.hasProperty(data, "messageId") && data.messageId === messageId,
    ).length
    if (times !== 1)
      course.blame("explore.conserves", `${messageId} was accepted, and is in the log ${times} times`)
  }
  if (stimulus.kind === "abort" && exit.value === true && !log.some(({ type }) => type === "turn/abort"))
    course.blame("explore.told", "abort returned true, and the log knows of none")
  if (stimulus.kind === "prompt") turnEnded(course, log, exit.value)
}

const turnEnded = (course: Course, log: ReadonlyArray<SessionEvent>, result: unknown): void => {
  if (!Predicate.hasProperty(result, "turn") || !Predicate.hasProperty(result, "reason")) return
  const end = log.find((event) => event.type === "turn/end" && event.data.turn === result.turn)
  if (end?.type !== "turn/end" || differs(end.data.reason, result.reason))
    course.blame("explore.told", `turn ${result.turn} was told to have ended as the log does not say`)
}

/** No body runs without a call in the log, and none twice that must not; what one gave is not lost. */
const bodies = ({ begun, blame }: Course, log: ReadonlyArray<SessionEvent>): void => {
  const calls = log.filter((event) => event.type === "tool/call")
  const results = log.filter((event) => event.type === "tool/result")
  for (const { callId, tool, isIdempotent, hasSucceeded } of begun) {
    if (isIdempotent) continue
    if (begun.filter((other) => other.callId === callId).length > 1)
      blame("explore.once", `the body of ${tool} ran twice (${callId}), and it is not idempotent`)
    if (!calls.some(({ data }) => data.callId === callId && data.starts !== false))
      blame("explore.once", `the body of ${tool} ran (${callId}), and the log knows of no call that started`)
    const outcome = results.find(({ data }) => data.callId === callId)?.data.outcome
    if (hasSucceeded && (outcome === "interrupted" || outcome === "not-started"))
      blame("explore.kept", `the body of ${tool} was done (${callId}), and the log says ${outcome}`)
  }
}

const differs = (left: unknown, right: unknown): boolean => JSON.stringify(left) !== JSON.stringify(right)
