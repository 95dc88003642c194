/**
 * Everything that can happen in a session, as data: the vocabulary of the log, version 1.
 *
 * In:  nothing.      Out: a schema and a type for every payload, `SessionEvent`, `EventDraft`.
 * Not here: what orders are lawful (`contract/`, `invariant/`), the rows on disk (`store/`).
 * Source: PROTOCOL "Rows" and "State machine".
 */
import { Schema } from "effect"
import { AssistantContent, Content } from "../message/Content.ts"
import { BlockChunk, Finish, Usage } from "../message/ModelChunk.ts"
import { resultFields } from "../message/ToolResult.ts"

/** The version of the payloads in this file. */
export const version = 1

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const ordinal = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
const id = Schema.NonEmptyString
const ids = Schema.Array(id)
const optional = Schema.optionalKey
const inStep = { turn: ordinal, step: ordinal }
const message = Schema.Struct({ messageId: id, content: Content, source: Schema.String })

export const TurnEndReason = Schema.Struct({
  kind: Schema.Literals(["completed", "aborted", "failed", "limit", "interrupted", "disposed"]),
  code: optional(Schema.String),
  message: optional(Schema.String),
})
export interface TurnEndReason extends Schema.Schema.Type<typeof TurnEndReason> {}

/** One payload schema per core event type; every field that PROTOCOL names, and no other. */
export const payloads = {
  "session/start": Schema.Struct({
    version: Schema.Literal(version),
    id,
    createdAt: Schema.Int,
    parent: optional(Schema.Struct({ id, seq: count, digest: Schema.String })),
  }),
  "session/resume": Schema.Struct({ epoch: ordinal, aside: optional(Schema.String), reruns: ids }),
  "request/config": Schema.Struct({
    model: Schema.String,
    system: optional(Schema.String),
    parameters: Schema.Record(Schema.String, Schema.Json),
    tools: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        description: Schema.String,
        parameters: Schema.Record(Schema.String, Schema.Json),
        fingerprint: Schema.String,
        sensitive: optional(Schema.Record(Schema.String, Schema.Json)),
      }),
    ),
  }),
  "user/message": message,
  "steering/message": message,
  "context/message": message,
  "message/cancelled": Schema.Struct({ messageIds: ids, reason: Schema.String }),
  "turn/start": Schema.Struct({
    turn: ordinal,
    trigger: Schema.Struct({ kind: Schema.Literals(["message", "continuation"]) }),
    claims: ids,
  }),
  "turn/abort": Schema.Struct({ turn: ordinal, reason: Schema.String }),
  "step/start": Schema.Struct({
    ...inStep,
    claims: ids,
    request: optional(Schema.Struct({ config: count, digest: Schema.String })),
  }),
  "assistant/chunk": Schema.Struct({ ...inStep, chunk: BlockChunk }),
  usage: Schema.Struct({ ...inStep, usage: Usage }),
  "assistant/message": Schema.Struct({ ...inStep, content: AssistantContent, finish: Finish }),
  "tool/call": Schema.Struct({
    ...inStep,
    callId: id,
    name: Schema.String,
    arguments: Schema.String,
    starts: optional(Schema.Literal(false)),
    key: optional(Schema.String),
  }),
  "tool/result": Schema.Struct({ ...inStep, ...resultFields }),
  "approval/asked": Schema.Struct({
    ...inStep,
    callId: id,
    digest: Schema.String,
    expiresAt: Schema.Int,
  }),
  "approval/decided": Schema.Struct({
    callId: id,
    digest: Schema.String,
    verdict: Schema.Literals(["allow", "deny"]),
    by: Schema.String,
  }),
  "step/end": Schema.Struct(inStep),
  error: Schema.Struct({
    turn: count,
    step: count,
    name: Schema.String,
    code: Schema.String,
    message: Schema.String,
  }),
  "turn/end": Schema.Struct({ turn: ordinal, reason: TurnEndReason }),
  "history/compacted": Schema.Struct({ from: count, to: count, content: Content, usage: optional(Usage) }),
} as const

type Payloads = { readonly [T in keyof typeof payloads]: (typeof payloads)[T]["Type"] }

export type CoreType = keyof Payloads
export type Payload<T extends CoreType> = Payloads[T]

/** An event that an extension registered (`EventType.make`), or that this process does not know. */
export interface ExtensionEvent {
  readonly seq: number
  readonly at: number
  readonly type: `${string}:${string}`
  /** The version of the payload; absent = 1. */
  readonly v?: number
  readonly data: unknown
}

/** `seq` counts from 0 without gaps. Units: `at` in epoch milliseconds; it may repeat or step back. */
export type CoreEvent = {
  readonly [T in CoreType]: {
    readonly seq: number
    readonly at: number
    readonly type: T
    readonly data: Payloads[T]
  }
}[CoreType]

export type SessionEvent = CoreEvent | ExtensionEvent

/** An event before the session has numbered it. */
export type EventDraft =
  | { readonly [T in CoreType]: { readonly type: T; readonly data: Payloads[T] } }[CoreType]
  | Pick<ExtensionEvent, "type" | "v" | "data">

/** Tell whether a type is one of the core's. */
export const isCoreType = (type: string): type is CoreType => Object.hasOwn(payloads, type)
