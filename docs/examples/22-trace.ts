import { Effect, Layer, Metric, Tracer } from "effect"
import { Agent, defineTool, MemoryStore, SessionLog, Telemetry, Toolbox } from "effect-harness"
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

const model = ScriptedModel.layer({
  steps: [
    { calls: [{ name: "add", arguments: '{"left":19}' }], usage: { inputTokens: 50, outputTokens: 9 } },
    { calls: [{ name: "add", arguments: '{"left":19,"right":23}' }] },
    { text: "It is 42." },
  ],
})

/** Prints each span as it ends. Yours comes from an exporter, such as `Otlp.layer` of `effect/observability`. */
class Printed extends Tracer.NativeSpan {
  override end(...[time, exit]: Parameters<Tracer.NativeSpan["end"]>): void {
    super.end(time, exit)
    console.log(`${this.name} ${this.attributes.get("error.type") ?? ""}`.trim())
  }
}
const tracer = Layer.succeed(Tracer.Tracer, Tracer.make({ span: (options) => new Printed(options) }))

const program = Effect.gen(function* () {
  const agent = yield* Agent.make({ session: yield* SessionLog.create(), tools: Toolbox.make(add) })
  yield* agent.prompt("What is 19 + 23?")
  yield* agent.awaitIdle
  for (const { id, attributes, state } of yield* Metric.snapshot) {
    if (id === "effect_harness.tool.calls" && "count" in state)
      console.log(`${state.count} ${attributes?.["effect_harness.tool.outcome"]}`)
  }
})

const services = Layer.mergeAll(model, MemoryStore.layer, Telemetry.layer, tracer)

await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(services)))
