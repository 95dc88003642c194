/**
 * Remember of every session what it told its observer while it was open, and which sessions told it nothing.
 *
 * In:  the observer that checks it; a store.      Out: the same, and what was heard, by session.
 * Not here: what is made of it (`readAgain.ts`).
 */
import { Effect } from "effect"
import type { SessionEvent } from "../event/SessionEvent.ts"
import type { Message } from "../message/Message.ts"
import { Observer } from "../session/Observer.ts"
import type { SessionStore } from "../store/SessionStore.ts"

export interface Lived {
  /** All that was appended, by this test or before it. */
  events: Array<SessionEvent>
  /** What was sent to a model, and how many events there were then. */
  readonly requests: Array<{ readonly size: number; readonly messages: ReadonlyArray<Message> }>
  /** The last seq that somebody was told is on the medium; -1 before that. */
  toldSeq: number
}

export const witness = (observer: Observer, sessions: Map<string, Lived>): Observer => ({
  watch: (sessionId, existing) => {
    const inner = observer.watch(sessionId, existing)
    const lived = sessions.get(sessionId) ?? { events: [], requests: [], toldSeq: -1 }
    sessions.set(sessionId, lived)
    lived.events = [...existing]
    return {
      onStatus: inner.onStatus,
      onAppend: (events) => {
        inner.onAppend(events)
        lived.events.push(...events)
      },
      onAcknowledge: (ack) => {
        inner.onAcknowledge(ack)
        if (ack.told !== "accepted") lived.toldSeq = Math.max(lived.toldSeq, ack.seq)
      },
      onRequest: (messages) => {
        inner.onRequest(messages)
        lived.requests.push({ size: lived.events.length, messages })
      },
    }
  },
})

/** Note every session that is begun or opened where another observer stands in the place of ours. */
export const noteUnseen = (
  store: SessionStore["Service"],
  ours: Observer | undefined,
  unseen: Set<string>,
): SessionStore["Service"] => {
  const note = (id: string) =>
    Effect.map(Observer, (observer) => {
      if (observer !== ours) unseen.add(id)
    })
  return {
    create: (id) => Effect.tap(store.create(id), () => note(id)),
    open: (id) => Effect.tap(store.open(id), () => note(id)),
    read: (id) => store.read(id),
    list: store.list,
    locate: (id) => store.locate(id),
  }
}
