import { Effect, Layer } from "effect"
import { Agent, Approver, defineTool, Guard, MemoryStore, SessionLog, Toolbox } from "effect-harness"
import { ScriptedModel } from "effect-harness/testing"

const writeNote = defineTool({
  name: "write_note",
  description: "Write a note.",
  parameters: { text: { type: "string", required: true } },
  run: ({ text }) => Effect.succeed(`wrote ${text}`),
})

const model = ScriptedModel.layer({
  steps: [
    {
      calls: [
        { name: "write_note", arguments: '{"text":"milk"}' },
        { name: "write_note", arguments: '{"text":"the safe is open"}' },
      ],
    },
    { text: "One of two." },
  ],
})

const ask = Guard.layer(({ tool }) =>
  Effect.succeed(tool === "write_note" ? Guard.ask("it writes") : Guard.allow),
)

/** Yours asks a person: in a terminal, a chat, a ticket. It may take as long as `approvalTimeout`. */
const person: Approver.Approver = ({ args }) =>
  Effect.succeed(
    JSON.stringify(args).includes("safe")
      ? { _tag: "deny", reason: "that is nobody's business", by: "Ada" }
      : { _tag: "allow", by: "Ada" },
  )

const program = Effect.gen(function* () {
  const session = yield* SessionLog.create()
  const agent = yield* Agent.make({
    session,
    tools: Toolbox.make(writeNote),
    approvalTimeout: "5 minutes",
  })
  yield* agent.prompt("Write both down.")
  const decided = session
    .log()
    .flatMap(({ type, data }) => (type === "approval/decided" ? [`${data.verdict} by ${data.by}`] : []))
  console.log(decided.join(", "))
})

const services = Layer.mergeAll(model, MemoryStore.layer, ask, Approver.layer(person))

await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(services)))
