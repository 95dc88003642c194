/** Words that come while a turn runs reach the model between its steps. Case: steer/lost. */
import { it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { describe, expect } from "vitest"
import type { Agent } from "../../src/loop/Agent.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, chunks, finish, gate, handmade, say, tell, textBlock } from "./world.ts"

describe("steering", () => {
  it.effect("is read in the next step of the turn, in an envelope that tells it from a prompt", () => {
    const work = gate("work")
    return tell(
      [{ calls: [{ id: "c1", name: "work", arguments: "{}" }] }, { text: "in French, then" }],
      { tools: Toolbox.make(work.tool) },
      ({ agent, session, requests }) =>
        Effect.gen(function* () {
          const prompt = yield* Effect.forkChild(agent.prompt("go"))
          yield* work.started
          const steering = yield* agent.steer("in French")
          yield* work.letGo
          expect((yield* Fiber.join(prompt)).turn).toBe(1)
          expect(all(session, "step/start").map(({ claims }) => claims)).toEqual([[], [steering]])
          expect(requests()[1]?.messages.map(({ role }) => role)).toEqual([
            "user",
            "assistant",
            "tool",
            "user",
          ])
          const [block] = requests()[1]?.messages.at(-1)?.content ?? []
          expect(block).toMatchObject({
            type: "text",
            text: expect.stringMatching(/^<steering(.|\n)*in French/),
          })
        }),
    )
  })

  it.effect("at the last moment, when the model has finished, gets another step", () => {
    const late: { agent?: Agent } = {}
    const steerAtFinish = () =>
      Stream.concat(
        chunks(textBlock("0", "done")),
        Stream.unwrap(
          Effect.suspend(() =>
            late.agent === undefined ? Effect.die("no agent") : late.agent.steer("and one more"),
          ).pipe(Effect.orDie, Effect.as(chunks(finish("stop")))),
        ),
      )
    return tell(
      handmade(steerAtFinish, () => say("done again")),
      {},
      ({ agent, session }) =>
        Effect.gen(function* () {
          late.agent = agent
          expect(yield* agent.prompt("go")).toMatchObject({ turn: 1, steps: 2, text: "done again" })
          expect(all(session, "turn/end")).toEqual([{ turn: 1, reason: { kind: "completed" } }])
        }),
    )
  })

  it.effect("while idle is a message like any other", () =>
    tell([{ text: "hello" }], {}, ({ agent, session }) =>
      Effect.gen(function* () {
        yield* agent.steer("hi")
        yield* agent.awaitIdle
        expect(all(session, "user/message")).toHaveLength(1)
        expect(all(session, "turn/end")).toHaveLength(1)
      }),
    ),
  )
})
