/** Context comes along with the next turn and begins none. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, gate, tell } from "./world.ts"

describe("injected context", () => {
  it.effect("wakes nobody and is read with the next prompt, with its source", () =>
    tell([{ text: "it rains" }], {}, ({ agent, session, requests }) =>
      Effect.gen(function* () {
        yield* agent.inject("12 degrees, rain", { source: "weather" })
        yield* agent.awaitIdle
        expect(requests()).toEqual([])
        expect(agent.status()).toBe("idle")
        yield* agent.prompt("how is it outside?")
        expect(JSON.stringify(requests()[0]?.messages)).toMatch(/weather.*12 degrees.*how is it outside/)
        expect(session.state().pending).toEqual([])
      }),
    ),
  )

  it.effect("is read by the next step when a turn runs", () => {
    const work = gate("work")
    return tell(
      [{ calls: [{ id: "c1", name: "work", arguments: "{}" }] }, { text: "noted" }],
      { tools: Toolbox.make(work.tool) },
      ({ agent, session }) =>
        Effect.gen(function* () {
          yield* agent.send("go")
          yield* work.started
          const context = yield* agent.inject("the file has changed", { source: "editor" })
          yield* work.letGo
          yield* agent.awaitIdle
          expect(all(session, "step/start").map(({ claims }) => claims)).toEqual([[], [context]])
        }),
    )
  })
})
