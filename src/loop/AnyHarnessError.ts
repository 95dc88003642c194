/**
 * Every error that a session, its store, its model, its tools or its agent can give, as one union.
 *
 * In:  nothing.      Out: `AnyHarnessError`, a type to match on by tag and a codec to cross a process with.
 * Not here: errors of the bodies of tools (`toolkit/` and yours), `InvariantViolated`, which is a defect.
 */
import { Schema } from "effect"
import { CorruptLog, EventRejected, UnsupportedLogVersion } from "../event/EventError.ts"
import { ForkRefused } from "../fork/ForkError.ts"
import * as ModelError from "../model/ModelError.ts"
import { SessionPoisoned } from "../session/SessionError.ts"
import {
  SeqConflict,
  SessionBusy,
  SessionExists,
  SessionFenced,
  SessionIdInvalid,
  SessionNotFound,
  StoreUnavailable,
} from "../store/StoreError.ts"
import * as ToolError from "../tool/ToolError.ts"
import { AnswerMissing, LimitReached, ModelDefect } from "../turn/TurnError.ts"
import { AgentDisposed } from "./LoopError.ts"

export const AnyHarnessError = Schema.Union([
  ToolError.ToolNotFound,
  ToolError.ToolArgsMalformed,
  ToolError.ToolArgsInvalid,
  ToolError.ToolDenied,
  ToolError.ToolTimedOut,
  ToolError.ToolOutputInvalid,
  ToolError.ToolNeverStarted,
  ToolError.ToolInterrupted,
  ToolError.ToolDefect,
  ToolError.ToolFailed,
  ToolError.ToolBusy,
  ToolError.ToolNotStarted,
  ToolError.ToolOutcomeUnknown,
  ModelError.ModelRateLimited,
  ModelError.ModelOverloaded,
  ModelError.ModelUnauthorized,
  ModelError.ModelContextOverflow,
  ModelError.ModelRefused,
  ModelError.ModelUnreachable,
  ModelError.ModelTimedOut,
  ModelError.ModelProtocolViolated,
  ModelError.ModelInterrupted,
  ModelError.ScriptInvalid,
  ModelError.ProviderUnknown,
  ModelError.ProviderNotConfigured,
  ModelError.ProviderNotInstalled,
  EventRejected,
  CorruptLog,
  UnsupportedLogVersion,
  SeqConflict,
  SessionNotFound,
  SessionExists,
  SessionIdInvalid,
  SessionBusy,
  SessionFenced,
  StoreUnavailable,
  SessionPoisoned,
  ForkRefused,
  AgentDisposed,
  LimitReached,
  ModelDefect,
  AnswerMissing,
])
export type AnyHarnessError = typeof AnyHarnessError.Type
