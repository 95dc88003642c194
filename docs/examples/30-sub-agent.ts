import { Effect, Layer } from "effect"
import { Agent, Content, defineTool, MemoryStore, Model, SessionLog, Toolbox } from "effect-harness"
import { ScriptedModel } from "effect-harness/testing"

const countWords = defineTool({
  name: "count_words",
  description: "Count the words of a text.",
  parameters: { text: { type: "string", required: true } },
  run: ({ text }) => Effect.succeed(text.split(" ").length),
})

/** Answers the inner agent; the outer one has another model. */
const inner = ScriptedModel.make({
  steps: [
    { calls: [{ name: "count_words", arguments: '{"text":"a rose is a rose"}' }] },
    { text: "Five words." },
  ],
})

/** A tool whose body is an agent: it has a session of its own, which ends with the call. */
const delegate = defineTool({
  name: "delegate",
  description: "Give a task to an assistant that can count.",
  parameters: { task: { type: "string", required: true } },
  run: ({ task }) =>
    Effect.gen(function* () {
      const session = yield* SessionLog.create()
      const agent = yield* Agent.make({ session, tools: Toolbox.make(countWords), limits: { steps: 10 } })
      const { text, reason } = yield* agent.prompt(task)
      return `${reason.kind}: ${text}`
    }).pipe(Effect.scoped, Effect.provide(Model.layer(inner.model))),
})

const outer = ScriptedModel.layer({
  steps: [
    { calls: [{ name: "delegate", arguments: '{"task":"How long is it?"}' }] },
    ({ messages }) => ({ text: `I asked. (${messages.length} messages)` }),
  ],
})

const program = Effect.gen(function* () {
  const session = yield* SessionLog.create()
  const agent = yield* Agent.make({ session, tools: Toolbox.make(delegate) })
  const { text } = yield* agent.prompt("How long is the line?")
  const results = session
    .log()
    .flatMap(({ type, data }) => (type === "tool/result" ? [Content.toText(data.content)] : []))
  console.log(`${results.join()} ${text}`)
})

await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(Layer.mergeAll(outer, MemoryStore.layer))))
