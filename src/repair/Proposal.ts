/**
 * Propose a lawful log in place of one that is not: its longest lawful beginning, closed as after a crash.
 *
 * In:  the bytes of a log, to be read more than once; the rules, the time of the repair, and the log of the parent of a fork.
 * Out: `Proposed`, with the kept events as a stream; nothing is written, and no log is held whole.
 * Fails with: `UnsupportedLogVersion`, and what reading fails with. Where nothing lawful is left, `kept` is 0 and `remains` says why.
 * A repair numbers nothing anew and makes up nothing that a model or a tool said: what follows on a fault is left out.
 * Not here: finding rows in broken bytes (`store/Salvage.ts`), closing turns and answering calls (`recovery/Recovery.ts`).
 */
import { Effect, Result, Stream } from "effect"
import type { Rule } from "../contract/Rule.ts"
import * as EventCodec from "../event/EventCodec.ts"
import { UnsupportedLogVersion } from "../event/EventError.ts"
import { type EventDraft, type Payload, type SessionEvent, version } from "../event/SessionEvent.ts"
import type { LogViolation } from "../invariant/Verifier.ts"
import * as Recovery from "../recovery/Recovery.ts"
import type * as SessionState from "../session/SessionState.ts"
import * as Conflict from "./Conflict.ts"
import { type Choice, choose } from "./choose.ts"
import { advance, eventsOf, type Judged, judge, type Start } from "./judge.ts"
import { ordered, type Survey, survey } from "./ordered.ts"

export interface Source<E, R> {
  readonly bytes: Stream.Stream<Uint8Array, E, R>
  /** The log of the session of this id, when it can be found. */
  readonly find: (id: string) => Effect.Effect<Stream.Stream<Uint8Array, E, R> | undefined, never, R>
  readonly rules: ReadonlyArray<Rule>
  /** When the events that are missing are said to have happened. */
  readonly at: number
}

/** What of the old log is not in the new one. */
export interface LeftOut {
  /** Where in the old file, or which events. */
  readonly what: string
  readonly reason: string
}

export interface Proposal {
  /** How many of its events stand there already. */
  readonly kept: number
  /** Which of them are the parent's, because the fork no longer has them as they were. */
  readonly fromParent?: { readonly id: string; readonly from: number; readonly to: number }
  /** What follows on them: results for open calls, the ends of a step and a turn. */
  readonly added: ReadonlyArray<SessionEvent>
  readonly leftOut: ReadonlyArray<LeftOut>
  /** Within what is kept. */
  readonly conflicts: ReadonlyArray<Conflict.Conflict>
  /** Why there is no new log. */
  readonly remains: ReadonlyArray<LogViolation>
  /** The old log is whole and lawful, and no turn is open. */
  readonly isUnneeded: boolean
}

/** A proposal with the events that are kept; each run of them reads the log anew. */
export interface Proposed<E, R> extends Proposal {
  readonly events: Stream.Stream<ReadonlyArray<SessionEvent>, E, R>
}

export const propose = Effect.fnUntraced(function* <E, R>(source: Source<E, R>) {
  const { bytes, rules, at } = source
  const stock = yield* survey(bytes)
  if (stock.version > version) return yield* ofLaterVersion(stock.version)
  const whole = stock.missing(0)
  const rivals = stock.rivals()
  const choice = yield* choose(ordered(bytes, { from: 0, below: whole }), rivals, rules)
  const instead = Conflict.insteadOf(choice)
  const judged = yield* judge(ordered(bytes, { from: 0, below: whole, instead }), rules)
  const { kept, start } = judged
  const conflicts = Conflict.within({ from: 0, below: kept }, rivals, choice)
  const lostOnes = Conflict.within({ from: kept, below: Number.POSITIVE_INFINITY }, rivals, choice)
  const leftOut = [
    ...unreadIn(stock),
    ...conflicts.map(Conflict.toLeftOut),
    ...lostOnes.map(Conflict.toNeither),
    ...cutBehind(judged, whole),
    ...standingBehind(stock, whole),
  ]
  if (start === undefined) return noneOf(leftOut, lost(judged))
  const { parent } = start.data
  if (parent !== undefined && kept <= parent.seq)
    return yield* mend(source, stock, { ...judged, start, choice }, parent)
  const closed = close(judged, [], at)
  const isUnneeded = closed.added.length === 0 && leftOut.length === 0 && stock.isInOrder()
  const events = ordered(bytes, { from: 0, below: kept, instead })
  return { kept, events, leftOut, conflicts, ...closed, isUnneeded } satisfies Proposed<E, R>
})

type Parent = NonNullable<Payload<"session/start">["parent"]>

