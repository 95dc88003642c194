/**
 * The bytes of a log: one event a line, runs of chunks packed into one row.
 *
 * In:  events, or the bytes of a file, whole or piece by piece.      Out: text to append, or events with their places and
 * the unfinished tail.
 * Fails with: `CorruptLog` with line and byte offset; `UnsupportedLogVersion`. A `Reader` tells of each line by itself.
 * Not here: one line (`readLine.ts`), what is left of broken logs (`Salvage.ts`), the rules about order (`contract/Admission`), files themselves (`JsonlStore.ts`).
 * Source: PROTOCOL "Rows".
 */
import { Result } from "effect"
import type { Refusal } from "../event/EventCodec.ts"
import { type CorruptLog, corruptLog, type UnsupportedLogVersion } from "../event/EventError.ts"
import { type CoreEvent, type SessionEvent, version } from "../event/SessionEvent.ts"
import { readLine, splitLines, versionOf, versionOfLine } from "./readLine.ts"
import type { Place } from "./SessionStore.ts"

/** What the bytes of a log hold. */
export interface LogFile {
  /** The version that its session/start names. */
  readonly version: number
  readonly events: ReadonlyArray<SessionEvent>
  readonly placeOf: (index: number) => Place | undefined
  /** Units: bytes up to and with the last line feed; whatever follows is an unfinished line. */
  readonly wholeBytes: number
}

type ChunkEvent = Extract<CoreEvent, { readonly type: "assistant/chunk" }>

/** One line of a log, without its end: an event, or a run of chunks. */
export interface Row {
  /** Of the event, or the first of the run. */
  readonly seq: number
  readonly text: string
}

/** Write events as rows, each ended by a line feed. */
export const encode = (events: ReadonlyArray<SessionEvent>): string => {
  let text = ""
  for (const row of toRows(events)) text += `${row.text}\n`
  return text
}

/** Write events as rows. No text of a row holds a line feed. */
export const toRows = (events: ReadonlyArray<SessionEvent>): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  let run: Array<ChunkEvent> = []
  const flush = () => {
    const [first] = run
    if (first !== undefined) {
      rows.push({ seq: first.seq, text: JSON.stringify(run.length === 1 ? first : pack(first, run)) })
    }
    run = []
  }
  for (const event of events) {
    if (event.type === "assistant/chunk") {
      const [first] = run
      if (first !== undefined && !isSameStep(first, event)) flush()
      run.push(event)
    } else {
      flush()
      rows.push({ seq: event.seq, text: JSON.stringify(event) })
    }
  }
  flush()
  return rows
}

const isSameStep = (one: ChunkEvent, other: ChunkEvent): boolean =>
  one.data.turn === other.data.turn && one.data.step === other.data.step

const pack = (first: ChunkEvent, run: ReadonlyArray<ChunkEvent>) => ({
  seq: first.seq,
  at: first.at,
  type: "assistant/chunks",
  data: {
    turn: first.data.turn,
    step: first.data.step,
    rows: run.map((event) => [event.at, event.data.chunk]),
  },
})

/** Hears how far a file has been read: now and then, and at its end. Units: bytes. */
export type OnRead = (doneBytes: number, totalBytes: number) => void

/** Units: bytes. */
const onReadEvery = 2 ** 18

/**
 * Read the bytes of a log in order to go on with it. Lines end at LF only; an unfinished last line is left out.
 *
 * Errors: UnsupportedLogVersion for a log of a later version, which `view` reads.
 */
export const parse = (
  bytes: Uint8Array,
  onRead?: OnRead,
): Result.Result<LogFile, CorruptLog | UnsupportedLogVersion> => {
  const later = versionOf(bytes)
  return later === undefined ? readLines(bytes, version, onRead) : Result.fail(later)
}

/**
 * Read the bytes of a log of any version in order to look at it. In a log of a later version, what cannot be
 * interpreted here stays as it stands (`EventCodec.fromLaterRow`); nothing must be written to such a log.
 */
export const view = (bytes: Uint8Array, onRead?: OnRead): Result.Result<LogFile, CorruptLog> =>
  readLines(bytes, versionOf(bytes)?.found ?? version, onRead)

const readLines = (
  bytes: Uint8Array,
  logVersion: number,
  onRead: OnRead = () => undefined,
): Result.Result<LogFile, CorruptLog> => {
  const events: Array<SessionEvent> = []
  const lines: Array<{ readonly place: Place; readonly firstIndex: number }> = []
  const splitter = splitLines(Number.POSITIVE_INFINITY)
  let toldBytes = 0
  for (const { place, text } of splitter.push(bytes)) {
    const read = readLine(text, logVersion)
    if (Result.isFailure(read)) return corrupt(read.failure, place)
    lines.push({ place, firstIndex: events.length })
    for (const event of read.success) events.push(event)
    if (place.byteOffset - toldBytes < onReadEvery) continue
    toldBytes = place.byteOffset
    onRead(toldBytes, bytes.length)
  }
  onRead(bytes.length, bytes.length)
  return Result.succeed({
    version: logVersion,
    events,
    placeOf: (index) => lines.findLast((line) => line.firstIndex <= index)?.place,
    wholeBytes: bytes.length - splitter.heldBytes(),
  })
}

const corrupt = ({ rule, message }: Refusal, place: Place): Result.Result<never, CorruptLog> =>
  Result.fail(corruptLog(rule, message, place))

/** Units: bytes. A `Reader` passes over a line that is longer: it would have to be held whole. */
export const maxLineBytes = 64 * 2 ** 20

/** One line of a file, and the events for which it stands. */
export interface Line {
  readonly place: Place
  readonly read: Result.Result<ReadonlyArray<SessionEvent>, Refusal | UnsupportedLogVersion>
}

export interface Reader {
  /** Take the next bytes of the file; gives the lines that end in them. */
  readonly push: (bytes: Uint8Array) => Generator<Line>
  /** Units: bytes after the last line feed. They are no line. */
  readonly heldBytes: () => number
}

/**
 * Read a file piece by piece, in order to judge it: what cannot be read is told and passed over. What is held does not
 * grow with the file; it is at most one line. After `UnsupportedLogVersion` the other lines mean nothing.
 */
export const reader = (): Reader => {
  const splitter = splitLines(maxLineBytes)
  return {
    push: function* (bytes) {
      for (const { place, text, byteLength } of splitter.push(bytes)) {
        const later = place.line === 1 ? versionOfLine(text) : undefined
        if (later !== undefined) yield { place, read: Result.fail(later) }
        else if (byteLength > maxLineBytes) yield { place, read: Result.fail(tooLong(byteLength)) }
        else yield { place, read: readLine(text, version) }
      }
    },
    heldBytes: splitter.heldBytes,
  }
}

const tooLong = (byteLength: number): Refusal => ({
  rule: "log.lossless",
  message: `the line has ${byteLength} bytes and is not read: at most ${maxLineBytes} are`,
})
