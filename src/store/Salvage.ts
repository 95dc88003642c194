/**
 * What can still be read of a log, however broken it is, and what cannot.
 *
 * In:  the bytes of a log, whole or piece by piece.      Out: every intact event, by seq; every gap, by place. Nothing intact
 * is left out unnamed. A survey holds no events: what it holds grows with the faults of a log, not with its length.
 * Fails with: nothing. The result need not be lawful: a log with gaps is to be looked at, or to begin a new one with.
 * Not here: opening logs (`LogFile.ts`, which stops at the first line that it cannot read), the order of events (`contract/`).
 */
import { Result } from "effect"
import type { Refusal } from "../event/EventCodec.ts"
import * as JsonCopy from "../event/JsonCopy.ts"
import { type SessionEvent, version } from "../event/SessionEvent.ts"
import * as Digest from "../message/Digest.ts"
import { lineFeed, readLine, splitLines, versionOfLine } from "./readLine.ts"
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
  const rows = openRows(Number.POSITIVE_INFINITY)
  const survey = openSurvey()
  const kept: Array<SessionEvent> = []
  let toldBytes = 0
  for (const row of rowsOf(bytes, rows)) {
    for (const event of survey.take(row)) kept.push(event)
    const doneBytes = row.place.byteOffset + row.byteLength
    if (doneBytes - toldBytes < stepBytes) continue
    yield doneBytes - toldBytes
    toldBytes = doneBytes
  }
  if (survey.hasRepeats()) {
    for (const row of rowsOf(bytes, openRows(Number.POSITIVE_INFINITY))) survey.compare(row)
  }
  const events = kept.sort((a, b) => a.seq - b.seq)
  const gaps = [...survey.gaps(), ...survey.rivals().map(leftOut)].sort(byPlace)
  return { version: rows.version(), events, gaps, unbroken: survey.missing(0) }
}

const leftOut = ({ first, seqs, events: _, ...place }: Rival): Gap => ({
  ...place,
  reason: `two different rows of seq ${seqs.join(", ")}: line ${first.line} has the one that is kept; what stands here is left out`,
})

const byPlace = (a: Place, b: Place): number => a.byteOffset - b.byteOffset

const rowsOf = function* (bytes: Uint8Array, rows: OpenRows): Generator<Row> {
  yield* rows.push(bytes)
  yield* rows.end()
}

/** A row that can be read, or bytes that cannot. */
export interface Row {
  readonly place: Place
  /** Units: bytes. */
  readonly byteLength: number
  readonly read: Result.Result<ReadonlyArray<SessionEvent>, Refusal>
  /** Whether it is one whole line of the log. */
  readonly isLine: boolean
}

export interface OpenRows {
  readonly push: (bytes: Uint8Array) => Iterable<Row>
  /** What stands behind the last line feed. */
  readonly end: () => Iterable<Row>
  /** The version that the log names, or the present one while it has named none. */
  readonly version: () => number
}

/**
 * Find the rows in the bytes of a log that come piece by piece: lines, or where a line cannot be read, the rows that begin
 * within it. The last line may lack its line feed. A line of more than `longestBytes` is not read.
 */
export const openRows = (longestBytes: number): OpenRows => {
  const splitter = splitLines(longestBytes)
  let logVersion = version
  const push = function* (bytes: Uint8Array, isUnfinished = false): Generator<Row> {
    for (const { place, text, byteLength } of splitter.push(bytes)) {
      if (isUnfinished && byteLength === 0) return
      if (place.line === 1 && !isUnfinished) logVersion = versionOfLine(text)?.found ?? version
      if (byteLength > longestBytes) yield tooLong(place, byteLength, longestBytes)
      else yield* rowsOfLine(text, place, logVersion, isUnfinished)
    }
  }
  return {
    push: (bytes) => push(bytes),
    end: () => (splitter.heldBytes() === 0 ? [] : push(new Uint8Array([lineFeed]), true)),
    version: () => logVersion,
  }
}

const tooLong = (place: Place, byteLength: number, longestBytes: number): Row => {
  const message = `the line has ${byteLength} bytes and is not read: at most ${longestBytes} are`
  return { place, byteLength, read: Result.fail({ rule: "log.lossless", message }), isLine: true }
}

