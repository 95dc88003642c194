import { Effect, Fiber, Layer, Stream } from "effect"
import { Agent, Content, defineTool, MemoryStore, SessionLog, Toolbox } from "effect-harness"
import { ScriptedModel } from "effect-harness/testing"

const water = defineTool({
  name: "water",
  description: "Water a bed of the garden.",
  parameters: {
    bed: { type: "string", required: true },
    seconds: { type: "number", required: true },
  },
  run: ({ bed, seconds }) => Effect.as(Effect.sleep(`${seconds} seconds`), `${bed}: wet`),
})

const model = ScriptedModel.layer({
  steps: [
    { text: "It is dry." },
    { text: "The roses first.", calls: [{ name: "water", arguments: '{"bed":"roses","seconds":0.1}' }] },
    { text: "The roses are wet; I leave out the herbs." },
    { text: "This takes an hour.", calls: [{ name: "water", arguments: '{"bed":"trees","seconds":3600}' }] },
  ],
})

const program = Effect.gen(function* () {
  const session = yield* SessionLog.create()
  const agent = yield* Agent.make({ session, tools: Toolbox.make(water) })

  session.subscribe((event) => {
    if (event.type === "turn/start") console.log(`turn ${event.data.turn}`)
    if (event.type === "steering/message") console.log(`  steer: ${Content.toText(event.data.content)}`)
    if (event.type === "assistant/message") console.log(`  model: ${Content.toText(event.data.content)}`)
    if (event.type === "tool/result") console.log(`  tool: ${event.data.outcome}`)
    if (event.type === "turn/end") console.log(`  ${event.data.reason.kind}`)
  })
  // The same events as a stream: done as soon as a tool is called.
  const aCall = agent.events.pipe(
    Stream.filter((event) => event.type === "tool/call"),
    Stream.runHead,
    Effect.forkChild({ startImmediately: true }),
  )

  yield* agent.inject("The last rain was 12 days ago.", { source: "weather station" })
  const { text } = yield* agent.prompt("How is my garden?")
  console.log(`answer: ${text}`)

  const firstCall = yield* aCall
  yield* agent.send("Water the roses and the herbs.")
  yield* Fiber.join(firstCall)
  yield* agent.steer("Not the herbs.")
  yield* agent.awaitIdle

  const secondCall = yield* aCall
  yield* agent.send("Water the trees.")
  yield* Fiber.join(secondCall)
  yield* agent.abort("It rains.")
  yield* agent.awaitIdle
})

const services = Layer.mergeAll(model, MemoryStore.layer)

await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(services)))
