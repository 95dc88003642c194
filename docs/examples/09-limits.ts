import { Effect, Layer } from "effect"
import { Agent, MemoryStore, SessionLog, Toolbox } from "effect-harness"
import { ScriptedModel } from "effect-harness/testing"

const model = ScriptedModel.layer({
  steps: [
    { calls: [{ name: "final_answer", arguments: '{"city":"Oslo","degrees":"4"}' }] },
    { calls: [{ name: "final_answer", arguments: '{"city":"Oslo","degrees":4}' }] },
    { error: { code: "MODEL_UNAUTHORIZED", message: "the key is not valid" } },
  ],
})

const program = Effect.gen(function* () {
  const session = yield* SessionLog.create()
  const agent = yield* Agent.make({
    session,
    tools: Toolbox.empty,
    limits: { steps: 20, tokens: 50_000, wallTime: "5 minutes", repeatedCalls: 3 },
    answer: {
      city: { type: "string", required: true },
      degrees: { type: "number", required: true },
    },
  })

  const good = yield* agent.prompt("How warm is it in Oslo?")
  console.log(`${good.reason.kind}: ${good.answer?.city}, ${good.answer?.degrees} °C, in ${good.steps} steps`)

  const bad = yield* agent.prompt("And in Rome?")
  switch (bad.error?._tag) {
    case "ModelUnauthorized":
      console.log(`${bad.reason.kind}: check the key (${bad.error.code})`)
      break
    case "LimitReached":
      console.log(`${bad.reason.kind}: too much (${bad.error.code})`)
      break
    default:
      console.log(`${bad.reason.kind}: ${bad.text}`)
  }
})

const services = Layer.mergeAll(model, MemoryStore.layer)

await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(services)))
