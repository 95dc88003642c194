/**
 * Read one line of a log.
 *
 * In:  its bytes without the line feed, and the version of the log.      Out: the events for which it stands.
 * Fails with: which always-on rule it breaks, and how.
 * Not here: where the line is (`LogFile.ts`).
 * Source: PROTOCOL "Rows".
 */
import { Predicate, Result } from "effect"
import * as EventCodec from "../event/EventCodec.ts"
import type { UnsupportedLogVersion } from "../event/EventError.ts"
import { type SessionEvent, version } from "../event/SessionEvent.ts"

export const lineFeed = 0x0a

/** Units: bytes of the byte order mark, if the file begins with one. */
export const lengthOfBom = (bytes: Uint8Array): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

type Read<A> = Result.Result<A, EventCodec.Refusal>

const refuse = (message: string): Read<never> => Result.fail({ rule: "log.lossless", message })

export const readLine = (bytes: Uint8Array, logVersion: number): Read<ReadonlyArray<SessionEvent>> =>
  Result.flatMap(readJson(bytes), (row) => {
    const events: Array<SessionEvent> = []
    for (const unpacked of unpack(row)) {
      const event = readRow(unpacked, logVersion)
      if (Result.isFailure(event)) return Result.fail(event.failure)
      events.push(event.success)
    }
    return Result.succeed(events)
  })

/** The later version that the first line of a log names, if it does. */
export const versionOf = (bytes: Uint8Array): UnsupportedLogVersion | undefined => {
  const end = bytes.indexOf(lineFeed)
  if (end === -1) return undefined
  const row = readJson(bytes.subarray(lengthOfBom(bytes), end))
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

/** The events for which a row stands: itself, or each row of a run. What is malformed comes out as it is. */
const unpack = (row: unknown): ReadonlyArray<unknown> => {
  if (!Predicate.isReadonlyObject(row) || row["type"] !== "assistant/chunks") return [row]
  const { seq, data, type: _, at: __, ...others } = row
  if (!Predicate.isReadonlyObject(data) || typeof seq !== "number") return [row]
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
