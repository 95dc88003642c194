/** A model adapter with a bug ends the turn as failed; the agent goes on. Case: events/unpaired. */
import { it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { describe, expect } from "vitest"
import { all, chunks, handmade, say, tell, textBlock, types } from "./world.ts"

describe("a defect in the model adapter", () => {
  it.effect("in the middle of a stream closes the step and the turn, with a code", () =>
    tell(
      handmade(
        () =>
          Stream.concat(chunks(textBlock("0", "so far")), Stream.die(new TypeError("x is not a function"))),
        () => say("fine again"),
      ),
      {},
      ({ agent, session }) =>
        Effect.gen(function* () {
          const result = yield* agent.prompt("go")
          expect(result.reason).toMatchObject({ kind: "failed", code: "MODEL_DEFECT" })
          expect(result.error).toMatchObject({
            _tag: "ModelDefect",
            message: expect.stringContaining("x is not a function"),
          })
          expect(types(session).slice(-4)).toEqual(["assistant/message", "error", "step/end", "turn/end"])
          expect(all(session, "error")).toMatchObject([{ turn: 1, step: 1, code: "MODEL_DEFECT" }])
          expect((yield* agent.prompt("again")).text).toBe("fine again")
        }),
    ),
  )

  it.effect("before there is a stream is no different", () =>
    tell(
      handmade(() => {
        throw new Error("no stream today")
      }),
      {},
      ({ agent }) =>
        Effect.map(agent.prompt("go"), ({ error }) =>
          expect(error).toMatchObject({
            _tag: "ModelDefect",
            message: expect.stringContaining("no stream today"),
          }),
        ),
    ),
  )
})
