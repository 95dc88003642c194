import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { Agent, JsonlStore, SessionLog, SessionStore, Toolbox } from "effect-harness"
import { ScriptedModel } from "effect-harness/testing"

const directory = mkdtempSync(join(tmpdir(), "sessions-")) // keep yours somewhere lasting

const model = ScriptedModel.layer({
  steps: [{ text: "Good morning." }, { text: "As I said: good morning." }],
})
const store = JsonlStore.layerNode({ directory }).pipe(Layer.provide(NodeServices.layer))

const talk = (text: string, id?: string) =>
  Effect.gen(function* () {
    const session = yield* id === undefined ? SessionLog.create({ id: "morning" }) : SessionLog.open(id)
    const agent = yield* Agent.make({ session, tools: Toolbox.empty })
    const result = yield* agent.prompt(text)
    console.log(`${result.text} (turn ${result.turn}, ${session.messages().length} messages)`)
  }).pipe(Effect.scoped) // closing the scope closes the log

const program = Effect.gen(function* () {
  yield* talk("Hello.")
  yield* talk("What did you say?", "morning")
  const { list, read } = yield* SessionStore.SessionStore
  for (const { id } of yield* list) console.log(`${id}.jsonl: ${(yield* read(id)).length} events`)
})

await Effect.runPromise(program.pipe(Effect.provide(Layer.mergeAll(model, store))))
