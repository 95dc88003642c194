/**
 * The port behind which logs are kept.
 *
 * In:  numbered, admitted events.      Out: the same events, after any crash up to what was acknowledged.
 * Fails with: `StoreUnavailable` (the session is then poisoned), `SessionNotFound`, `SessionExists`, `SessionBusy`, `SessionFenced`,
 * `CorruptLog`, `UnsupportedLogVersion`.
 * Not here: numbering and admission (`session/`), the implementations (`MemoryStore.ts`, `JsonlStore.ts`,
 * `PostgresStore.ts`); the port as a contract that a store can be tested against (`conformance/StoreConformance.ts`).
 */
import { Context, type Effect, type Scope } from "effect"
import type { CorruptLog, UnsupportedLogVersion } from "../event/EventError.ts"
import type { SessionEvent } from "../event/SessionEvent.ts"
import {
  type SeqConflict,
  type SessionBusy,
  type SessionExists,
  type SessionFenced,
  SessionIdInvalid,
  type SessionNotFound,
  type StoreUnavailable,
} from "./StoreError.ts"

/** `accepted`: in memory · `written`: survives kill -9 · `synced`: survives power loss. */
export type Durability = "accepted" | "written" | "synced"

/**
 * What every append to a store may fail with. A SeqConflict wrote nothing, and the seq that was due still is; after
 * any other every append fails with the same.
 */
export type WriteError = StoreUnavailable | SeqConflict | SessionFenced

export interface LogWriter {
  /**
   * Take events in seq order and return when all of them, and all taken before, have the durability asked for.
   * With `accepted` it may keep them in memory until the next stronger append or `close` of the scope.
   * An empty list with a stronger durability flushes what is buffered.
   * Order: appends go out as they were made, also when one is made before the last has returned.
   * Errors: StoreUnavailable CLOSED once the scope has closed.
   */
  readonly append: (
    events: ReadonlyArray<SessionEvent>,
    durability: Durability,
  ) => Effect.Effect<void, WriteError>
}

/** Where an event lies in a file. */
export interface Place {
  /** 1-based. */
  readonly line: number
  /** Units: bytes from the start of the file to the start of that line. */
  readonly byteOffset: number
}

export interface OpenLog {
  /** All synced: whoever opens it tells others of what it holds. */
  readonly events: ReadonlyArray<SessionEvent>
  /** Where the event at an index lies, when the log is a file. */
  readonly placeOf?: (index: number) => Place | undefined
  readonly writer: LogWriter
  /** Where a person finds it, when that is not what `locate` says. */
  readonly location?: string
  /** Name of the file into which the torn tail of the log goes, before the first append cuts it off. */
  readonly aside?: string
}

export interface LogSummary {
  readonly id: string
  /** Where a person finds it: a path, or a name of the store's own. */
  readonly location: string
  /** Units: epoch milliseconds. */
  readonly updatedAt: number
  readonly sizeBytes: number
}

export class SessionStore extends Context.Service<
  SessionStore,
  {
    /**
     * Begin an empty log. The scope holds it open; closing flushes. One that was created and got no event, because
     * whoever did so died, can be created again.
     *
     * Errors: SessionExists when it has events; SessionBusy when it is held; either when it is both. SessionIdInvalid
     * for an id that is none (`isId`).
     */
    readonly create: (
      id: string,
    ) => Effect.Effect<
      LogWriter,
      SessionExists | SessionIdInvalid | SessionBusy | StoreUnavailable,
      Scope.Scope
    >
    /** Open an existing log to go on with it. */
    readonly open: (
      id: string,
    ) => Effect.Effect<
      OpenLog,
      SessionNotFound | SessionBusy | CorruptLog | UnsupportedLogVersion | StoreUnavailable,
      Scope.Scope
    >
    /**
     * Read without holding. A last line without its end is left out: while somebody writes, it is in progress. What a
     * later version wrote and this one cannot interpret comes as `EventCodec.fromLaterRow` says.
     */
    readonly read: (
      id: string,
    ) => Effect.Effect<ReadonlyArray<SessionEvent>, SessionNotFound | CorruptLog | StoreUnavailable>
    /** All logs, the latest first. */
    readonly list: Effect.Effect<ReadonlyArray<LogSummary>, StoreUnavailable>
    /** Where the log of an id lies or would lie. */
    readonly locate: (id: string) => string
  }
>()("effect-harness/store/SessionStore") {}

/** One path segment, on every file system, never hidden, without "~": what one store holds any other can. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/** Tell whether a session may have this id, in whatever store. */
export const isId = (id: string): boolean => idPattern.test(id)

/** What creating a session fails with whose id is none. */
export const refuseId = (id: string): SessionIdInvalid =>
  new SessionIdInvalid({
    id: id.replace(/\p{Surrogate}/gu, "\uFFFD"),
    message: `a session id has 1 to 128 letters, digits, ".", "_", "-" and begins with a letter or digit: ${JSON.stringify(id)}`,
  })
