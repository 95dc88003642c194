import { Effect, Layer } from "effect"
import { Agent, defineTool, type Model, ReplayModel, SessionLog, Toolbox } from "effect-harness"
import { MemoryStore, Recording, ScriptedModel } from "effect-harness/testing"

const add = defineTool({
  name: "add",
  description: "Add two numbers.",
  parameters: { left: { type: "number", required: true }, right: { type: "number", required: true } },
  run: ({ left, right }) => Effect.succeed(left + right),
})

const ask = (model: Layer.Layer<Model.Model>, instructions: string) =>
  Effect.gen(function* () {
    const session = yield* SessionLog.create()
    const agent = yield* Agent.make({ session, tools: Toolbox.make(add), instructions })
    const { reason, text } = yield* agent.prompt("What is 19 + 23?")
    console.log(`${reason.kind}: ${text === "" ? reason.code : text}`)
    return session.log()
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(model, MemoryStore.layer)), Effect.runPromise)

// Stands for a provider; `Providers.layer("anthropic:NAME")` gives one.
const provider = ScriptedModel.layer({
  steps: [{ calls: [{ name: "add", arguments: '{"left":19,"right":23}' }] }, { text: "It is 42." }],
})

const log = await ask(provider, "Use the tools.")

// Whatever is asked, the answers come in their order.
const script = Recording.toScript(log)
await ask(ScriptedModel.layer(script), "Use the tools, and be brief.")

// Only what was asked is answered.
await ask(ReplayModel.layer(log), "Use the tools.")
await ask(ReplayModel.layer(log), "Use the tools, and be brief.")
