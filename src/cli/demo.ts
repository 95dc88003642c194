/**
 * `effect-harness demo`: an agent at work on real files, with a model whose mistakes are scripted.
 *
 * In:  nothing; it makes its own workspace.      Out: the timeline, the errors by tag, the log and its verdict.
 * Fails with: `Unsuccessful` when the turn did not complete or its log is unlawful.
 * Not here: what is played (`demoStory.ts`).
 */
import { Effect, FileSystem, Layer, Path } from "effect"
import { Command } from "effect/cli"
import type { SessionEvent } from "../event/SessionEvent.ts"
import * as Agent from "../loop/Agent.ts"
import * as ScriptedModel from "../model/ScriptedModel.ts"
import * as SessionLog from "../session/SessionLog.ts"
import { Unsuccessful } from "../setup/CliFailure.ts"
import * as JsonlStore from "../store/JsonlStore.ts"
import type { Paint } from "../terminal/Paint.ts"
import { abortTurnOnInterrupt } from "../terminal/Signals.ts"
import { resultPaint, writeResult } from "../terminal/Streams.ts"
import * as Timeline from "../terminal/Timeline.ts"
import * as Toolbox from "../tool/Toolbox.ts"
import * as Toolkit from "../toolkit/Toolkit.ts"
import * as Workspace from "../toolkit/Workspace.ts"
import { judgeFile } from "../verdict/Judge.ts"
import * as Verdict from "../verdict/Verdict.ts"
import * as story from "./demoStory.ts"

export const demo = Command.make("demo", {}, () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const paint = yield* resultPaint
    const home = yield* fs.makeTempDirectory({ prefix: "effect-harness-demo-" })
    const workspace = path.join(home, "workspace")
    yield* writeFiles(workspace)
    writeResult(`${paint.bold("effect-harness demo")} ${paint.dim(`· workspace ${workspace}`)}\n`)
    const { events, location, completed } = yield* Effect.scoped(
      play(workspace, path.join(home, "sessions"), paint),
    )
    const verdict = yield* judgeFile(location)
    writeResult(
      `\n${errorTable(events, paint)}\nlog      ${location}\nwritten  ${path.join(workspace, "TODO.md")}\ncheck    ${Verdict.toText(verdict, paint)}`,
    )
    if (!completed || !Verdict.isLawful(verdict)) return yield* new Unsuccessful()
  }),
).pipe(Command.withDescription("Watch an agent make mistakes, correct itself and leave a lawful log"))

const writeFiles = Effect.fnUntraced(function* (workspace: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (const [name, text] of Object.entries(story.files)) {
    const file = path.join(workspace, name)
    yield* fs.makeDirectory(path.dirname(file), { recursive: true })
    yield* fs.writeFileString(file, text)
  }
})

const play = Effect.fnUntraced(function* (workspace: string, directory: string, paint: Paint) {
  const session = yield* Effect.provide(SessionLog.create(), JsonlStore.layerNode({ directory }))
  const tools = Toolbox.concat(Toolkit.files, Toolbox.make(story.estimateHours))
  const services = Layer.mergeAll(
    ScriptedModel.layer(story.script, { name: "script:demo" }),
    Workspace.layer(workspace),
  )
  const agent = yield* Effect.provide(Agent.make({ session, tools }), services)
  yield* abortTurnOnInterrupt(session, agent)
  const timeline = Timeline.make({ paint, streaming: false })
  session.subscribe((event) => writeResult(timeline.render(event)))
  const { reason } = yield* agent.prompt(story.prompt)
  return { events: session.log(), location: session.location, completed: reason.kind === "completed" }
})

/** What a program would match on: every error of a tool call by its tag and its code. */
const errorTable = (events: ReadonlyArray<SessionEvent>, paint: Paint): string => {
  const rows = events.flatMap((event) => {
    if (event.type !== "tool/result" || event.data.error === undefined) return []
    const { name, code } = event.data.error
    return [`  ${name.padEnd(22)}${paint.bold(code.padEnd(24))}${event.data.outcome}\n`]
  })
  return `${paint.dim(`  ${"error._tag".padEnd(22)}${"code".padEnd(24)}outcome`)}\n${rows.join("")}`
}
