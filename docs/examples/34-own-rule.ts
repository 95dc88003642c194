import { Effect, Layer, Schema } from "effect"
import { EventType, MemoryStore, SessionLog } from "effect-harness"
import { DevInvariants, Rule, Verifier } from "effect-harness/invariants"

const Charge = EventType.make({
  name: "acme:charge",
  version: 1,
  schema: Schema.Struct({ cents: Schema.Int }),
})

const budget = Rule.over(Charge, {
  id: "acme.budget",
  statement: "A session charges at most 500 cents.",
  hint: "Ask before the budget is spent.",
  initial: 0,
  step: (spent, { cents }) => {
    const total = spent + cents
    return total <= 500 ? total : new Rule.Broken(spent, [`${total} cents are charged`])
  },
})

const onePayment = Rule.make({
  id: "acme.onePayment",
  statement: "A step starts one call of pay at most.",
  hint: "Tell the model in the description of pay that it pays everything at once.",
  on: ["tool/call"],
  initial: 0,
  step: (paidIn, event, place) => {
    if (event.data.name !== "pay" || event.data.starts === false) return paidIn
    if (paidIn !== place.stepsEntered) return place.stepsEntered
    return new Rule.Broken(paidIn, [`step ${place.step} of turn ${place.turn} pays a second time`])
  },
})

const rules = [budget, onePayment]

const program = Effect.gen(function* () {
  const session = yield* SessionLog.create({ id: "shop" })
  for (const cents of [300, 250]) yield* session.append("synced", () => [EventType.draft(Charge, { cents })])
  return { log: session.log(), found: yield* DevInvariants.violations }
})

const services = Layer.mergeAll(
  MemoryStore.layer,
  EventType.layer([Charge]),
  DevInvariants.layer({ mode: "collect", rules }),
)

const { log, found } = await program.pipe(Effect.scoped, Effect.provide(services), Effect.runPromise)
for (const { rule, seq, message } of found) console.log(`live: ${rule} at seq ${seq}: ${message}`)

for (const { rule, seq, message } of Verifier.verify(log, { rules }))
  console.log(`stored: ${rule} at seq ${seq}: ${message}`)
