/**
 * Propose a lawful log in place of one that is not: its longest lawful beginning, closed as after a crash.
 *
 * In:  the bytes of a log, and the time of the repair.      Out: `Proposal`; nothing is written.
 * Fails with: `UnsupportedLogVersion`. Where nothing lawful is left, `events` is empty and `remains` says why.
 * A repair numbers nothing anew and makes up nothing that a model or a tool said: what follows on a fault is left out.
 * Not here: reading broken bytes (`store/Salvage.ts`), closing turns and answering calls (`recovery/Recovery.ts`).
 */
import { Result } from "effect"
import * as EventCodec from "../event/EventCodec.ts"
import { UnsupportedLogVersion } from "../event/EventError.ts"
import { type SessionEvent, version } from "../event/SessionEvent.ts"
import * as Verifier from "../invariant/Verifier.ts"
import * as Recovery from "../recovery/Recovery.ts"
import * as SessionState from "../session/SessionState.ts"
import * as LogFile from "../store/LogFile.ts"
import { salvage } from "../store/Salvage.ts"

/** What of the old log is not in the new one. */
export interface LeftOut {
  /** Where in the old file, or which events. */
  readonly what: string
  readonly reason: string
}

export interface Proposal {
  /** The new log. */
  readonly events: ReadonlyArray<SessionEvent>
  /** How many of them are those of the old log. */
  readonly kept: number
  /** The rest: results for open calls, the ends of a step and a turn. */
  readonly added: ReadonlyArray<SessionEvent>
  readonly leftOut: ReadonlyArray<LeftOut>
  /** Why there is no new log. */
  readonly remains: ReadonlyArray<Verifier.LogViolation>
  /** The old log is whole and lawful, and no turn is open. */
  readonly isUnneeded: boolean
}

export const propose = (bytes: Uint8Array, at: number): Result.Result<Proposal, UnsupportedLogVersion> => {
  const read = salvage(bytes)
  if (read.version > version) return Result.fail(ofLaterVersion(read.version))
  const whole = read.events.slice(0, read.unbroken)
  const [fault] = Verifier.verify(whole)
  const kept = fault === undefined ? whole : whole.slice(0, fault.seq)
  const leftOut = [
    ...read.gaps.map(({ line, byteOffset, byteLength, reason }) => ({
      what: `line ${line}, byte ${byteOffset} (${byteLength} bytes)`,
      reason,
    })),
    ...cutBehind(kept, whole, fault),
    ...rest(read.events.slice(read.unbroken)),
  ]
  const dead = deadEnd(kept, fault)
  if (dead !== undefined)
    return Result.succeed({ events: [], kept: 0, added: [], leftOut, remains: dead, isUnneeded: false })
  const added = close(kept, at)
  const events = [...kept, ...added]
  const isUnneeded = added.length === 0 && leftOut.length === 0 && isInOrder(bytes)
  return Result.succeed({
    events,
    kept: kept.length,
    added,
    leftOut,
    remains: Verifier.verify(events),
    isUnneeded,
  })
}

const ofLaterVersion = (found: number): UnsupportedLogVersion =>
  new UnsupportedLogVersion({
    found,
    supported: version,
    message: `the log is of version ${found}; this program repairs version ${version}`,
  })

const cutBehind = (
  kept: ReadonlyArray<SessionEvent>,
  whole: ReadonlyArray<SessionEvent>,
  fault: Verifier.LogViolation | undefined,
): ReadonlyArray<LeftOut> =>
  fault === undefined
    ? []
    : [
        {
          what: `seq ${kept.length} to ${whole.length - 1}`,
          reason: `${fault.rule} at seq ${fault.seq}: ${fault.message}`,
        },
      ]

const rest = (behind: ReadonlyArray<SessionEvent>): ReadonlyArray<LeftOut> => {
  const [first] = behind
  const last = behind.at(-1)
  return first === undefined || last === undefined
    ? []
    : [
        {
          what: `seq ${first.seq} to ${last.seq}`,
          reason: "these events can be read, and those before them are missing",
        },
      ]
}

/** Where no beginning of the log is a log: it has none, or a fork no longer holds what it was forked from. */
const deadEnd = (
  kept: ReadonlyArray<SessionEvent>,
  fault: Verifier.LogViolation | undefined,
): ReadonlyArray<Verifier.LogViolation> | undefined => {
  const [first] = kept
  if (first?.type !== "session/start") {
    const lost = { rule: "log.start", seq: 0, message: "its session/start is gone: no event can be kept" }
    return [fault?.seq === 0 ? fault : lost]
  }
  const { parent } = first.data
  if (parent === undefined || kept.length > parent.seq) return undefined
  const message = `the fault is within what it shares with its parent ${parent.id}: fork that one again`
  return [{ rule: "fork.prefix", seq: kept.length, message }]
}

/** What a crash at the end of these events would have left to write. */
const close = (kept: ReadonlyArray<SessionEvent>, at: number): ReadonlyArray<SessionEvent> => {
  const state = kept.reduce(SessionState.next, SessionState.initial)
  return Recovery.repair(state, kept).map((draft, index) =>
    Result.getOrThrow(EventCodec.fromDraft(draft, kept.length + index, at, new Map())),
  )
}

/** Whether the lines stand in the order of their events, to the last byte. */
const isInOrder = (bytes: Uint8Array): boolean => {
  const log = LogFile.parse(bytes)
  if (Result.isFailure(log)) return false
  return (
    log.success.wholeBytes === bytes.length && log.success.events.every(({ seq }, index) => seq === index)
  )
}