/** A fork that lost of what it shares with its parent has that from there, if that still is what was forked. */
const mend = Effect.fnUntraced(function* <E, R>(
  { bytes, find, rules, at }: Source<E, R>,
  stock: Survey,
  own: Judged & { readonly start: Start; readonly choice: Choice },
  { id, seq }: Parent,
) {
  const shared = yield* find(id)
  const after = seq + 1
  const whole = Math.max(stock.missing(after), after)
  const upTo = (below: number, instead: ReadonlyMap<number, SessionEvent> = new Map()) =>
    Stream.make([own.start]).pipe(
      Stream.concat(ordered(shared ?? Stream.empty, { from: 1, below: Math.min(after, below) })),
      Stream.concat(ordered(bytes, { from: after, below, instead })),
    )
  const rivals = stock.rivals()
  const ofOwn = rivals.filter(({ seqs }) => seqs.some((one) => one > seq))
  const choice = yield* choose(upTo(whole), ofOwn, rules)
  const instead = Conflict.insteadOf(choice)
  const judged = yield* judge(upTo(whole, instead), rules)
  const why = shared === undefined ? "is not beside it" : "no longer has what was forked"
  const fault = own.fault === undefined ? [] : [because(`seq 1 to ${seq} as they stand here`, own.fault)]
  const shares = Conflict.within({ from: 1, below: after }, rivals, own.choice)
  const leftOut = [...unreadIn(stock), ...shares.map(Conflict.toNeither), ...fault]
  if (judged.kept <= seq) return noneOf(leftOut, sharedFault(own, judged) ?? noParent(own, { id, seq }, why))
  const cancelled = stock.behind(after) === undefined ? cancel(judged.state, id) : []
  const closed = close(judged, cancelled, at)
  const conflicts = [
    ...Conflict.within({ from: 0, below: 1 }, rivals, own.choice),
    ...Conflict.within({ from: after, below: judged.kept }, ofOwn, choice),
  ]
  const lostOnes = Conflict.within({ from: judged.kept, below: Number.POSITIVE_INFINITY }, ofOwn, choice)
  const rest = [
    ...conflicts.map(Conflict.toLeftOut),
    ...lostOnes.map(Conflict.toNeither),
    ...cutBehind(judged, whole),
    ...standingBehind(stock, whole),
  ]
  return {
    kept: judged.kept,
    events: upTo(judged.kept, instead),
    fromParent: { id, from: 1, to: seq },
    leftOut: [...leftOut, ...rest],
    conflicts,
    ...closed,
    isUnneeded: false,
  } satisfies Proposed<E, R>
})

const ofLaterVersion = (found: number): UnsupportedLogVersion =>
  new UnsupportedLogVersion({
    found,
    supported: version,
    message: `the log is of version ${found}; this program repairs version ${version}`,
  })

const noneOf = (leftOut: ReadonlyArray<LeftOut>, reason: LogViolation): Proposed<never, never> => ({
  kept: 0,
  events: Stream.empty,
  added: [],
  leftOut,
  conflicts: [],
  remains: [reason],
  isUnneeded: false,
})

const lost = ({ fault }: Judged): LogViolation =>
  fault?.seq === 0
    ? fault
    : { rule: "log.start", seq: 0, message: "its session/start is gone: no event can be kept" }

/** A break that the parent has as well; of the prefix itself it says only that the parent is another now. */
const sharedFault = ({ fault: own }: Judged, { fault }: Judged): LogViolation | undefined =>
  fault === undefined || fault.rule === "fork.prefix" || own?.rule !== fault.rule || own.seq !== fault.seq
    ? undefined
    : { ...fault, message: `${fault.message}; its parent has that too` }

const noParent = (
  { kept, fault }: Judged,
  { id, seq }: Pick<Parent, "id" | "seq">,
  why: string,
): LogViolation => {
  const what =
    fault === undefined
      ? "it broke off while it was made"
      : "the fault is within what it shares with its parent"
  const message = `${what}, before seq ${seq}, and the log of its parent ${id} ${why}: fork that one again`
  return { rule: "fork.prefix", seq: kept, message }
}

const unreadIn = (stock: Survey): ReadonlyArray<LeftOut> =>
  stock.gaps().map(({ line, byteOffset, byteLength, reason }) => ({
    what: `line ${line}, byte ${byteOffset} (${byteLength} bytes)`,
    reason,
  }))

const cutBehind = ({ kept, fault }: Judged, whole: number): ReadonlyArray<LeftOut> =>
  fault === undefined ? [] : [because(`seq ${kept} to ${whole - 1}`, fault)]

const because = (what: string, { rule, seq, message }: LogViolation): LeftOut => ({
  what,
  reason: `${rule} at seq ${seq}: ${message}`,
})

const standingBehind = (stock: Survey, whole: number): ReadonlyArray<LeftOut> => {
  const rest = stock.behind(whole)
  const reason = "these events can be read, and those before them are missing"
  return rest === undefined ? [] : [{ what: `seq ${rest.from} to ${rest.to}`, reason }]
}

/** The parent serves what nothing had claimed, as whoever forks is told unless he asks for it. */
const cancel = ({ pending }: SessionState.SessionState, id: string): ReadonlyArray<EventDraft> => {
  const messageIds = pending.map(({ messageId }) => messageId)
  const reason = `session ${id} was forked before they were served`
  return messageIds.length === 0 ? [] : [{ type: "message/cancelled", data: { messageIds, reason } }]
}

/** What a crash at the end of these events would have left to write, behind what else is to be. */
const close = (judged: Judged, first: ReadonlyArray<EventDraft>, at: number) => {
  const { kept, state, course } = judged
  const added = [...first, ...Recovery.repair(state, eventsOf(judged))].map((draft, index) =>
    Result.getOrThrow(EventCodec.fromDraft(draft, kept + index, at, new Map())),
  )
  const remains: Array<LogViolation> = []
  added.reduce((after, event) => advance(after, event, remains), course)
  return { added, remains }
}
