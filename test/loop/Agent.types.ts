/** What an agent needs and how it fails, to the last member. Checked by the compiler alone. */
import { Context, Effect, Schema, type Scope, type Stream } from "effect"
import type { CallFailure } from "../../src/call/CallFailure.ts"
import type { EventRejected } from "../../src/event/EventError.ts"
import * as Agent from "../../src/loop/Agent.ts"
import type { AgentDisposed } from "../../src/loop/LoopError.ts"
import type { Model } from "../../src/model/Model.ts"
import type { Session } from "../../src/session/Session.ts"
import type { SessionPoisoned } from "../../src/session/SessionError.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import type { SessionStore } from "../../src/store/SessionStore.ts"
import type {
  SeqConflict,
  SessionBusy,
  SessionExists,
  SessionFenced,
  SessionIdInvalid,
  StoreUnavailable,
} from "../../src/store/StoreError.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as TurnResult from "../../src/turn/TurnResult.ts"
import { same } from "../types/same.ts"

type AppendError = EventRejected | SessionPoisoned | StoreUnavailable | SeqConflict | SessionFenced

class Database extends Context.Service<Database, { readonly rows: number }>()("test/Database") {}
class Clockwork extends Context.Service<Clockwork, { readonly now: string }>()("test/Clockwork") {}

const count = defineTool({
  name: "count",
  description: "Count rows",
  parameters: { table: { type: "string", required: true } },
  run: () => Effect.map(Database, ({ rows }) => rows),
})
const now = defineTool({
  name: "now",
  description: "Tell the time",
  parameters: {},
  run: () => Effect.map(Clockwork, (clockwork) => clockwork.now),
})

declare const session: Session

const plain = Agent.make({ session, tools: Toolbox.empty })
same<typeof plain, Effect.Effect<Agent.Agent, AppendError, Model | Scope.Scope>>(true)

const counting = Agent.make({ session, tools: Toolbox.make(count, now) })
same<typeof counting, Effect.Effect<Agent.Agent, AppendError, Model | Database | Clockwork | Scope.Scope>>(
  true,
)

const answering = Agent.make({
  session,
  tools: Toolbox.make(count),
  answer: { rows: { type: "integer", required: true } },
})
type Rows = { readonly rows: number }
same<typeof answering, Effect.Effect<Agent.Agent<Rows>, AppendError, Model | Database | Scope.Scope>>(true)

const Dated = Schema.Struct({ at: Schema.DateFromString })
const dating = Agent.make({ session, tools: Toolbox.empty, answer: Dated })
same<typeof dating, Effect.Effect<Agent.Agent<{ readonly at: Date }>, AppendError, Model | Scope.Scope>>(true)

type Prompted<A> = ReturnType<Agent.Agent<A>["prompt"]>
same<Prompted<Rows>, Effect.Effect<TurnResult.TurnResult<Rows>, AgentDisposed | AppendError>>(true)
same<TurnResult.TurnResult<Rows>["answer"], Rows | undefined>(true)
same<TurnResult.TurnResult["answer"], undefined>(true)
// A completed turn has its answer, when one was asked for.
declare const told: TurnResult.TurnResult<Rows>
if (TurnResult.isCompleted(told)) same<typeof told.answer, Rows>(true)
declare const plainly: TurnResult.TurnResult
if (TurnResult.isCompleted(plainly)) same<typeof plainly.reason.kind, "completed">(true)

same<Agent.Agent["failures"], Stream.Stream<CallFailure>>(true)
same<CallFailure["error"], unknown>(true)
same<Agent.Agent["awaitIdle"], Effect.Effect<void>>(true)
same<ReturnType<Agent.Agent["abort"]>, Effect.Effect<boolean, AgentDisposed | AppendError>>(true)

const whole = Effect.gen(function* () {
  const opened = yield* SessionLog.create()
  const agent = yield* Agent.make({ session: opened, tools: Toolbox.make(count) })
  return yield* agent.prompt("how many?")
})
same<
  typeof whole,
  Effect.Effect<
    TurnResult.TurnResult,
    AgentDisposed | AppendError | SessionBusy | SessionExists | SessionIdInvalid,
    SessionStore | Model | Database | Scope.Scope
  >
>(true)
