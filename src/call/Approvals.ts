/**
 * Ask for approvals in a way that the log can prove: what was asked, until when, and what was decided.
 *
 * In:  the approver that the agent was made under.      Out: for each call an approver that logs what is asked about it.
 * Fails with: nothing; what the log failed with is kept for the caller of the call (`failureOf`), who fails with it.
 * Order: the question is synced before anybody is asked, the decision before its call may start. A question that
 * an abort cuts short has no decision. A decision that the log holds already, for an equal question about the same call,
 * counts: its process died before the call started, and nobody is asked twice. A yes counts until its question expires:
 * a call that starts later, after a wait or in another process, is asked about again.
 * Not here: when to ask (`policy/Guard`), what a question means for a call (`tool/authorize`).
 */
import { type Cause, Clock, Duration, Effect, HashMap, Option } from "effect"
import type { EventDraft, Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { ToolCall } from "../message/ToolCall.ts"
import * as Approver from "../policy/Approver.ts"
import { reasonOf } from "../policy/Guard.ts"
import type { AppendError, Session } from "../session/Session.ts"
import type { CallState, SessionState } from "../session/SessionState.ts"

export interface Approvals {
  /** Who answers about this call, until its body starts: what is asked about any other is no question of this session. */
  readonly of: (call: ToolCall) => Approver.Approver
  /**
   * Who answers about the calls that a body makes by itself, whatever ids they have: the log knows nothing of them.
   * All that the agent runs is run under this one.
   */
  readonly ofBodies: Approver.Approver
  /** What the log failed with while the call was asked about. */
  readonly failureOf: (callId: string) => Cause.Cause<AppendError> | undefined
  /** Whether the log holds a question about this call. */
  readonly wasAsked: (callId: string) => boolean
  /** Whether the log holds a yes to the question that this call would be today, and it still counts. */
  readonly isApproved: (call: ToolCall) => Effect.Effect<boolean>
  /** Whether a yes was given for this call, which may lapse before it starts. */
  readonly wasGranted: (callId: string) => boolean
  /** Whether a yes was given for this call that counts no more. */
  readonly hasLapsed: (callId: string) => Effect.Effect<boolean>
  /** Put the question of a call again whose yes counts no more. */
  readonly renew: (callId: string) => Effect.Effect<Approver.Decision>
  /** The call has started: its yes is used up. */
  readonly close: (callId: string) => void
}

export interface Options {
  readonly session: Session
  readonly approver: Approver.Approver
  /** The fingerprint of a tool's schema. */
  readonly fingerprint: (tool: string) => string
  /** How long a question stands, and a yes to it counts until its call starts. */
  readonly timeout: Duration.Input
}

type Verdict = Approver.Decision & { readonly by: string }

/** A question that the log holds, with its answer. */
interface Answered extends Payload<"approval/decided"> {
  readonly expiresAt: number
}

/** A question that was put in this process. */
interface Put {
  readonly question: Approver.Question
  readonly expiresAt: number
}

export const make = ({ session, approver, fingerprint, timeout }: Options): Approvals => {
  const failures = new Map<string, Cause.Cause<AppendError>>()
  const timeoutMillis = Duration.toMillis(timeout)
  const { asked, decided } = readLog(session.log())
  const granted = new Map<string, Put>()
  const digestOf = (tool: string, argumentText: string) =>
    Approver.digest(tool, argumentText, fingerprint(tool))

  /** Nothing is logged any more once an abort was accepted: its interruption is on the way. */
  const log = (draft: (state: SessionState) => EventDraft) =>
    Effect.flatMap(
      session.append("synced", (state) => (state.aborting ? [] : [draft(state)])),
      (events) => (events.length === 0 ? Effect.never : Effect.void),
    )

  const ask = (question: Approver.Question) =>
    Effect.gen(function* () {
      const { callId, tool } = question
      const now = yield* Clock.currentTimeMillis
      const expiresAt = Math.round(now + timeoutMillis)
      const digest = digestOf(tool, argumentsOf(session, callId))
      const earlier = decided.get(callId)
      if (earlier?.digest === digest && counts(earlier, now)) {
        granted.set(callId, { question, expiresAt: earlier.expiresAt })
        return toDecision(earlier)
      }
      yield* log(({ turn, step }) => ({
        type: "approval/asked",
        data: { turn, step, callId, digest, expiresAt },
      }))
      const decision = yield* decide(approver, { ...question, digest, expiresAt }, timeoutMillis)
      const data: Payload<"approval/decided"> = {
        callId,
        digest,
        verdict: decision._tag,
        by: decision.by,
      }
      yield* log(() => ({ type: "approval/decided", data }))
      granted.set(callId, { question, expiresAt })
      return decision
    })

  const askLogged = (question: Approver.Question): Effect.Effect<Approver.Decision> =>
    Effect.catchCause(ask(question), (cause) => {
      failures.set(question.callId, cause)
      return Effect.succeed<Approver.Decision>({ _tag: "deny", reason: "the log failed" })
    })

  const ofBodies: Approver.Approver = (question) => askUnlogged(approver, question, timeoutMillis)
  behind.set(ofBodies, approver)

  return {
    failureOf: (callId) => failures.get(callId),
    wasAsked: (callId) => asked.has(callId),
    isApproved: ({ callId, name, arguments: text }) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const earlier = decided.get(callId)
        return earlier?.verdict === "allow" && counts(earlier, now) && earlier.digest === digestOf(name, text)
      }),
    wasGranted: (callId) => granted.has(callId),
    hasLapsed: (callId) =>
      Effect.map(Clock.currentTimeMillis, (now) => now >= (granted.get(callId)?.expiresAt ?? Infinity)),
    renew: (callId) => {
      const put = granted.get(callId)
      return put === undefined ? Effect.succeed(Approver.allow) : askLogged(put.question)
    },
    close: (callId) => void granted.delete(callId),
    of: (call) => (question) =>
      question.callId === call.callId && question.tool === call.name
        ? askLogged(question)
        : ofBodies(question),
    ofBodies,
  }
}

