import { Schema } from "effect"
import { EventType } from "effect-harness"
import { Rule } from "effect-harness/invariants"

export const Charge = EventType.make({
  name: "acme:charge",
  version: 1,
  schema: Schema.Struct({ cents: Schema.Int }),
})

export const budget = Rule.over(Charge, {
  id: "acme.budget",
  statement: "A session charges at most 500 cents.",
  hint: "Ask before the budget is spent.",
  initial: 0,
  step: (spent, { cents }) =>
    spent + cents <= 500 ? spent + cents : new Rule.Broken(spent, [`${spent + cents} cents are charged`]),
})

export const firstTry = Rule.make({
  id: "acme.firstTry",
  statement: "A call is accepted as the model first makes it.",
  hint: "Say in the description of the tool what models get wrong.",
  on: ["tool/result"],
  initial: undefined,
  step: (state, { data }) =>
    data.outcome === "rejected" ? new Rule.Broken(state, [`${data.callId} is rejected`]) : state,
})
