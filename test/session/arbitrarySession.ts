/** Lawful sessions of any shape: turns of steps of chunks, calls and results in any order, as drafts after session/start. */
import * as fc from "fast-check"
import type { EventDraft } from "../../src/event/SessionEvent.ts"
import * as Draft from "./drafts.ts"

const text = fc.string({ unit: "binary", maxLength: 12 })

const stepPlan = fc.record({
  steering: fc.array(text, { maxLength: 1 }),
  context: fc.array(text, { maxLength: 2 }),
  deltas: fc.array(text, { maxLength: 5 }),
  answer: text,
  results: fc.array(fc.record({ order: fc.nat(), text }), { maxLength: 3 }),
})

const turnPlan = fc.record({
  messages: fc.array(text, { minLength: 1, maxLength: 2 }),
  withdrawn: fc.boolean(),
  steps: fc.array(stepPlan, { minLength: 1, maxLength: 3 }),
  usage: fc.nat({ max: 1000 }),
})

type StepPlan = typeof stepPlan extends fc.Arbitrary<infer A> ? A : never
type TurnPlan = typeof turnPlan extends fc.Arbitrary<infer A> ? A : never

const writeStep = (turn: number, step: number, plan: StepPlan, usage: number): ReadonlyArray<EventDraft> => {
  const id = (kind: string, n: number) => `${kind}-${turn}-${step}-${n}`
  const calls = plan.results.map((_, n) => id("call", n))
  const done = plan.results
    .map((result, n) => ({ ...result, callId: id("call", n) }))
    .sort((left, right) => left.order - right.order)
  return [
    ...plan.steering.map((said, n) => Draft.steering(id("steering", n), said)),
    ...plan.context.map((said, n) => Draft.context(id("context", n), said)),
    Draft.stepStart(
      turn,
      step,
      ...plan.steering.map((_, n) => id("steering", n)),
      ...plan.context.map((_, n) => id("context", n)),
    ),
    ...plan.deltas.map((piece) => Draft.delta(turn, step, piece)),
    { type: "usage", data: { turn, step, usage: { inputTokens: usage, outputTokens: 1 } } },
    Draft.answer(turn, step, plan.answer, ...calls),
    ...calls.map((callId) => Draft.call(turn, step, callId)),
    ...done.map((result) => Draft.result(turn, step, result.callId, result.text)),
    Draft.stepEnd(turn, step),
  ]
}

const writeTurn = (turn: number, plan: TurnPlan): ReadonlyArray<EventDraft> => {
  const ids = plan.messages.map((_, n) => `user-${turn}-${n}`)
  return [
    ...plan.messages.map((said, n) => Draft.user(`user-${turn}-${n}`, said)),
    ...(plan.withdrawn ? [Draft.context(`gone-${turn}`), Draft.cancelled(`gone-${turn}`)] : []),
    Draft.turnStart(turn, ...ids),
    ...plan.steps.flatMap((step, n) => writeStep(turn, n + 1, step, plan.usage)),
    Draft.turnEnd(turn),
  ]
}

/** A session cut after any of its events, so that open turns and steps come too. */
export const arbitrarySession: fc.Arbitrary<ReadonlyArray<EventDraft>> = fc
  .record({
    turns: fc.array(turnPlan, { minLength: 1, maxLength: 3 }),
    cut: fc.double({ min: 0.2, max: 1, noNaN: true }),
  })
  .map(({ turns, cut }) => {
    const drafts = turns.flatMap((plan, n) => writeTurn(n + 1, plan))
    return drafts.slice(0, Math.ceil(drafts.length * cut))
  })
