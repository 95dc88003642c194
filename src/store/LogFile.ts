/**
 * The bytes of a log: one event a line, runs of chunks packed into one row.
 *
 * In:  events, or the bytes of a file.      Out: text to append, or events with their places and the unfinished tail.
 * Fails with: `CorruptLog` with line and byte offset; `UnsupportedLogVersion`.
 * Not here: one line (`readLine.ts`), what is left of broken logs (`Salvage.ts`), the rules about order (`contract/Admission`), files themselves (`JsonlStore.ts`).
 * Source: PROTOCOL "Rows".
 */
import { Result } from "effect"
import type { Refusal } from "../event/EventCodec.ts"
import { CorruptLog, type UnsupportedLogVersion } from "../event/EventError.ts"
import { type CoreEvent, type SessionEvent, version } from "../event/SessionEvent.ts"
import { lengthOfBom, lineFeed, readLine, versionOf } from "./readLine.ts"
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

/**
 * Read the bytes of a log in order to go on with it. Lines end at LF only; an unfinished last line is left out.
 *
 * Errors: UnsupportedLogVersion for a log of a later version, which `view` reads.
 */
export const parse = (bytes: Uint8Array): Result.Result<LogFile, CorruptLog | UnsupportedLogVersion> => {
  const later = versionOf(bytes)
  return later === undefined ? readLines(bytes, version) : Result.fail(later)
}

/**
 * Read the bytes of a log of any version in order to look at it. In a log of a later version, what cannot be
 * interpreted here stays as it stands (`EventCodec.fromLaterRow`); nothing must be written to such a log.
 */
export const view = (bytes: Uint8Array): Result.Result<LogFile, CorruptLog> =>
  readLines(bytes, versionOf(bytes)?.found ?? version)

const readLines = (bytes: Uint8Array, logVersion: number): Result.Result<LogFile, CorruptLog> => {
  const events: Array<SessionEvent> = []
  const lines: Array<{ readonly place: Place; readonly firstIndex: number }> = []
  let start = lengthOfBom(bytes)
  for (let end = bytes.indexOf(lineFeed, start); end !== -1; end = bytes.indexOf(lineFeed, start)) {
    const place: Place = { line: lines.length + 1, byteOffset: start }
    const read = readLine(bytes.subarray(start, end), logVersion)
    if (Result.isFailure(read)) return corrupt(read.failure, place)
    lines.push({ place, firstIndex: events.length })
    for (const event of read.success) events.push(event)
    start = end + 1
  }
  return Result.succeed({
    version: logVersion,
    events,
    placeOf: (index) => lines.findLast((line) => line.firstIndex <= index)?.place,
    wholeBytes: start,
  })
}

const corrupt = ({ rule, message }: Refusal, place: Place): Result.Result<never, CorruptLog> =>
  Result.fail(
    new CorruptLog({ rule, ...place, message: `line ${place.line} (byte ${place.byteOffset}): ${message}` }),
  )
