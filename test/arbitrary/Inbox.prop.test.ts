import { Effect, Exit } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Inbox from "../../src/arbitrary/Inbox.ts"
import * as Agent from "../../src/loop/Agent.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as TestHarness from "../../src/testing/TestHarness.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { echo } from "../flow/world.ts"

const script = {
  steps: Array.from({ length: 40 }, (_, at) =>
    at % 2 === 0 ? { calls: [{ name: "echo", arguments: '{"word":"a"}' }] } : { text: "done" },
  ),
}

const live = (acts: ReadonlyArray<Inbox.Act>) =>
  Effect.gen(function* () {
    const session = yield* SessionLog.create()
    const agent = yield* Agent.make({ session, tools: Toolbox.make(echo) })
    const exits = yield* Inbox.play(agent, acts)
    return { exits, log: session.log(), status: agent.status() }
  }).pipe(Effect.scoped, Effect.provide(TestHarness.layer(script)), Effect.runPromise)

describe("an inbox", () => {
  it("tells how every act ended, and leaves an agent that is idle", () =>
    fc.assert(
      fc.asyncProperty(Inbox.schedule, async (acts) => {
        const { exits, status } = await live(acts)
        expect(exits.length).toBe(acts.length)
        expect(exits.every(Exit.isSuccess)).toBe(true)
        expect(status).toBe("idle")
      }),
      { numRuns: 40 },
    ))

  it("does what stands in the schedule", async () => {
    const { log } = await live([
      { kind: "inject", text: "see", after: 0 },
      { kind: "send", text: "one", after: 0 },
      { kind: "prompt", text: "two", after: 3 },
    ])
    const said = log.flatMap((event) =>
      event.type === "user/message" || event.type === "context/message" ? [event.type] : [],
    )
    expect(said).toEqual(["context/message", "user/message", "user/message"])
  })
})
