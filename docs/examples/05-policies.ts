import { Effect, Schema } from "effect"
import { defineTool, HarnessError, Tool } from "effect-harness"

class RateUnavailable extends HarnessError.extend<RateUnavailable>("RateUnavailable")({
  _tag: Schema.tag("RateUnavailable"),
}) {
  readonly code = "RATE_UNAVAILABLE"
  readonly retry = "later"
}

let attempts = 0

const exchangeRate = defineTool({
  name: "exchange_rate",
  description: "What one euro costs in a currency.",
  parameters: { currency: { type: "string", required: true } },
  run: ({ currency }) =>
    Effect.suspend(() => {
      attempts += 1
      if (attempts === 1) return Effect.never // hangs: the time-out ends it
      if (attempts === 2) return Effect.fail(new RateUnavailable({ message: "The bank is closed." }))
      return Effect.succeed({ currency, rate: 1.07 })
    }),
})

// Read from the inside out: each run has 50 ms; three runs at most; then one line instead of an object.
const patientRate = exchangeRate.pipe(
  Tool.timeout("50 millis"),
  Tool.retry({ times: 2, while: ["TOOL_TIMEOUT", "RateUnavailable"] }),
  Tool.mapEffect(({ currency, rate }) => Effect.succeed(`1 EUR = ${rate} ${currency}`)),
)

const text = await Effect.runPromise(Tool.run(patientRate)('{"currency":"USD"}'))
console.log(`${text}, after ${attempts} runs`)