const behind = new WeakMap<Approver.Approver, Approver.Approver>()

/** Who answers in truth: in a body of an agent the approver has the time limit of that agent. */
export const unlogged = (approver: Approver.Approver): Approver.Approver => behind.get(approver) ?? approver

/** What earlier processes asked and heard, by call. */
const readLog = (log: ReadonlyArray<SessionEvent>) => {
  const asked = new Map<string, number>()
  const decided = new Map<string, Answered>()
  for (const event of log) {
    if (event.type === "approval/asked") {
      asked.set(event.data.callId, event.data.expiresAt)
      decided.delete(event.data.callId)
    }
    if (event.type === "approval/decided") {
      decided.set(event.data.callId, { ...event.data, expiresAt: asked.get(event.data.callId) ?? 0 })
    }
  }
  return { asked, decided }
}

/** A no stays one. */
const counts = ({ verdict, expiresAt }: Answered, now: number): boolean =>
  verdict === "deny" || now < expiresAt

const toDecision = ({ verdict, by }: Payload<"approval/decided">): Approver.Decision =>
  verdict === "allow" ? { _tag: "allow", by } : { _tag: "deny", by, reason: `${by} denied it before` }

/** What a log does not hold stands as long as what it holds. */
const askUnlogged = (
  approver: Approver.Approver,
  question: Approver.Question,
  timeoutMillis: number,
): Effect.Effect<Verdict> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    decide(approver, { ...question, expiresAt: Math.round(now + timeoutMillis) }, timeoutMillis),
  )

/** An answer that comes too late, or not at all, is a no. */
const decide = (
  approver: Approver.Approver,
  question: Approver.Question & { readonly expiresAt: number },
  timeoutMillis: number,
): Effect.Effect<Verdict> =>
  Approver.put(approver, question).pipe(
    Effect.timeoutOrElse({ duration: timeoutMillis, orElse: () => Effect.succeed(expired) }),
    Effect.matchCause({
      onFailure: (cause): Verdict => deny("failure", `the approver could not decide: ${reasonOf(cause)}`),
      onSuccess: (decision): Verdict => ({ by: "approver", ...decision }),
    }),
    Effect.flatMap((decision) =>
      Effect.map(Clock.currentTimeMillis, (now) => (now < question.expiresAt ? decision : expired)),
    ),
  )

const deny = (by: string, reason: string): Verdict => ({ _tag: "deny", reason, by })

const expired = deny("expiry", "nobody approved it in time")

const callOf = (session: Session, callId: string): Option.Option<CallState> =>
  HashMap.get(session.state().calls, callId)

const argumentsOf = (session: Session, callId: string): string =>
  Option.match(callOf(session, callId), {
    onNone: () => "",
    onSome: ({ block }) => block.arguments,
  })
