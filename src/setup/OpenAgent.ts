/**
 * From the flags of a command to an agent in a new session, or in one that is opened.
 *
 * In:  the shared flags.      Out: the session, its agent and what no longer fits, for as long as the scope is open.
 * Fails with: whatever keeps it from beginning; nothing is written before all of it is known to be good.
 * Not here: talking to the agent (`run.ts`, `chat.ts`).
 */
import { Effect, FileSystem, Layer, Option, type Scope } from "effect"
import * as Agent from "../loop/Agent.ts"
import { Redaction } from "../message/Redaction.ts"
import { Model } from "../model/Model.ts"
import * as SpillFolder from "../output/SpillFolder.ts"
import * as Approver from "../policy/Approver.ts"
import * as Guard from "../policy/Guard.ts"
import { inspect } from "../recovery/Inspection.ts"
import * as Redactor from "../redaction/Redactor.ts"
import type { Session } from "../session/Session.ts"
import * as SessionLog from "../session/SessionLog.ts"
import * as JsonlStore from "../store/JsonlStore.ts"
import type { SessionStore } from "../store/SessionStore.ts"
import * as Nearest from "../text/Nearest.ts"
import * as Toolbox from "../tool/Toolbox.ts"
import * as Toolkit from "../toolkit/Toolkit.ts"
import * as Workspace from "../toolkit/Workspace.ts"
import { unreadableFile, WrongUsage } from "./CliFailure.ts"
import { loadTools } from "./loadTools.ts"
import { resolveModel } from "./resolveModel.ts"

export interface AgentFlags {
  readonly model: string
  readonly system: Option.Option<string>
  readonly dir: string
  readonly workspace: string
  readonly tools: Option.Option<string>
  readonly allow: ReadonlyArray<string>
  readonly deny: ReadonlyArray<string>
  readonly idleTimeout: Option.Option<number>
}

type OpenFailure = Effect.Error<ReturnType<SessionLog.Create>> | Effect.Error<ReturnType<SessionLog.Open>>

/** Without somebody to ask, what needs an approval is denied. */
export const openAgent = Effect.fnUntraced(function* (
  flags: AgentFlags,
  approver: Approver.Approver | undefined,
  open: Effect.Effect<Session, OpenFailure, SessionStore | Scope.Scope> = SessionLog.create(),
  store: Partial<JsonlStore.Options> = {},
) {
  const model = yield* resolveModel(flags.model, flags.idleTimeout)
  const instructions = yield* readInstructions(flags.system)
  const workspace = yield* Workspace.make(flags.workspace, { reserved: [flags.dir] })
  const extra = Option.isNone(flags.tools) ? Toolbox.empty : yield* loadTools(flags.tools.value)
  const tools = yield* join(extra)
  yield* checkNames([...flags.allow, ...flags.deny], tools)
  const session = yield* Effect.provide(open, JsonlStore.layerNode({ directory: flags.dir, ...store }))
  const redactor = Redactor.make(yield* Redaction)
  redactor.learn(tools.descriptions)
  // Secrets of earlier turns may be repeated in later ones.
  for (const event of session.log()) redactor.event(event)
  const services = Layer.mergeAll(
    Layer.succeed(Model, model),
    Layer.succeed(Workspace.Workspace, workspace),
    SpillFolder.layer({ root: workspace.root }),
    Guard.layer(permit(flags, approver !== undefined)),
    approver === undefined ? Layer.empty : Layer.succeed(Approver.Approver, discreet(approver, redactor)),
  )
  const inspection = yield* Effect.provide(inspect(session.log(), tools), services)
  const agent = yield* Effect.provide(Agent.make({ session, tools, ...instructions }), services)
  return { session, agent, redactor, inspection }
})

/** Who looks over the shoulder of the person that is asked sees no secret. */
const discreet =
  (approver: Approver.Approver, redactor: Redactor.Redactor): Approver.Approver =>
  (question) =>
    approver({ ...question, args: redactor.args(question.tool, question.args) })

const readInstructions = (file: Option.Option<string>) =>
  Effect.gen(function* () {
    if (Option.isNone(file)) return {}
    const fs = yield* FileSystem.FileSystem
    const text = fs.readFileString(file.value)
    return { instructions: yield* Effect.mapError(text, unreadableFile("the instructions", file.value)) }
  })

const join = (extra: Toolbox.Toolbox<never>) =>
  Effect.try({
    try: () => Toolbox.concat(Toolkit.all, extra),
    catch: (error) => new WrongUsage({ message: String(error instanceof Error ? error.message : error) }),
  })

const checkNames = Effect.fnUntraced(function* (
  names: ReadonlyArray<string>,
  tools: Toolbox.Toolbox<unknown>,
) {
  for (const name of names) {
    if (tools.tools.has(name)) continue
    const near = Nearest.nearest(name, tools.tools.keys())
    const hint =
      near.length > 0
        ? `did you mean ${near.join(" or ")}?`
        : `there are: ${[...tools.tools.keys()].join(", ")}`
    return yield* new WrongUsage({
      message: `there is no tool ${JSON.stringify(name)} to allow or deny; ${hint}`,
    })
  }
})

/** Looking is free; what changes things has to be allowed, by name or by the person who is asked. */
const permit =
  (flags: AgentFlags, canAsk: boolean): Guard.Guard =>
  ({ tool }) => {
    if (flags.deny.includes(tool)) return Effect.succeed(Guard.deny(`--deny ${tool} was given`))
    if (!Toolkit.changing.includes(tool) || flags.allow.includes(tool)) return Effect.succeed(Guard.allow)
    if (canAsk) return Effect.succeed(Guard.ask("can change things"))
    return Effect.succeed(
      Guard.deny(`it can change things and was not allowed; the person can run again with --allow ${tool}`),
    )
  }
