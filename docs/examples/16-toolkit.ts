import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { Agent, MemoryStore, SessionLog } from "effect-harness"
import { ScriptedModel } from "effect-harness/testing"
import { Toolkit, Workspace } from "effect-harness/toolkit"

const folder = mkdtempSync(join(tmpdir(), "workspace-"))
writeFileSync(join(folder, "garden.md"), "# Garden\nTODO: order tomato seeds\n")

const model = ScriptedModel.layer({
  steps: [
    { calls: [{ name: "search_text", arguments: '{"query":"TODO"}' }] },
    { calls: [{ name: "read_file", arguments: '{"path":"../secrets.txt"}' }] },
    { text: "There is one thing to do: order tomato seeds." },
  ],
})

const program = Effect.gen(function* () {
  const session = yield* SessionLog.create()
  const agent = yield* Agent.make({ session, tools: Toolkit.readOnly })
  const { text } = yield* agent.prompt("What is there to do?")
  for (const event of session.log()) {
    if (event.type === "tool/result") console.log(event.data.error?.code ?? event.data.outcome)
  }
  console.log(text)
})

const workspace = Workspace.layer(folder)
const services = Layer.mergeAll(model, MemoryStore.layer, workspace).pipe(
  Layer.provideMerge(NodeServices.layer),
)

await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(services)))
