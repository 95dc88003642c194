/**
 * Put a summary in the place of the older part of a history; the log keeps all of it.
 *
 * In:  an open session and a way to summarise.      Out: `history/compacted`, synced.
 * Fails with: what the summary fails with, append errors. Nothing is written then.
 * Not here: what the history becomes (`session/History`), when a turn does this by itself (`turn/`), the summary (`Summary.ts`).
 * Source: PROTOCOL "Derived history" and the rule compact.range: a cut lies at the end of a step, so no pair is cut.
 */
import { Effect } from "effect"
import type { Payload, SessionEvent } from "../event/SessionEvent.ts"
import type { Message } from "../message/Message.ts"
import * as History from "../session/History.ts"
import type { AppendError, Session } from "../session/Session.ts"
import type { Summarise } from "./Summary.ts"

/** What a compaction covers: all that entered the history from one seq to the other. */
export interface Range {
  readonly from: number
  readonly to: number
}

export type Compacted = Payload<"history/compacted">

/**
 * Summarise all that the history holds up to `range.to`; undefined when a step is open, or somebody was faster.
 *
 * Order: the summary is made first, and takes the time that a model takes; the history changes in one append.
 */
export const compact = <E, R>(
  session: Session,
  range: Range,
  summarise: Summarise<E, R>,
): Effect.Effect<Compacted | undefined, E | AppendError, R> =>
  Effect.gen(function* () {
    const { content, usage } = yield* summarise(covered(session.log(), range))
    const data: Compacted = { ...range, content, ...(usage !== undefined && { usage }) }
    const logged = yield* session.append("synced", ({ phase }) =>
      phase === "none" && isAhead(session.log(), range) ? [{ type: "history/compacted", data }] : [],
    )
    return logged.length === 0 ? undefined : data
  })

/** All that can be compacted: up to the end of the latest step; undefined when nothing has come since the last time. */
export const whole = (log: ReadonlyArray<SessionEvent>): Range | undefined => rangeTo(log, cutsOf(log).at(-1))

/**
 * What is to be compacted when a request was too long: what came before the open turn, else the open turn's steps but
 * the last, else all of them. Each time it covers more; undefined when nothing is left.
 */
export const forRoom = (log: ReadonlyArray<SessionEvent>): Range | undefined => {
  const refused = log.findLast(({ type }) => type === "step/start")?.seq ?? 0
  const turn = log.findLast(({ type }) => type === "turn/start")?.seq ?? 0
  const cuts = cutsOf(log).filter((seq) => seq < refused)
  return rangeTo(log, cuts.findLast((seq) => seq < turn) ?? cuts.at(-2) ?? cuts.at(-1))
}

/** The messages that a range covers; an earlier summary is one of them. */
export const covered = (log: ReadonlyArray<SessionEvent>, { from, to }: Range): ReadonlyArray<Message> => {
  const history = log.reduce(History.next, History.initial)
  return History.messages(history).filter((_, index) => {
    const seq = history.seqs[index] ?? -1
    return seq >= from && seq <= to
  })
}

const lastOf = (log: ReadonlyArray<SessionEvent>): Range | undefined => {
  const last = log.findLast(({ type }) => type === "history/compacted")
  return last?.type === "history/compacted" ? last.data : undefined
}

const isAhead = (log: ReadonlyArray<SessionEvent>, { to }: Range): boolean => to > (lastOf(log)?.to ?? 0)

/** The ends of steps that are not covered yet. */
const cutsOf = (log: ReadonlyArray<SessionEvent>): ReadonlyArray<number> => {
  const done = lastOf(log)?.to ?? 0
  return log.flatMap(({ type, seq }) => (type === "step/end" && seq > done ? [seq] : []))
}

const rangeTo = (log: ReadonlyArray<SessionEvent>, to: number | undefined): Range | undefined =>
  to === undefined ? undefined : { from: lastOf(log)?.from ?? 1, to }