const rowsOfLine = function* (
  bytes: Uint8Array,
  place: Place,
  logVersion: number,
  isUnfinished: boolean,
): Generator<Row> {
  const whole = readLine(bytes, logVersion)
  const isLine = !isUnfinished
  if (Result.isSuccess(whole)) return yield { place, byteLength: bytes.length, read: whole, isLine }
  const starts = findRows(bytes)
  for (const [index, from] of starts.entries()) {
    const part = bytes.subarray(from, starts[index + 1] ?? bytes.length)
    const read = starts.length === 1 ? whole : readLine(part, logVersion)
    const why = isUnfinished && index === starts.length - 1 ? unfinished : (text: string) => text
    yield {
      place: { ...place, byteOffset: place.byteOffset + from },
      byteLength: part.length,
      read: Result.mapError(read, ({ rule, message }) => ({ rule, message: why(message) })),
      isLine: isLine && starts.length === 1,
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

/** Events without a gap between them, and where the first and the last of them stand. */
interface Run {
  readonly from: number
  to: number
  readonly first: Place
  last: Place
}

/** A row with other events than those of the same seqs that stand earlier. */
export interface Rival extends Place {
  /** Units: bytes. */
  readonly byteLength: number
  /** Where the first event of the first of these seqs stands. */
  readonly first: Place
  readonly seqs: ReadonlyArray<number>
  readonly events: ReadonlyMap<number, SessionEvent>
}

export interface OpenSurvey {
  /** Take the next row; gives the events of it that do not stand earlier. */
  readonly take: (row: Row) => ReadonlyArray<SessionEvent>
  /** Whether some events stand earlier: then all rows are to be compared, which tells copies from rivals. */
  readonly hasRepeats: () => boolean
  /** Look at a row for the second time, when all have been taken, in the same order. */
  readonly compare: (row: Row) => void
  readonly rivals: () => ReadonlyArray<Rival>
  /** Without the rivals that are known. */
  readonly gaps: () => ReadonlyArray<Gap>
  /** The first seq from this one on that is missing. */
  readonly missing: (from: number) => number
  /** The first and the last event from this seq on. */
  readonly behind: (seq: number) => { readonly from: number; readonly to: number } | undefined
  /** Whether the log is whole lines that stand in the order of their events, and no more. */
  readonly isInOrder: () => boolean
}

/** Take stock of the rows of a log, one after the other. */
export const openSurvey = (): OpenSurvey => {
  /** By seq; no two touch. */
  const runs: Array<Run> = []
  const unread: Array<Gap> = []
  const repeats: Array<Repeat> = []
  let comparison: ReturnType<typeof openComparison> | undefined
  let isInOrder = true

  /** Remember an event; false when it stands earlier in the log. */
  const add = ({ seq }: SessionEvent, place: Place): boolean => {
    const next = indexAfter(runs, seq)
    const [before, after] = [runs[next - 1], runs[next]]
    if (before !== undefined && before.to >= seq) return false
    isInOrder &&= after === undefined && seq === (before === undefined ? 0 : before.to + 1)
    const run = before?.to === seq - 1 ? before : { from: seq, to: seq, first: place, last: place }
    run.to = seq
    run.last = place
    if (run !== before) runs.splice(next, 0, run)
    if (after?.from !== seq + 1) return true
    run.to = after.to
    run.last = after.last
    runs.splice(runs.indexOf(after), 1)
    return true
  }

  return {
    take: ({ place, byteLength, read, isLine }) => {
      isInOrder &&= isLine
      if (Result.isFailure(read)) {
        unread.push({ ...place, byteLength, reason: read.failure.message })
        return []
      }
      const twice: Array<number> = []
      const fresh = read.success.filter((event) => add(event, place) || void twice.push(event.seq))
      if (twice.length > 0) repeats.push({ ...place, byteLength, seqs: twice })
      return fresh
    },
    hasRepeats: () => repeats.length > 0,
    compare: (row) => {
      comparison ??= openComparison(repeats)
      comparison.take(row)
    },
    rivals: () => comparison?.rivals ?? [],
    gaps: () => [...nameHoles(runs, unread), ...copiesIn(repeats, comparison?.rivals ?? [])].sort(byPlace),
    missing: (from) => {
      const run = runs[indexAfter(runs, from) - 1]
      return run === undefined || run.to < from ? from : run.to + 1
    },
    behind: (seq) => {
      const last = runs.at(-1)
      if (last === undefined || last.to < seq) return undefined
      const first = runs.find(({ to }) => to >= seq) ?? last
      return { from: Math.max(first.from, seq), to: last.to }
    },
    isInOrder: () => isInOrder && unread.length === 0 && repeats.length === 0,
  }
}

/** How many runs begin at this seq or before. */
const indexAfter = (runs: ReadonlyArray<Run>, seq: number): number => {
  // Nearly every event goes on where the latest one was.
  if ((runs.at(-1)?.from ?? 0) <= seq) return runs.length
  let [low, high] = [0, runs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((runs[middle]?.from ?? 0) <= seq) low = middle + 1
    else high = middle
  }
  return low
}

/** A row of which some events stand earlier. */
interface Repeat extends Place {
  readonly byteLength: number
  readonly seqs: ReadonlyArray<number>
}

const copiesIn = (repeats: ReadonlyArray<Repeat>, rivals: ReadonlyArray<Rival>): ReadonlyArray<Gap> => {
  const rivalAt = new Map(rivals.map((rival) => [rival.byteOffset, rival]))
  return repeats.flatMap(({ seqs, ...place }) => {
    const copies = seqs.filter((seq) => rivalAt.get(place.byteOffset)?.events.has(seq) !== true)
    return copies.length === 0 ? [] : [{ ...place, reason: repeated(copies) }]
  })
}

const repeated = (seqs: ReadonlyArray<number>): string =>
  `seq ${seqs.join(", ")} stands earlier in the log; what stands here is left out`

/** Tell copies from rivals. Held are a digest for each event that stands there twice, and the rivals. */
const openComparison = (repeats: ReadonlyArray<Repeat>) => {
  const seqs = new Set(repeats.flatMap((repeat) => repeat.seqs))
  const known = new Map<number, { readonly first: Place; readonly digests: Set<string> }>()
  const rivals: Array<Rival> = []

  /** Whether an event of this seq was there, and none was the same. */
  const isOther = (event: SessionEvent, place: Place): boolean => {
    const digest = digestOf(event)
    const before = known.get(event.seq)
    if (before === undefined) known.set(event.seq, { first: place, digests: new Set([digest]) })
    if (before === undefined || before.digests.has(digest)) return false
    before.digests.add(digest)
    return true
  }

  const take = ({ place, byteLength, read }: Row): void => {
    if (Result.isFailure(read)) return
    const others = read.success.filter((event) => seqs.has(event.seq) && isOther(event, place))
    const [other] = others
    const first = other && known.get(other.seq)?.first
    if (first === undefined) return
    const events = new Map(others.map((event) => [event.seq, event]))
    rivals.push({ ...place, byteLength, first, seqs: [...events.keys()], events })
  }
  return { take, rivals }
}

/** Equal for equal events, whatever the order of their keys. */
const digestOf = (event: SessionEvent): string => {
  const copied = JsonCopy.make(event)
  return Digest.sha256(Result.isSuccess(copied) ? Digest.canonical(copied.success) : JSON.stringify(event))
}

/** Events that are missing between two that were found. */
interface Hole {
  readonly seqs: { readonly from: number; readonly to: number }
  /** Units: bytes from the start of the file; of the event before, or -1. */
  readonly after: number
  /** Of the event that comes next. */
  readonly next: Place
}

const holesBetween = (runs: ReadonlyArray<Run>): ReadonlyArray<Hole> =>
  runs.flatMap(({ from, first }, index) => {
    const before = runs[index - 1]
    const due = before === undefined ? 0 : before.to + 1
    return from === due
      ? []
      : [{ seqs: { from: due, to: from - 1 }, after: before?.last.byteOffset ?? -1, next: first }]
  })

/** Give each hole in the numbers to the unreadable bytes that lie between its neighbours, or to a gap of its own. */
const nameHoles = (runs: ReadonlyArray<Run>, unread: ReadonlyArray<Gap>): ReadonlyArray<Gap> => {
  const gaps = [...unread]
  // Both are gone through once, in the order of the file: bytes that lie before one hole lie before those that follow.
  let at = 0
  for (const { seqs, after, next } of holesBetween(runs).toSorted((a, b) => a.after - b.after)) {
    while ((unread[at]?.byteOffset ?? Number.POSITIVE_INFINITY) <= after) at++
    const gap = unread[at]
    if (gap === undefined || gap.byteOffset >= next.byteOffset)
      gaps.push({ ...next, byteLength: 0, seqs, reason: missing(seqs) })
    else gaps[at++] = { ...gap, seqs }
  }
  return gaps
}

const missing = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  from === to ? `the event ${from} is missing` : `the events ${from} to ${to} are missing`
