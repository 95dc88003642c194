/**
 * Ask for approvals in a way that the log can prove: what was asked, until when, and what was decided.
 *
 * In:  the approver that the agent was made under.      Out: an approver that logs its questions and decisions.
 * Fails with: nothing; what the log failed with is kept for the caller of the call (`failureOf`), who fails with it.
 * Order: the question is synced before anybody is asked, the decision before its call may start. A question that
 * an abort cuts short has no decision. A decision that the log holds already, for an equal question about the same call,
 * counts: its process died before the call started, and nobody is asked twice.
 * Not here: when to ask (`policy/Guard`), what a question means for a call (`tool/authorize`).
 */
import { type Cause, Clock, Duration, Effect, HashMap, Option } from "effect"
import type { EventDraft, Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { ToolCall } from "../message/ToolCall.ts"
import * as Approver from "../policy/Approver.ts"
import { reasonOf } from "../policy/Guard.ts"
import type { AppendError, Session } from "../session/Session.ts"
import type { SessionState } from "../session/SessionState.ts"

export interface Approvals {
  readonly approver: Approver.Approver
  /** What the log failed with while the call was asked about. */
  readonly failureOf: (callId: string) => Cause.Cause<AppendError> | undefined
  /** Whether the log holds a question about this call. */
  readonly wasAsked: (callId: string) => boolean
  /** Whether the log holds a yes to the question that this call would be today. */
  readonly isApproved: (call: ToolCall) => boolean
}

export interface Options {
  readonly session: Session
  readonly approver: Approver.Approver
  /** The fingerprint of a tool's schema. */
  readonly fingerprint: (tool: string) => string
  /** How long a question stands. */
  readonly timeout: Duration.Input
}

type Verdict = Approver.Decision & { readonly by: string }

export const make = ({ session, approver, fingerprint, timeout }: Options): Approvals => {
  const failures = new Map<string, Cause.Cause<AppendError>>()
  const timeoutMillis = Duration.toMillis(timeout)
  const { asked, decided } = readLog(session.log())
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
      const expiresAt = Math.round((yield* Clock.currentTimeMillis) + timeoutMillis)
      const digest = digestOf(tool, argumentsOf(session, callId))
      const earlier = decided.get(callId)
      if (earlier?.digest === digest) return toDecision(earlier)
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
      return decision
    })

  const logged: Approver.Approver = (question) => {
    // A tool that a body calls by itself is no call of this session, whose log knows nothing of it.
    if (!HashMap.has(session.state().calls, question.callId)) return Approver.put(approver, question)
    return Effect.catchCause(ask(question), (cause) => {
      failures.set(question.callId, cause)
      return Effect.succeed<Approver.Decision>({ _tag: "deny", reason: "the log failed" })
    })
  }
  behind.set(logged, approver)

  return {
    failureOf: (callId) => failures.get(callId),
    wasAsked: (callId) => asked.has(callId),
    isApproved: ({ callId, name, arguments: text }) => {
      const earlier = decided.get(callId)
      return earlier?.verdict === "allow" && earlier.digest === digestOf(name, text)
    },
    approver: logged,
  }
}

const behind = new WeakMap<Approver.Approver, Approver.Approver>()

/** Who answers in truth: in a body of an agent the approver is one that logs, in the session of that agent. */
export const unlogged = (approver: Approver.Approver): Approver.Approver => behind.get(approver) ?? approver

/** What earlier processes asked and heard, by call. */
const readLog = (log: ReadonlyArray<SessionEvent>) => {
  const asked = new Set<string>()
  const decided = new Map<string, Payload<"approval/decided">>()
  for (const event of log) {
    if (event.type === "approval/asked") asked.add(event.data.callId)
    if (event.type === "approval/decided") decided.set(event.data.callId, event.data)
  }
  return { asked, decided }
}

const toDecision = ({ verdict, by }: Payload<"approval/decided">): Approver.Decision =>
  verdict === "allow" ? { _tag: "allow", by } : { _tag: "deny", by, reason: `${by} denied it before` }

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

const argumentsOf = (session: Session, callId: string): string =>
  Option.match(HashMap.get(session.state().calls, callId), {
    onNone: () => "",
    onSome: ({ block }) => block.arguments,
  })
