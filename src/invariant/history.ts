/**
 * The rules of the groups compact, history and fork: what a model reads is what the log derives, in whole pairs; and a
 * fork begins with what it says it was forked from.
 *
 * In:  nothing.      Out: `rules`, and `liveRules`, which need the running process.
 * Not here: the derivation (`session/History.ts`).
 */
import * as Ancestry from "../contract/Ancestry.ts"
import { Broken, type EventOf, live, make, type Rule } from "../contract/Rule.ts"
import { isSame } from "../contract/Sameness.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import * as Digest from "../message/Digest.ts"
import type { Message } from "../message/Message.ts"
import * as History from "../session/History.ts"
import type { Observation } from "./Observation.ts"

/** The steps of the log, the latest first: constant time and shared between the states of the fold. */
interface Spans {
  readonly start: number
  readonly end: number
  readonly before: Spans | undefined
}

interface Compacted {
  /** Of the latest compaction. */
  readonly covered: { readonly from: number; readonly to: number } | undefined
  readonly spans: Spans | undefined
  readonly stepStart: number
}

const compactRange = make<Compacted, "step/start" | "step/end" | "history/compacted">({
  id: "compact.range",
  statement:
    "A compaction covers whole steps of the past, from where the one before it began, and more than that.",
  hint: "Compact between steps; keep `from`, and move `to` to the end of a later step.",
  on: ["step/start", "step/end", "history/compacted"],
  initial: { covered: undefined, spans: undefined, stepStart: 0 },
  step: (state, event, place) => {
    const { covered, spans, stepStart } = state
    switch (event.type) {
      case "step/start":
        return { covered, spans, stepStart: event.seq }
      case "step/end":
        return { covered, spans: { start: stepStart, end: event.seq, before: spans }, stepStart }
      case "history/compacted": {
        const { from, to } = event.data
        const next = { covered: { from, to }, spans, stepStart }
        const wrong =
          place.step > 0 ? `a compaction comes inside step ${place.step}` : rangeFault(state, event)
        return wrong === undefined ? next : new Broken(next, [wrong])
      }
    }
  },
})

const rangeFault = (
  { covered, spans }: Compacted,
  event: EventOf<"history/compacted">,
): string | undefined => {
  const { from, to } = event.data
  if (from > to || to >= event.seq) return `seq ${from} to ${to} is no part of the past`
  if (covered && from !== covered.from) return `it begins at seq ${from}, the one before at ${covered.from}`
  if (covered && to <= covered.to) return `it ends at seq ${to}, the one before already at ${covered.to}`
  for (let span = spans; span !== undefined && span.end >= from; span = span.before) {
    if (span.start < from) return `seq ${from} cuts the step from ${span.start} to ${span.end}`
    if (span.start <= to && to < span.end) return `seq ${to} cuts the step from ${span.start} to ${span.end}`
  }
  return undefined
}

const paired = make<ReadonlyArray<string>, "assistant/message" | "tool/result" | "step/start">({
  id: "history.paired",
  statement: "When a model is asked, every call in its history is followed by its result.",
  hint: "Providers refuse a history with an unanswered call for good: give the call a result before the next step.",
  on: ["assistant/message", "tool/result", "step/start"],
  initial: [],
  step: (unanswered, event) => {
    switch (event.type) {
      case "assistant/message": {
        const calls = event.data.content.filter((block) => block.type === "tool-call")
        return calls.length === 0 ? unanswered : [...unanswered, ...calls.map(({ callId }) => callId)]
      }
      case "tool/result":
        return unanswered.filter((callId) => callId !== event.data.callId)
      case "step/start": {
        if (unanswered.length === 0) return unanswered
        const left = [...new Set(unanswered)].sort().join(", ")
        return new Broken([], [`the request of step ${event.data.step} carries no result of ${left}`])
      }
    }
  },
})

/** What requests carried and what the log derived, message by message, as far as they were found equal. */
interface Requested {
  readonly history: History.History
  readonly told: ReadonlyArray<Message>
  readonly derived: ReadonlyArray<Message>
}

