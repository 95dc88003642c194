import { Effect, Layer } from "effect"
import { Agent, defineTool, MemoryStore, Model, SessionLog, Toolbox } from "effect-harness"
import { DevInvariants, Verifier } from "effect-harness/invariants"
import { ScriptedModel } from "effect-harness/testing"
import { describe, expect, it } from "vitest"

const add = defineTool({
  name: "add",
  description: "Add two numbers.",
  parameters: {
    left: { type: "number", required: true },
    right: { type: "number", required: true },
  },
  run: ({ left, right }) => Effect.succeed(left + right),
})

const script: ScriptedModel.Script = {
  steps: [
    { calls: [{ name: "add", arguments: '{"left":19,"rihgt":23}' }] },
    { calls: [{ name: "add", arguments: '{"left":19,"right":23}' }] },
    { text: "It is 42." },
  ],
}

describe("the calculator", () => {
  it("corrects a misspelt argument", async () => {
    const { model, requests } = ScriptedModel.make(script, { whenUsedUp: "fail" })
    const services = Layer.mergeAll(Model.layer(model), MemoryStore.layer, DevInvariants.layer())

    const { result, log } = await Effect.gen(function* () {
      const session = yield* SessionLog.create()
      const agent = yield* Agent.make({ session, tools: Toolbox.make(add) })
      const result = yield* agent.prompt("What is 19 + 23?")
      return { result, log: session.log() }
    }).pipe(Effect.scoped, Effect.provide(services), Effect.runPromise)

    expect(result.text).toBe("It is 42.")
    expect(result.refused).toMatchObject([{ name: "add", corrected: true }])
    expect(requests().length).toBe(3)
    expect(Verifier.verify(log)).toEqual([])
  })
})
