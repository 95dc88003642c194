import { Effect } from "effect"
import { Agent, defineTool, SessionLog, Tool, Toolbox } from "effect-harness"
import { Inbox, Values } from "effect-harness/arbitrary"
import { TestHarness } from "effect-harness/testing"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const parameters = {
  city: { type: "string", minLength: 1, maxLength: 40, required: true },
  days: { type: "integer", minimum: 1, maximum: 7 },
} as const

const forecast = defineTool({
  name: "forecast",
  description: "The weather of a city.",
  parameters,
  run: ({ city, days = 1 }) => Effect.succeed(`${city}, ${days} days: sunny`),
})

const run = (args: unknown) => Tool.run(forecast)(JSON.stringify(args))

describe("forecast", () => {
  it("takes whatever its spec describes", () =>
    fc.assert(
      fc.asyncProperty(Values.fitting(parameters), async (args) => {
        expect(await Effect.runPromise(run(args))).toContain("sunny")
      }),
    ))

  it("names the place of what it refuses", () =>
    fc.assert(
      fc.asyncProperty(Values.nearMiss(parameters), async ({ path, value }) => {
        const error = await Effect.runPromise(Effect.flip(run(value)))
        expect(error).toMatchObject({ _tag: "ToolArgsInvalid", violations: [{ path }] })
      }),
    ))
})

const world = TestHarness.layer({
  steps: Array.from({ length: 50 }, (_, at) =>
    at % 2 === 0 ? { calls: [{ name: "forecast", arguments: '{"city":"Oslo"}' }] } : { text: "Sunny." },
  ),
})

describe("the agent", () => {
  it("is idle in the end, whatever comes when", () =>
    fc.assert(
      fc.asyncProperty(Inbox.schedule, (acts) =>
        Effect.gen(function* () {
          const session = yield* SessionLog.create()
          const agent = yield* Agent.make({ session, tools: Toolbox.make(forecast) })
          yield* Inbox.play(agent, acts)
          expect(agent.status()).toBe("idle")
        }).pipe(Effect.scoped, Effect.provide(world), Effect.runPromise),
      ),
      { numRuns: 25 },
    ))
})