const request = live<Requested, Observation>({
  id: "history.request",
  statement: "A request carries the history that the log derives.",
  hint: "Take the messages from the session when the step starts; what a hook changes is not history.",
  initial: { history: History.initial, told: [], derived: [] },
  step: (state, observation) => {
    if (observation.kind === "logged") {
      const { history } = observation
      return history === state.history ? state : { history, told: state.told, derived: state.derived }
    }
    if (observation.kind !== "request") return state
    const told = observation.messages
    const derived = History.messages(state.history)
    const differs = firstDifference(state, told, derived)
    if (differs !== undefined)
      return new Broken(state, [`message ${differs} of the request is not what the log derives`])
    const next = { history: state.history, told, derived }
    if (told.length === derived.length) return next
    return new Broken(next, [
      `the request carries ${told.length} messages, the log derives ${derived.length}`,
    ])
  },
})

/** Messages are frozen and projected once, so a pair that was equal still is; where both lists only grew, all known pairs are. */
const firstDifference = (
  known: Requested,
  told: ReadonlyArray<Message>,
  derived: ReadonlyArray<Message>,
): number | undefined => {
  const bothGrew = History.isContinued(known.told, told) && History.isContinued(known.derived, derived)
  for (let at = bothGrew ? known.told.length : 0; at < told.length; at++) {
    if (told[at] === known.told[at] && derived[at] === known.derived[at]) continue
    if (!isSame(told[at], derived[at])) return at
  }
  return undefined
}

interface Replayed {
  readonly history: History.History
  /** Grows, shared by all states; each sees the first `size` events only. */
  readonly log: Array<SessionEvent>
  readonly size: number
  readonly checkAt: number
}

/** Units: events. Logs shorter than this are replayed once, when the session closes. */
const firstCheckAt = 64

const replay = live<Replayed, Observation>({
  id: "history.replay",
  statement: "The history that grew with the log is the one that the whole log derives.",
  hint: "A logged event was changed after it was logged, or deriving depends on more than the event.",
  initial: { history: History.initial, log: [], size: 0, checkAt: firstCheckAt },
  step: (state, observation) => {
    if (observation.kind === "logged") {
      const { event, history } = observation
      return { history, log: withEvent(state, event), size: state.size + 1, checkAt: state.checkAt }
    }
    // Whenever the log has grown fourfold, so that the cost stays constant for an event; and once at the end.
    const closes = observation.kind === "status" && observation.to === "disposed"
    if (!closes && (observation.kind !== "request" || state.size < state.checkAt)) return state
    const next = { ...state, checkAt: state.size * 4 }
    return isSame(History.messages(state.history), History.deriveMessages(state.log.slice(0, state.size)))
      ? next
      : new Broken(next, [`the history of ${state.size} events is not what they derive now`])
  },
})

const withEvent = ({ log, size }: Replayed, event: SessionEvent): Array<SessionEvent> => {
  // An older state that goes another way, as after a refused batch, takes a copy; so does the first, which all sessions share.
  const all = size > 0 && log.length === size ? log : log.slice(0, size)
  all.push(event)
  return all
}

interface Prefix {
  readonly parent: { readonly id: string; readonly seq: number; readonly digest: string }
  /** Of the canonical lines so far. */
  readonly digest: Digest.Growing
}

const forkPrefix = make<Prefix | undefined>({
  id: "fork.prefix",
  statement:
    "The events of a fork up to its parent's seq are the parent's, as the digest of session/start says.",
  mode: "O",
  hint: "Fork with Fork.fork, and never change the copied events; the parent's log has the true ones.",
  initial: undefined,
  step: (state, event) => {
    if (event.type === "session/start") {
      const { parent } = event.data
      if (parent === undefined) return undefined
      const digest = Digest.growing()
      return parent.seq > 0 ? { parent, digest } : judge(parent, digest)
    }
    if (state === undefined) return state
    const digest = state.digest.add(Ancestry.lineOf(event))
    return event.seq >= state.parent.seq ? judge(state.parent, digest) : { ...state, digest }
  },
})

const judge = ({ id, seq, digest }: Prefix["parent"], found: Digest.Growing) =>
  found.end() === digest
    ? undefined
    : new Broken(undefined, [`the events 1 to ${seq} are not those of ${id} that were forked`])

export const rules: ReadonlyArray<Rule> = [compactRange, paired, forkPrefix]

export const liveRules: ReadonlyArray<Rule<Observation>> = [replay, request]
