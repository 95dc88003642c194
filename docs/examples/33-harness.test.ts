import { it } from "@effect/vitest"
import { Effect } from "effect"
import { Agent, defineTool, SessionLog, Toolbox } from "effect-harness"
import { TestHarness } from "effect-harness/testing"
import { describe, expect } from "vitest"

const add = defineTool({
  name: "add",
  description: "Add two numbers.",
  parameters: {
    left: { type: "number", required: true },
    right: { type: "number", required: true },
  },
  run: ({ left, right }) => Effect.succeed(left + right),
})

const world = TestHarness.layer({
  steps: [
    { calls: [{ name: "add", arguments: '{"left":19,"rihgt":23}' }] },
    { calls: [{ name: "add", arguments: '{"left":19,"right":23}' }] },
    { text: "It is 42." },
  ],
})

describe("the calculator", () => {
  it.effect("tells the model what was wrong with its arguments", () =>
    Effect.gen(function* () {
      const session = yield* SessionLog.create()
      const agent = yield* Agent.make({ session, tools: Toolbox.make(add) })
      const { refused, text } = yield* agent.prompt("What is 19 + 23?")
      const asked = yield* TestHarness.Requests

      expect(text).toBe("It is 42.")
      expect(refused).toMatchObject([{ name: "add", corrected: true }])
      expect(JSON.stringify(asked()[1]?.messages.at(-1))).toContain('did you mean \\"right\\"?')
    }).pipe(Effect.scoped, Effect.provide(world)),
  )
})
