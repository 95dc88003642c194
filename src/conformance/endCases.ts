/**
 * What an answer owes that is aborted, cut off, or fails.
 *
 * Not here: answers that go well (`answerCases.ts`).
 */
import { type Duration, Effect, Fiber, Option, Stream } from "effect"
import { ask, callsOf, type ModelDuty, request } from "./askModel.ts"
import { expectSame, expectThat } from "./expectSame.ts"
import type { Failing, Situations } from "./situations.ts"

interface Bounded extends Situations<unknown> {
  readonly bound: Duration.Duration
}

/** Wait for something that must come soon. */
const soon = (what: string, bound: Duration.Duration, effect: Effect.Effect<unknown>): Effect.Effect<void> =>
  Effect.map(Effect.timeoutOption(effect, bound), (came) => expectThat(what, Option.isSome(came), "silence"))

const abortCase = ({ bound, silent }: Bounded): ModelDuty => ({
  name: "stops when it is interrupted, and lets the far side know",
  check: Effect.gen(function* () {
    const { aborted, asked, model } = yield* silent
    const fiber = yield* Effect.forkDetach(Stream.runDrain(model.stream(request)))
    yield* soon("the request reaches the far side", bound, asked)
    yield* soon("the stream stops", bound, Fiber.interrupt(fiber))
    yield* soon("the far side notices", bound, aborted)
  }),
})

const cutCase = (cut: NonNullable<Bounded["cut"]>): ModelDuty => ({
  name: "finishes nothing of an answer that was cut off",
  check: Effect.gen(function* () {
    const { chunks } = yield* ask(yield* cut)
    expectSame("finished calls", callsOf(chunks), [])
    expectSame(
      "finishes",
      chunks.filter(({ type }) => type === "finish"),
      [],
    )
  }),
})

const failsOnce = ({ code, model, requests }: Failing) =>
  Effect.gen(function* () {
    const { chunks, error } = yield* ask(model)
    expectSame("the code of the failure", error?.code, code)
    expectSame(
      "finishes",
      chunks.filter(({ type }) => type === "finish"),
      [],
    )
    if (requests !== undefined) expectSame("requests", requests(), 1)
    return chunks
  })

const refusingCase = (refusing: NonNullable<Bounded["refusing"]>): ModelDuty => ({
  name: "tells by its code a failure instead of an answer, and does not ask again",
  check: Effect.gen(function* () {
    expectSame("the chunks", yield* failsOnce(yield* refusing), [])
  }),
})

const erringCase = (erring: NonNullable<Bounded["erring"]>): ModelDuty => ({
  name: "tells by its code a failure inside an answer, and does not ask again",
  check: Effect.gen(function* () {
    const chunks = yield* failsOnce(yield* erring)
    const said = chunks.flatMap((chunk) => (chunk.type === "text-delta" ? [chunk.text] : []))
    expectSame("the text before it", said.join(""), "Let me")
  }),
})

export const endCases = (situations: Bounded): ReadonlyArray<ModelDuty> => {
  const { cut, erring, refusing } = situations
  return [
    abortCase(situations),
    ...(cut === undefined ? [] : [cutCase(cut)]),
    ...(refusing === undefined ? [] : [refusingCase(refusing)]),
    ...(erring === undefined ? [] : [erringCase(erring)]),
  ]
}
