import { Effect, Layer } from "effect"
import {
  Agent,
  defineTool,
  Inspection,
  Recovered,
  type SessionEvent,
  SessionLog,
  SessionStore,
  Toolbox,
} from "effect-harness"
import { MemoryStore, ScriptedModel } from "effect-harness/testing"

const payments = new Map<string, number>()
const mails = new Set<string>()

const charge = defineTool({
  name: "charge",
  description: "Charge the customer.",
  parameters: { cents: { type: "integer", required: true } },
  idempotent: true, // a second payment under the same key is the same payment
  run: ({ cents }, { key }) =>
    Effect.sync(() => {
      payments.set(key, cents)
      return `charged ${cents}`
    }),
})

const sendMail = defineTool({
  name: "send_mail",
  description: "Send a mail.",
  parameters: { to: { type: "string", required: true } },
  run: ({ to }, { key }) =>
    Effect.sync(() => {
      mails.add(key)
      return `sent to ${to}`
    }),
  // After a crash: look, do not send again.
  recover: ({ to }, key) =>
    Effect.sync(() => (mails.has(key) ? Recovered.done(`sent to ${to}`) : Recovered.notDone)),
})

const tools = Toolbox.make(charge, sendMail)
const calls = [
  { name: "charge", arguments: '{"cents":500}' },
  { name: "send_mail", arguments: '{"to":"ada@example.com"}' },
]
const model = (...steps: ReadonlyArray<ScriptedModel.Step>) => ScriptedModel.layer({ steps })

/** What a process leaves behind that was killed while both bodies ran: the log up to its last write. */
const killed = Effect.gen(function* () {
  const session = yield* SessionLog.create({ id: "order" })
  const agent = yield* Agent.make({ session, tools })
  yield* agent.prompt("Take the order.", { messageId: "order-17" })
  const log = session.log().filter(({ type }) => type !== "tool/result")
  const last = log.findLastIndex(({ type }) => type === "tool/call")
  return log.slice(0, last + 1).map((event, seq): SessionEvent.SessionEvent => ({ ...event, seq }))
}).pipe(Effect.scoped, Effect.provide([Layer.fresh(MemoryStore.layer), model({ calls }, { text: "Done." })]))

const resume = Effect.gen(function* () {
  const session = yield* SessionLog.open("order")
  for (const line of Inspection.toLines(yield* Inspection.inspect(session.log(), tools))) console.log(line)
  const agent = yield* Agent.make({ session, tools }) // goes on with the open turn
  const result = yield* agent.resumed
  console.log(`turn ${result?.turn}: ${result?.reason.kind}, "${result?.text}"`)
  // A client that was not answered says it again, under the same id, and is told the end of the same turn.
  const again = yield* agent.prompt("Take the order.", { messageId: "order-17" })
  console.log(`turn ${again.turn}, ${payments.size} payment, ${mails.size} mail`)
  for (const { type, data } of session.log()) {
    if (type === "tool/result") console.log(`${data.outcome}: ${JSON.stringify(data.content)}`)
  }
}).pipe(Effect.scoped)

const program = Effect.gen(function* () {
  const events = yield* killed
  const { create } = yield* SessionStore.SessionStore
  yield* Effect.scoped(Effect.flatMap(create("order"), (writer) => writer.append(events, "synced")))
  yield* resume
})

await Effect.runPromise(
  program.pipe(Effect.provide(Layer.merge(MemoryStore.layer, model({ text: "Paid and told." })))),
)
