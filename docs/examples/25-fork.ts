import { Effect, Layer } from "effect"
import { Agent, Fork, SessionLog, Toolbox } from "effect-harness"
import { MemoryStore, ScriptedModel } from "effect-harness/testing"

const say = (session: Effect.Success<ReturnType<typeof SessionLog.create>>, text: string) =>
  Effect.gen(function* () {
    const agent = yield* Agent.make({ session, tools: Toolbox.empty })
    const result = yield* agent.prompt(text)
    console.log(`${session.id}, turn ${result.turn}: ${result.text}`)
  }).pipe(Effect.scoped)

const program = Effect.gen(function* () {
  const session = yield* SessionLog.create({ id: "plan" })
  yield* say(session, "A week in Norway, please.")
  const firstTurn = session.state().nextSeq - 1
  yield* say(session, "By train.")

  const { id } = yield* Fork.fork("plan", { at: firstTurn, id: "plan-by-boat" })
  const other = yield* SessionLog.open(id)
  yield* say(other, "By boat.")
  console.log(`${session.messages().length} messages each, ${firstTurn} events shared`)
}).pipe(Effect.scoped)

const model = ScriptedModel.layer({
  steps: [{ text: "Oslo and Bergen." }, { text: "The Bergen line." }, { text: "The coastal route." }],
})

await Effect.runPromise(program.pipe(Effect.provide(Layer.merge(MemoryStore.layer, model))))
