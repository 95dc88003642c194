/**
 * The bytes of a log: one event a line, runs of chunks packed into one row.
 *
 * In:  events, or the bytes of a file.      Out: text to append, or events with their places and the unfinished tail.
 * Fails with: `CorruptLog` with line and byte offset; `UnsupportedLogVersion`.
 * Not here: the rules about order (`contract/Admission`), files themselves (`JsonlStore.ts`).
 * Source: PROTOCOL "Rows".
 */
import { Result } from "effect"
import * as EventCodec from "../event/EventCodec.ts"
import { CorruptLog, type UnsupportedLogVersion } from "../event/EventError.ts"
import type { CoreEvent, SessionEvent } from "../event/SessionEvent.ts"
import type { Place } from "./SessionStore.ts"

/** What the bytes of a log hold. */
export interface LogFile {
  readonly events: ReadonlyArray<SessionEvent>
  readonly placeOf: (index: number) => Place | undefined
  /** Units: bytes up to and with the last line feed; whatever follows is an unfinished line. */
  readonly wholeBytes: number
}

type ChunkEvent = Extract<CoreEvent, { readonly type: "assistant/chunk" }>

/** Write events as rows, each ended by a line feed. */
export const encode = (events: ReadonlyArray<SessionEvent>): string => {
  let text = ""
  let run: Array<ChunkEvent> = []
  const flush = () => {
    const [first] = run
    if (first !== undefined) text += `${JSON.stringify(run.length === 1 ? first : pack(first, run))}\n`
    run = []
  }
  for (const event of events) {
    if (event.type === "assistant/chunk") {
      const [first] = run
      if (first !== undefined && !isSameStep(first, event)) flush()
      run.push(event)
    } else {
      flush()
      text += `${JSON.stringify(event)}\n`
    }
  }
  flush()
  return text
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

type Unreadable = CorruptLog | UnsupportedLogVersion

/** Read the bytes of a log. Lines end at LF only; an unfinished last line is left out. */
export const parse = (bytes: Uint8Array): Result.Result<LogFile, Unreadable> => {
  const events: Array<SessionEvent> = []
  const lines: Array<{ readonly place: Place; readonly firstIndex: number }> = []
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  let start = hasBom(bytes) ? 3 : 0
  for (let end = bytes.indexOf(lineFeed, start); end !== -1; end = bytes.indexOf(lineFeed, start)) {
    const place: Place = { line: lines.length + 1, byteOffset: start }
    const read = readLine((line) => decoder.decode(line), bytes.subarray(start, end), place)
    if (Result.isFailure(read)) return Result.fail(read.failure)
    lines.push({ place, firstIndex: events.length })
    for (const event of read.success) events.push(event)
    start = end + 1
  }
  return Result.succeed({
    events,
    placeOf: (index) => lines.findLast((line) => line.firstIndex <= index)?.place,
    wholeBytes: start,
  })
}

const lineFeed = 0x0a

const hasBom = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

const corrupt = (rule: string, place: Place, why: string): Result.Result<never, CorruptLog> =>
  Result.fail(
    new CorruptLog({ rule, ...place, message: `line ${place.line} (byte ${place.byteOffset}): ${why}` }),
  )

const readLine = (
  decode: (bytes: Uint8Array) => string,
  bytes: Uint8Array,
  place: Place,
): Result.Result<ReadonlyArray<SessionEvent>, Unreadable> => {
  let row: unknown
  try {
    row = JSON.parse(decode(bytes))
  } catch (cause) {
    const nuls = bytes.includes(0) ? "; it holds NUL bytes, as after a power loss" : ""
    const what = cause instanceof SyntaxError ? "JSON" : "UTF-8"
    return corrupt("log.lossless", place, `the line is no ${what}${nuls}`)
  }
  const events: Array<SessionEvent> = []
  for (const unpacked of unpack(row)) {
    const event = EventCodec.fromRow(unpacked)
    if (Result.isSuccess(event)) events.push(event.success)
    else if ("rule" in event.failure) return corrupt(event.failure.rule, place, event.failure.message)
    else return Result.fail(event.failure)
  }
  return Result.succeed(events)
}

/** The events for which a row stands: itself, or each row of a run. What is malformed comes out as it is. */
const unpack = (row: unknown): ReadonlyArray<unknown> => {
  if (!isRecord(row) || row["type"] !== "assistant/chunks") return [row]
  const { seq, data, type: _, at: __, ...others } = row
  if (!isRecord(data) || typeof seq !== "number") return [row]
  const { turn, step, rows, ...rest } = data
  if (!Array.isArray(rows) || rows.length === 0 || !isEmpty(others) || !isEmpty(rest)) return [row]
  const pairs: ReadonlyArray<unknown> = rows
  if (!pairs.every(isPair)) return [row]
  return pairs.map(([at, chunk], index) => ({
    seq: seq + index,
    at,
    type: "assistant/chunk",
    data: { turn, step, chunk },
  }))
}

const isPair = (value: unknown): value is readonly [unknown, unknown] =>
  Array.isArray(value) && value.length === 2

const isEmpty = (value: object): boolean => Object.keys(value).length === 0

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
