import { Effect, Layer } from "effect"
import { Agent, defineTool, MemoryStore, SessionLog, Toolbox } from "effect-harness"
import { DevInvariants } from "effect-harness/invariants"
import { ScriptedModel } from "effect-harness/testing"

const add = defineTool({
  name: "add",
  description: "Add two numbers.",
  parameters: {
    left: { type: "number", required: true },
    right: { type: "number", required: true },
  },
  run: ({ left, right }) => Effect.succeed(left + right),
})

const program = Effect.gen(function* () {
  const session = yield* SessionLog.create()
  const agent = yield* Agent.make({ session, tools: Toolbox.make(add), instructions: "Use the tools." })
  const { text, reason } = yield* agent.prompt("What is 19 + 23?")
  return `${reason.kind}: ${text}`
})

// A model without a key: it does what the script says, mistakes included.
const model = ScriptedModel.layer({
  steps: [
    { calls: [{ name: "add", arguments: '{"left":19,"rihgt":23}' }] },
    { calls: [{ name: "add", arguments: '{"left":19,"right":23}' }] },
    { text: "It is 42." },
  ],
})

const services = Layer.mergeAll(model, MemoryStore.layer, DevInvariants.layer())

console.log(await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(services))))
