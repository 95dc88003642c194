import { Effect, Layer, Redacted } from "effect"
import { Agent, SessionLog, SessionStore, Toolbox } from "effect-harness"
import { PostgresStore } from "effect-harness/postgres"
import { ScriptedModel } from "effect-harness/testing"

const talk = Effect.gen(function* () {
  const session = yield* SessionLog.create()
  const agent = yield* Agent.make({ session, tools: Toolbox.empty })
  const { text } = yield* agent.prompt("Hello.")
  const { read } = yield* SessionStore.SessionStore
  console.log(`${session.location}: ${(yield* read(session.id)).length} events, ${text}`)
}).pipe(Effect.scoped)

const url = process.env["DATABASE_URL"]
if (url !== undefined) {
  const store = PostgresStore.layer({ url: Redacted.make(url), maxConnections: 5 })
  const model = ScriptedModel.layer({ steps: [{ text: "Good morning." }] })
  await Effect.runPromise(talk.pipe(Effect.provide(Layer.mergeAll(store, model))))
}
