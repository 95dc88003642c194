import { Effect, Layer } from "effect"
import { Agent, defineTool, Replay, ReplayModel, SessionLog, Toolbox } from "effect-harness"
import { MemoryStore, ScriptedModel } from "effect-harness/testing"

const add = defineTool({
  name: "add",
  description: "Add two numbers.",
  parameters: { left: { type: "number", required: true }, right: { type: "number", required: true } },
  run: ({ left, right }) => Effect.succeed(left + right),
})

const ask = (text: string) =>
  Effect.gen(function* () {
    const session = yield* SessionLog.create()
    const agent = yield* Agent.make({ session, tools: Toolbox.make(add) })
    const { reason, text: answer } = yield* agent.prompt(text)
    console.log(answer === "" ? `${reason.code}: ${reason.message}` : answer)
    return session.log()
  }).pipe(Effect.scoped)

const recording = ScriptedModel.layer({
  steps: [{ calls: [{ name: "add", arguments: '{"left":19,"right":23}' }] }, { text: "It is 42." }],
})

const program = Effect.gen(function* () {
  const log = yield* Effect.provide(ask("What is 19 + 23?"), recording)

  // Does the log say what it derives? Every request's digest and every message is made again.
  const { requests, messages, differences } = Replay.replay(log)
  console.log(`${requests} requests, ${messages} messages, ${differences.length} differences`)

  // The same conversation without the model; then another one, which the log has no answer to.
  yield* Effect.provide(ask("What is 19 + 23?"), ReplayModel.layer(log))
  yield* Effect.provide(ask("What is 19 + 24?"), ReplayModel.layer(log))
})

await Effect.runPromise(program.pipe(Effect.provide(Layer.mergeAll(MemoryStore.layer))))
