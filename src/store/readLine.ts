/**
 * Find the lines of a log, and read one.
 *
 * In:  bytes; for one line without the line feed, and the version of the log.      Out: lines; the events for which one stands.
 * Fails with: which always-on rule it breaks, and how.
 * Not here: what becomes of a line that cannot be read (`LogFile.ts`, `Salvage.ts`).
 * Source: PROTOCOL "Rows".
 */
import { Predicate, Result } from "effect"
import * as EventCodec from "../event/EventCodec.ts"
import type { UnsupportedLogVersion } from "../event/EventError.ts"
import { type SessionEvent, version } from "../event/SessionEvent.ts"
import type { Place } from "./SessionStore.ts"

export const lineFeed = 0x0a

/** Units: bytes of the byte order mark, if the file begins with one. */
export const lengthOfBom = (bytes: Uint8Array): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

type Read<A> = Result.Result<A, EventCodec.Refusal>

const refuse = (message: string): Read<never> => Result.fail({ rule: "log.lossless", message })

export const readLine = (bytes: Uint8Array, logVersion: number): Read<ReadonlyArray<SessionEvent>> =>
  Result.flatMap(readJson(bytes), (row) => {
    const run = toRun(row)
    return run === undefined
      ? Result.map(readRow(row, logVersion), (event) => [event])
      : readRun(run, logVersion)
  })

interface Split {
  readonly place: Place
  /** Empty when the line is longer than what is held of one. */
  readonly text: Uint8Array
  /** Units: bytes of the line, without the line feed. */
  readonly byteLength: number
}

/** Find the lines in bytes that come piece by piece. A byte order mark at the start of them belongs to none. */
export const splitLines = (maxHeldBytes: number) => {
  let held: Array<Uint8Array> = []
  let heldBytes = 0
  let byteOffset = 0
  let line = 0
  const hold = (piece: Uint8Array): void => {
    heldBytes += piece.length
    if (heldBytes > maxHeldBytes) held = []
    else if (piece.length > 0) held.push(piece)
  }
  const take = (): Split => {
    const bytes = held.length === 1 ? (held[0] ?? empty) : join(held)
    const bom = line === 0 ? lengthOfBom(bytes) : 0
    const place = { line: ++line, byteOffset: byteOffset + bom }
    const text = bom === 0 ? bytes : bytes.subarray(bom)
    const split = { place, text, byteLength: heldBytes - bom }
    byteOffset += heldBytes + 1
    held = []
    heldBytes = 0
    return split
  }
  return {
    push: function* (bytes: Uint8Array): Generator<Split> {
      let start = 0
      for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
        hold(bytes.subarray(start, end))
        start = end + 1
        yield take()
      }
      hold(bytes.subarray(start))
    },
    /** Units: bytes after the last line feed. */
    heldBytes: () => heldBytes,
  }
}

const empty = new Uint8Array()

const join = (pieces: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** The later version that the first line of a log names, if it does. */
export const versionOf = (bytes: Uint8Array): UnsupportedLogVersion | undefined => {
  const end = bytes.indexOf(lineFeed)
  return end === -1 ? undefined : versionOfLine(bytes.subarray(lengthOfBom(bytes), end))
}

/** The same of the first line alone. */
export const versionOfLine = (line: Uint8Array): UnsupportedLogVersion | undefined => {
  const row = readJson(line)
  const event = Result.isSuccess(row) ? EventCodec.fromRow(row.success) : row
  return Result.isFailure(event) && !("rule" in event.failure) ? event.failure : undefined
}

const readJson = (bytes: Uint8Array): Read<unknown> => {
  try {
    return Result.succeed(JSON.parse(decoder.decode(bytes)))
  } catch (cause) {
    const nuls = bytes.includes(0) ? "; it holds NUL bytes, as after a power loss" : ""
    return refuse(`the line is no ${cause instanceof SyntaxError ? "JSON" : "UTF-8"}${nuls}`)
  }
}

const readRow = (row: unknown, logVersion: number): Read<SessionEvent> => {
  if (logVersion > version) return EventCodec.fromLaterRow(row, logVersion)
  return Result.mapError(EventCodec.fromRow(row), (failure) =>
    "rule" in failure
      ? failure
      : {
          rule: "log.version",
          message: `a session/start of version ${failure.found} is in the middle of the log`,
        },
  )
}

/** A row that stands for several events. */
interface Run {
  readonly seq: number
  readonly turn: unknown
  readonly step: unknown
  readonly pairs: ReadonlyArray<readonly [at: unknown, chunk: unknown]>
}

/** What is no well-formed run is read as the row that it is. */
const toRun = (row: unknown): Run | undefined => {
  if (!Predicate.isReadonlyObject(row) || row["type"] !== "assistant/chunks") return undefined
  const { seq, data, type: _, at: __, ...others } = row
  if (!Predicate.isReadonlyObject(data) || typeof seq !== "number") return undefined
  const { turn, step, rows, ...rest } = data
  if (!Array.isArray(rows) || rows.length === 0 || !isEmpty(others) || !isEmpty(rest)) return undefined
  const pairs: ReadonlyArray<unknown> = rows
  return pairs.every(isPair) ? { seq, turn, step, pairs } : undefined
}

/** Most of a long log are plain chunks, which go a short way; whatever else stands here goes the long one. */
const readRun = ({ seq, turn, step, pairs }: Run, logVersion: number): Read<ReadonlyArray<SessionEvent>> => {
  const events: Array<SessionEvent> = []
  for (const pair of pairs) {
    const row = {
      seq: seq + events.length,
      at: pair[0],
      type: "assistant/chunk",
      data: { turn, step, chunk: pair[1] },
    }
    const chunk = EventCodec.fromChunk(row)
    if (chunk !== undefined) {
      events.push(chunk)
      continue
    }
    const event = readRow(row, logVersion)
    if (Result.isFailure(event)) return Result.fail(event.failure)
    events.push(event.success)
  }
  return Result.succeed(events)
}

const isPair = (value: unknown): value is readonly [unknown, unknown] =>
  Array.isArray(value) && value.length === 2

const isEmpty = (value: object): boolean => Object.keys(value).length === 0
