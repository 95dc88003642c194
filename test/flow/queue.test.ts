/** Prompts wait for each other; each gets its own turn and its own result. */
import { it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { describe, expect } from "vitest"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, gate, tell } from "./world.ts"

describe("two prompts", () => {
  it.effect("at the same time are two turns, in the order of acceptance", () =>
    tell([{ text: "first" }, { text: "second" }], {}, ({ agent, session }) =>
      Effect.gen(function* () {
        const [one, two] = yield* Effect.all([agent.prompt("1"), agent.prompt("2")], {
          concurrency: "unbounded",
        })
        expect([one.turn, one.text, two.turn, two.text]).toEqual([1, "first", 2, "second"])
        expect(all(session, "turn/start").map(({ claims }) => claims.length)).toEqual([1, 1])
      }),
    ),
  )

  it.effect("of which nobody waits for the first any more are still both answered", () => {
    const work = gate("work")
    return tell(
      [{ calls: [{ id: "c1", name: "work", arguments: "{}" }] }, { text: "first" }, { text: "second" }],
      { tools: Toolbox.make(work.tool) },
      ({ agent, session }) =>
        Effect.gen(function* () {
          const one = yield* Effect.forkChild(agent.prompt("1"))
          yield* work.started
          yield* Fiber.interrupt(one)
          const two = yield* Effect.forkChild(agent.prompt("2"))
          yield* work.letGo
          expect((yield* Fiber.join(two)).text).toBe("second")
          expect(all(session, "turn/end").map(({ reason }) => reason.kind)).toEqual([
            "completed",
            "completed",
          ])
        }),
    )
  })
})
