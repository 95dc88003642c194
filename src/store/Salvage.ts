/**
 * What can still be read of a log, however broken it is, and what cannot.
 *
 * In:  the bytes of a log.      Out: every intact event, by seq; every gap, by place. Nothing intact is left out unnamed.
 * Fails with: nothing. The result need not be lawful: a log with gaps is to be looked at, or to begin a new one with.
 * Not here: opening logs (`LogFile.ts`, which stops at the first line that it cannot read), the order of events (`contract/`).
 */
import { Result } from "effect"
import { type SessionEvent, version } from "../event/SessionEvent.ts"
import { lengthOfBom, lineFeed, readLine, versionOf } from "./readLine.ts"
import type { Place } from "./SessionStore.ts"

/** Events that are gone, or bytes that say nothing. */
export interface Gap extends Place {
  /** Units: bytes that are left out; 0 where events are missing without a trace. */
  readonly byteLength: number
  /** The events that are missing here, first and last; absent when it cannot be told. */
  readonly seqs?: { readonly from: number; readonly to: number }
  readonly reason: string
}

export interface Salvage {
  /** The version that the log names, or the present one when it names none. */
  readonly version: number
  /** Each seq once, ascending. What a later version wrote comes as in `LogFile.view`. */
  readonly events: ReadonlyArray<SessionEvent>
  readonly gaps: ReadonlyArray<Gap>
  /** How many events there are before the first that is missing: so many can be gone on with. */
  readonly unbroken: number
}

/** Read what can be read. */
export const salvage = (bytes: Uint8Array): Salvage => {
  const work = salvageInSteps(bytes)
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value
}

/** Units: bytes that are read between two pauses, at the least. */
const stepBytes = 2 ** 18

/**
 * The same with pauses, in which it can be stopped. Units: bytes that were read since the last pause.
 */
export const salvageInSteps = function* (bytes: Uint8Array): Generator<number, Salvage> {
  const logVersion = versionOf(bytes)?.found ?? version
  const kept = new Map<number, { readonly event: SessionEvent; readonly place: Place }>()
  const unread: Array<Gap> = []
  const repeats: Array<Gap> = []
  let readBytes = 0
  for (const piece of piecesOf(bytes, logVersion)) {
    readBytes += piece.bytes.length + 1
    if (readBytes >= stepBytes) {
      yield readBytes
      readBytes = 0
    }
    if (Result.isFailure(piece.read)) {
      unread.push({ ...piece.place, byteLength: piece.bytes.length, reason: piece.read.failure.message })
      continue
    }
    const twice = piece.read.success.filter((event) => kept.has(event.seq))
    for (const event of piece.read.success) {
      if (!kept.has(event.seq)) kept.set(event.seq, { event, place: piece.place })
    }
    if (twice.length > 0) repeats.push(repeated(piece, twice))
  }
  const found = [...kept.values()].sort((a, b) => a.event.seq - b.event.seq)
  const { gaps, unbroken } = nameHoles(found, unread)
  const named = [...gaps, ...repeats].sort((a, b) => a.byteOffset - b.byteOffset)
  return { version: logVersion, events: found.map(({ event }) => event), gaps: named, unbroken }
}

interface Piece {
  readonly place: Place
  readonly bytes: Uint8Array
  readonly read: ReturnType<typeof readLine>
}

const repeated = ({ place, bytes }: Piece, twice: ReadonlyArray<SessionEvent>): Gap => ({
  ...place,
  byteLength: bytes.length,
  reason: `seq ${twice.map((event) => event.seq).join(", ")} stands earlier in the log; what stands here is left out`,
})

/** Lines, or where a line cannot be read, the rows that begin within it. The last line may lack its line feed. */
const piecesOf = function* (bytes: Uint8Array, logVersion: number): Generator<Piece> {
  let start = lengthOfBom(bytes)
  for (let line = 1; start < bytes.length; line++) {
    const feed = bytes.indexOf(lineFeed, start)
    const end = feed === -1 ? bytes.length : feed
    yield* piecesOfLine(bytes.subarray(start, end), { line, byteOffset: start }, logVersion, feed === -1)
    start = end + 1
  }
}

const piecesOfLine = function* (
  bytes: Uint8Array,
  place: Place,
  logVersion: number,
  isUnfinished: boolean,
): Generator<Piece> {
  const whole = readLine(bytes, logVersion)
  if (Result.isSuccess(whole)) return yield { place, bytes, read: whole }
  const starts = findRows(bytes)
  for (const [index, from] of starts.entries()) {
    const part = bytes.subarray(from, starts[index + 1] ?? bytes.length)
    const read = starts.length === 1 ? whole : readLine(part, logVersion)
    const why = isUnfinished && index === starts.length - 1 ? unfinished : (text: string) => text
    yield {
      place: { ...place, byteOffset: place.byteOffset + from },
      bytes: part,
      read: Result.mapError(read, ({ rule, message }) => ({ rule, message: why(message) })),
    }
  }
}

const unfinished = (message: string) => `the log ends within the line; ${message}`

const rowStart = new TextEncoder().encode('{"seq":')

/** Where rows may begin within a line: at its start, and wherever it looks so. Within strings the quotes are escaped. */
const findRows = (bytes: Uint8Array): ReadonlyArray<number> => {
  const starts = [0]
  for (let at = bytes.indexOf(0x7b, 1); at !== -1; at = bytes.indexOf(0x7b, at + 1)) {
    if (rowStart.every((byte, index) => bytes[at + index] === byte)) starts.push(at)
  }
  return starts
}

interface Found {
  readonly event: SessionEvent
  readonly place: Place
}

/** Events that are missing between two that were found. */
interface Hole {
  readonly seqs: { readonly from: number; readonly to: number }
  /** Units: bytes from the start of the file; of the event before, or -1. */
  readonly after: number
  /** Of the event that comes next. */
  readonly next: Place
}

const findHoles = (found: ReadonlyArray<Found>) => {
  const holes: Array<Hole> = []
  let unbroken = found.length
  let due = 0
  let after = -1
  for (const [index, { event, place }] of found.entries()) {
    if (event.seq > due) {
      unbroken = Math.min(unbroken, index)
      holes.push({ seqs: { from: due, to: event.seq - 1 }, after, next: place })
    }
    due = event.seq + 1
    after = place.byteOffset
  }
  return { holes, unbroken }
}

/** Give each hole in the numbers to the unreadable bytes that lie between its neighbours, or to a gap of its own. */
const nameHoles = (found: ReadonlyArray<Found>, unread: ReadonlyArray<Gap>) => {
  const { holes, unbroken } = findHoles(found)
  const gaps = [...unread]
  // Both are gone through once, in the order of the file: bytes that lie before one hole lie before those that follow.
  let at = 0
  for (const { seqs, after, next } of holes.toSorted((a, b) => a.after - b.after)) {
    while ((unread[at]?.byteOffset ?? Number.POSITIVE_INFINITY) <= after) at++
    const gap = unread[at]
    if (gap === undefined || gap.byteOffset >= next.byteOffset)
      gaps.push({ ...next, byteLength: 0, seqs, reason: missing(seqs) })
    else gaps[at++] = { ...gap, seqs }
  }
  return { gaps, unbroken }
}

const missing = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  from === to ? `the event ${from} is missing` : `the events ${from} to ${to} are missing`
