/**
 * Take in what is said to an agent, and aborts.
 *
 * In:  messages, each with its id; aborts.      Out: nothing but the log; the server is rung.
 * Fails with: `AgentDisposed` and append errors. A message id that stands for something else is an `EventRejected`.
 * Order: a message is synced when it is accepted. An abort is in the log before anything is interrupted.
 * Not here: who claims a message (`serve.ts`).
 */
import { Effect } from "effect"
import type { EventDraft, SessionEvent } from "../event/SessionEvent.ts"
import { type Content, fromInput } from "../message/Content.ts"
import * as Digest from "../message/Digest.ts"
import type { AppendError, Session } from "../session/Session.ts"
import type { MessageKind, SessionState } from "../session/SessionState.ts"
import type { AgentDisposed } from "./LoopError.ts"
import type { Server } from "./serve.ts"

/**
 * What every method may fail with. `AgentDisposed`, `EventRejected`, `SessionPoisoned` and `SeqConflict`: nothing was
 * accepted. `StoreUnavailable` and `SessionFenced`: nobody knows what the store made of it.
 */
export type AgentError = AgentDisposed | AppendError

/** The id of a message; only one that its caller chose may come a second time and be the same message. */
export interface MessageId {
  readonly messageId: string
  readonly isChosen: boolean
}

/** Accept a message and give its id back; one that is in the log already is not logged again. */
export type Say = (
  kind: MessageKind,
  id: MessageId,
  input: string | Content,
  source: string,
) => Effect.Effect<string, AgentError>

export const makeInbox = <A>(session: Session, server: Server<A>): Say => {
  const ring = Effect.sync(server.ring)
  return (kind, { messageId, isChosen }, input, source) =>
    Effect.suspend((): Effect.Effect<string, AgentError> => {
      const down = server.down()
      if (down !== undefined) return down
      const data = { messageId, content: fromInput(input), source }
      const draft = (state: SessionState): ReadonlyArray<EventDraft> => {
        const type = kind === "steering" && !state.turnIsOpen ? "user" : kind
        return [{ type: `${type}/message`, data }]
      }
      return session.append("synced", draft).pipe(
        Effect.catchTag("EventRejected", (rejected) =>
          isChosen && rejected.rule === inboxUnique && isRepeated(session.log(), kind, data)
            ? session.append("synced", () => [])
            : Effect.fail(rejected),
        ),
        Effect.ensuring(ring),
        Effect.as(messageId),
      )
    })
}

/** The always-on rule that no message id is used twice. */
const inboxUnique = "inbox.unique"

type Said = { readonly messageId: string; readonly content: Content; readonly source: string }

/** The same id, said in the same way with the same words. Steering that came while idle is a user message. */
const isRepeated = (log: ReadonlyArray<SessionEvent>, kind: MessageKind, said: Said): boolean => {
  const types = kind === "steering" ? ["steering/message", "user/message"] : [`${kind}/message`]
  return log.some(
    (event) =>
      isMessage(event) &&
      event.data.messageId === said.messageId &&
      types.includes(event.type) &&
      digest(event.data) === digest(said),
  )
}

const isMessage = (event: SessionEvent) =>
  event.type === "user/message" || event.type === "steering/message" || event.type === "context/message"

const digest = ({ content, source }: Said): string => Digest.ofJson([source, content])

/** End the turn that runs; false when none does, or another abort came first. */
export const makeAbort =
  <A>(session: Session, server: Server<A>) =>
  (reason = "aborted by the caller"): Effect.Effect<boolean, AgentError> =>
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
