import { Effect, Layer } from "effect"
import { Agent, SessionLog, type Summary, Toolbox } from "effect-harness"
import { MemoryStore, ScriptedModel } from "effect-harness/testing"

const summarise: Summary.Summarise = (messages) =>
  Effect.succeed({ content: [{ type: "text", text: `${messages.length} messages about Norway` }] })

const program = Effect.gen(function* () {
  const session = yield* SessionLog.create()
  const agent = yield* Agent.make({ session, tools: Toolbox.empty, compaction: { summarise } })
  yield* agent.prompt("A week in Norway, please.")
  yield* agent.prompt("By train.")
  yield* agent.compact() // and by itself, when a model finds the history too long
  console.log(`${session.messages().length} message, ${session.log().length} events`)
  console.log(JSON.stringify(session.messages()[0]?.content))
}).pipe(Effect.scoped)

const model = ScriptedModel.layer({ steps: [{ text: "Oslo and Bergen." }, { text: "The Bergen line." }] })

await Effect.runPromise(program.pipe(Effect.provide(Layer.merge(MemoryStore.layer, model))))
