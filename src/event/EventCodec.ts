/**
 * The one check of a payload, for what is appended and for what is loaded.
 *
 * In:  a draft of a caller, or a parsed row of a log.      Out: detached, frozen, schema-checked events.
 * Fails with: `Refusal`, or for a log of a later format `UnsupportedLogVersion`.
 * Not here: the order of events (`contract/`), how rows are written (`store/LogFile.ts`).
 * Source: PROTOCOL "Rows".
 */
import { Predicate, Result, Schema } from "effect"
import * as Beginning from "../error/Beginning.ts"
import { copyChunk } from "./chunk.ts"
import { UnsupportedLogVersion } from "./EventError.ts"
import * as EventType from "./EventType.ts"
import { compile } from "./fits.ts"
import * as JsonCopy from "./JsonCopy.ts"
import {
  type EventDraft,
  isCoreType,
  type Payload,
  payloads,
  type SessionEvent,
  version,
} from "./SessionEvent.ts"

/** Which always-on rule a payload breaks, and how. A class, so that no payload can be taken for one. */
export class Refusal {
  readonly rule: "log.lossless" | "log.version"
  readonly message: string
  constructor(rule: Refusal["rule"], message: string) {
    this.rule = rule
    this.message = message
  }
}

type Checked = Schema.Json | Payload<"assistant/chunk"> | Refusal

const strict = { onExcessProperty: "error" } as const

const checks = new Map(
  Object.entries(payloads).map(([type, schema]) => [
    type,
    {
      fits: compile(schema.ast) ?? (() => false),
      decode: Schema.decodeUnknownResult<Schema.Codec<unknown>>(schema, strict),
    },
  ]),
)

/** The schemas only check, so the detached copy itself is the payload. */
const checkCore = (type: string, data: Schema.Json): Checked => {
  const check = checks.get(type)
  if (check === undefined) return new Refusal("log.version", `${type} is no event type of version ${version}`)
  if (check.fits(data)) return data
  const checked = check.decode(data)
  if (Result.isSuccess(checked)) return data
  return new Refusal("log.version", `${type}: ${cap(checked.failure.message)}`)
}

const cap = (text: string): string => Beginning.shown(text, 500, " …")

const isExtensionType = (type: string): boolean => type.includes(":")

/** Check the payload of a draft; an extension's type must be registered and of the current version. */
const checkDraft = (draft: EventDraft, registry: EventType.Registry): Checked => {
  // Types leave it out; a row that has it could not be read back.
  if (versionOf(draft) !== undefined && isCoreType(draft.type))
    return new Refusal("log.version", `${draft.type} cannot have a version of its own`)
  if (draft.type === "assistant/chunk") {
    const chunk = copyChunk(draft.data)
    if (chunk !== undefined) return chunk
  }
  const data = copy(draft.type, draft.data)
  if (data instanceof Refusal) return data
  return isCoreType(draft.type) ? checkCore(draft.type, data) : checkExtension(draft, data, registry)
}

const copy = (type: string, data: unknown): Schema.Json | Refusal => {
  const copied = JsonCopy.make(data)
  if (Result.isSuccess(copied)) return copied.success
  return new Refusal("log.lossless", `${type}: ${copied.failure.message}`)
}

const checkExtension = (draft: EventDraft, data: Schema.Json, registry: EventType.Registry): Checked => {
  const type = registry.get(draft.type)
  if (type === undefined) return new Refusal("log.version", `event type ${draft.type} is not registered`)
  const v = versionOf(draft)
  if (v !== type.version && !(v === undefined && type.version === 1))
    return new Refusal("log.version", `${type.name} is written as version ${type.version}, not ${v ?? 1}`)
  const checked = EventType.check(type, data)
  if (Result.isSuccess(checked)) return data
  return new Refusal("log.version", `${type.name}: ${cap(checked.failure)}`)
}

const versionOf = (draft: EventDraft): number | undefined => ("v" in draft ? draft.v : undefined)

// The payload was just checked against the schema of this very type, which the union cannot express.
const event = (seq: number, at: number, type: string, v: number | undefined, data: unknown): SessionEvent =>
  Object.freeze(v === undefined ? { seq, at, type, data } : { seq, at, type, v, data }) as SessionEvent

