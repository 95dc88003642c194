/**
 * Break a lawful log at a place that it has, so that it is known which rule says so.
 *
 * In:  a lawful log.      Out: every break of it that this room knows how to make, each with its rule: one at least for
 * every rule over stored logs, where the log has what the rule is about.
 * Not here: the breaks of what a step holds (`breakStep.ts`), small logs that break one rule and no other (`mutant/`).
 */
import type { SessionEvent } from "../event/SessionEvent.ts"
import { type Broken, breakStep, gone, instead, into, twice } from "./breakStep.ts"

export interface Unlawful {
  readonly log: ReadonlyArray<SessionEvent>
  /** Among the rules that are broken; there may be others, since much rests on what is gone. */
  readonly rule: string
  readonly what: string
}

type Log = ReadonlyArray<SessionEvent>

/** A break that is not made yet: most of those of a log never are. */
export interface Break {
  readonly rule: string
  readonly what: string
  readonly make: () => Log
}

/** Every break of a log, by the rules that they break. */
export const breakLog = (log: Log): ReadonlyArray<ReadonlyArray<Break>> => {
  const byRule = new Map<string, Array<Break>>()
  for (const one of breaksOf(log)) {
    const known = byRule.get(one.rule)
    if (known === undefined) byRule.set(one.rule, [one])
    else known.push(one)
  }
  return [...byRule.values()]
}

const breaksOf = (log: Log): ReadonlyArray<Break> =>
  log.flatMap((event, at) => [
    ...[...breakEvent(event), ...breakStep(event, log.slice(at + 1))].map(({ events, rule, what }) => ({
      rule,
      what,
      make: () => renumber([...log.slice(0, at), ...events, ...log.slice(at + 1)]),
    })),
    { rule: "log.seq", what: "a seq that is left out", make: () => skipSeq(log, at) },
  ])

const renumber = (log: Log): Log => log.map((event, seq) => ({ ...event, seq }))

const skipSeq = (log: Log, at: number): Log =>
  log.map((event) => (event.seq < at ? event : { ...event, seq: event.seq + 1 }))

/** An id that no drawn log has. */
const stranger = "of nobody"

const steer: SessionEvent = {
  seq: 0,
  at: 0,
  type: "steering/message",
  data: { messageId: stranger, content: [{ type: "text", text: "Wait." }], source: "draw" },
}

const cancel = ({ at, seq }: SessionEvent, messageIds: ReadonlyArray<string>): SessionEvent => ({
  seq,
  at,
  type: "message/cancelled",
  data: { messageIds, reason: "drawn" },
})

/** What any event can be broken to by what it is, wherever it stands. */
const breakEvent = (event: SessionEvent): ReadonlyArray<Broken> => {
  switch (event.type) {
    case "session/start": {
      const parent = { id: "parent", seq: 0, digest: "of another log" }
      return [
        gone("log.start", "a log without its start"),
        twice(event, "log.start", "a second start"),
        instead({ ...event, data: { ...event.data, parent } }, "fork.prefix", "a fork of another log"),
      ]
    }
    case "session/resume":
      return [twice(event, "log.epoch", "an epoch that does not rise")]
    case "user/message":
    case "steering/message":
    case "context/message":
      return [twice(event, "inbox.unique", "a message that is accepted twice")]
    case "message/cancelled":
      return [twice(event, "inbox.conserves", "a message that is cancelled twice")]
    case "turn/start":
      return breakTurnStart(event)
    case "turn/abort":
      return [twice(event, "turn.abortWins", "a second abort")]
    case "turn/end":
      return breakTurnEnd(event)
    case "history/compacted":
      return [twice(event, "compact.range", "a compaction that covers nothing more")]
    case "drawn:note":
      return [instead({ ...event, data: { place: Number.NaN } }, "log.lossless", "a payload that is no JSON")]
    default:
      return []
  }
}

const breakTurnStart = (event: SessionEvent & { readonly type: "turn/start" }): ReadonlyArray<Broken> => {
  const { claims, turn } = event.data
  const claiming = (others: ReadonlyArray<string>) => ({ ...event, data: { ...event.data, claims: others } })
  const [first] = claims
  return [
    twice(event, "turn.nests", "a turn in a turn"),
    instead(
      { ...event, data: { ...event.data, turn: turn + 1 } },
      "turn.counts",
      "a turn number that is skipped",
    ),
    instead(claiming([stranger, ...claims]), "inbox.conserves", "a claim of what never came"),
    ...(first === undefined
      ? []
      : [
          into(
            "inbox.conserves",
            "a message that is cancelled after it was claimed",
            event,
            cancel(event, [first]),
          ),
        ]),
    ...(claims.length < 2
      ? []
      : [instead(claiming([...claims].reverse()), "inbox.order", "a turn that claims out of order")]),
  ]
}

const breakTurnEnd = (event: SessionEvent & { readonly type: "turn/end" }): ReadonlyArray<Broken> => {
  const { kind } = event.data.reason
  const ending = (other: typeof kind) => ({ ...event, data: { ...event.data, reason: { kind: other } } })
  const extra = { ...event, data: Object.assign({}, event.data, { drawn: true }) }
  return [
    twice(event, "turn.closedIsClosed", "a turn that ends twice"),
    instead(extra, "log.version", "a payload with a key that its version does not have"),
    instead(ending("failed"), "turn.reasonCode", "a failed turn without a code"),
    instead(
      ending(kind === "aborted" ? "interrupted" : "aborted"),
      "turn.abortWins",
      "a turn that does not end as it was aborted, or not",
    ),
    ...(kind === "completed"
      ? [into("inbox.noForgottenSteer", "a completed turn that leaves steering", steer, event)]
      : []),
  ]
}