/** Turn a draft into the event that it becomes; nothing of the caller's objects is in it. */
export const make = (
  draft: EventDraft,
  seq: number,
  at: number,
  registry: EventType.Registry,
): SessionEvent | Refusal => {
  // A clock may give anything; a row without a time could not be read back.
  if (!Number.isSafeInteger(at)) {
    const message = `${draft.type}: the clock gave ${at}, which is no time in whole milliseconds`
    return new Refusal("log.lossless", message)
  }
  const data = checkDraft(draft, registry)
  return data instanceof Refusal ? data : event(seq, at, draft.type, versionOf(draft), data)
}

/** The same as a `Result`. */
export const fromDraft = (...draft: Parameters<typeof make>): Result.Result<SessionEvent, Refusal> => {
  const made = make(...draft)
  return made instanceof Refusal ? Result.fail(made) : Result.succeed(made)
}

const rowKeys = new Set(["seq", "at", "type", "v", "data"])
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isTime = (value: unknown): value is number => Number.isSafeInteger(value)
const refuse = (message: string): Result.Result<never, Refusal> =>
  Result.fail(new Refusal("log.version", message))

/**
 * Read one row of a log. A payload of an extension stays as it was written, whether its type is registered or not.
 *
 * Errors: UnsupportedLogVersion for a `session/start` of a later version, whatever else its payload holds.
 */
export const fromRow = (row: unknown): Result.Result<SessionEvent, Refusal | UnsupportedLogVersion> => {
  if (!Predicate.isReadonlyObject(row)) return refuse("the row is no JSON object")
  // A later format may have other rows too, so this comes before everything that this format asks of a row.
  const later = row["type"] === "session/start" ? laterVersion(row["data"]) : undefined
  if (later !== undefined) return Result.fail(later)
  const stranger = Object.keys(row).find((key) => !rowKeys.has(key))
  if (stranger !== undefined) return refuse(`the row has an unknown key ${JSON.stringify(stranger)}`)
  const { seq, at, type, v, data } = row
  if (!isCount(seq) || !isTime(at) || typeof type !== "string")
    return refuse("the row has no valid seq, at and type")
  if (v !== undefined && (!isCount(v) || v === 0 || !isExtensionType(type))) {
    return refuse(`${type} cannot have ${JSON.stringify(v)} as its version`)
  }
  const checked = checkRow(type, data)
  return checked instanceof Refusal ? Result.fail(checked) : Result.succeed(event(seq, at, type, v, checked))
}

/** Read a plain `assistant/chunk`, as a row of many holds it; undefined for `fromRow` to look closer. */
export const fromChunk = (row: ChunkRow): SessionEvent | undefined => {
  const { seq, at } = row
  if (!isCount(seq) || !isTime(at)) return undefined
  const chunk = copyChunk(row.data)
  return chunk && event(seq, at, "assistant/chunk", undefined, chunk)
}

/** Not read yet, and known to have no other members. */
interface ChunkRow {
  readonly seq: unknown
  readonly at: unknown
  readonly data: unknown
}

/**
 * Read one row of a log of a later version. What this version does not know becomes an event of the type
 * `~<version>:<type>`, which no extension can have, with its payload, or the whole row when that has more to it.
 */
export const fromLaterRow = (row: unknown, later: number): Result.Result<SessionEvent, Refusal> => {
  const known = fromRow(row)
  if (Result.isSuccess(known)) return Result.succeed(known.success)
  if (!Predicate.isReadonlyObject(row)) return refuse("the row is no JSON object")
  const { seq, at, type, v, data } = row
  if (!isCount(seq) || !isTime(at) || typeof type !== "string")
    return refuse("the row has no valid seq, at and type")
  const hasMore = v !== undefined || data === undefined || Object.keys(row).some((key) => !rowKeys.has(key))
  const copied = copy(type, hasMore ? row : data)
  if (copied instanceof Refusal) return Result.fail(copied)
  return Result.succeed(event(seq, at, `~${later}:${type}`, undefined, copied))
}

const checkRow = (type: string, data: unknown): Checked => {
  if (type === "assistant/chunk") {
    const chunk = copyChunk(data)
    if (chunk !== undefined) return chunk
  }
  const copied = copy(type, data)
  return copied instanceof Refusal || isExtensionType(type) ? copied : checkCore(type, copied)
}

const laterVersion = (data: unknown): UnsupportedLogVersion | undefined => {
  const found = Predicate.isReadonlyObject(data) ? data["version"] : undefined
  if (!isCount(found) || found <= version) return undefined
  return new UnsupportedLogVersion({
    found,
    supported: version,
    message: `the log is of version ${found}; this program reads version ${version}`,
  })
}
