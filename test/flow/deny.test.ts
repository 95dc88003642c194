/** A guard says no, or an answer gives up: the turn goes on, and its end says what was never put right. Case: loop/repeat. */
import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { describe, expect } from "vitest"
import { Approver } from "../../src/policy/Approver.ts"
import * as Guard from "../../src/policy/Guard.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callEcho, echo, tell } from "./world.ts"

const tools = Toolbox.make(echo)

describe("a refused call", () => {
  it.effect("that a guard denied never starts, and the model reads why", () =>
    tell(
      [{ calls: [callEcho("a", "c1")] }, { text: "I may not" }],
      { tools },
      ({ agent, session, requests }) =>
        Effect.gen(function* () {
          const { refused } = yield* agent.prompt("go")
          expect(refused).toMatchObject([{ callId: "c1", outcome: "denied", error: { code: "TOOL_DENIED" } }])
          expect(all(session, "tool/call")).toMatchObject([{ callId: "c1", starts: false }])
          expect(JSON.stringify(requests()[1]?.messages)).toContain("not on Sundays")
        }),
    ).pipe(Effect.provide(Guard.layer(() => Effect.succeed(Guard.deny("not on Sundays"))))),
  )

  it.effect("that waits for an approval when the turn is aborted never starts", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const silent = () => Effect.andThen(Deferred.succeed(asked, undefined), Effect.never)
      yield* tell([{ calls: [callEcho("a", "c1")] }], { tools }, ({ agent, session }) =>
        Effect.gen(function* () {
          const prompt = yield* Effect.forkChild(agent.prompt("go"))
          yield* Deferred.await(asked)
          yield* agent.abort()
          expect((yield* Fiber.join(prompt)).reason.kind).toBe("aborted")
          expect(all(session, "tool/result")).toMatchObject([
            { callId: "c1", outcome: "interrupted-before-start" },
          ])
        }),
      ).pipe(
        Effect.provide(Guard.layer(() => Effect.succeed(Guard.ask("may it?")))),
        Effect.provideService(Approver, silent),
      )
    }),
  )

  it.effect("that the model corrects in plain text only is plain to see on the turn and in the log", () =>
    tell(
      [{ calls: [{ id: "c1", name: "echo", arguments: '{"wrod":"a"}' }] }, { text: '{"word":"a"}' }],
      { tools },
      ({ agent, session }) =>
        Effect.gen(function* () {
          const result = yield* agent.prompt("go")
          expect(result.text).toBe('{"word":"a"}')
          expect(result.refused).toMatchObject([{ callId: "c1", corrected: false }])
          const [end] = all(session, "turn/end")
          expect(end?.reason).toMatchObject({ kind: "completed", code: "CALL_NEVER_CORRECTED" })
          expect(end?.reason.message).toContain("INVALID_ARGS")
        }),
    ),
  )

  it.effect("of a tool that does not exist is made good by any call that succeeds", () =>
    tell(
      [
        { calls: [{ id: "c1", name: "ecco", arguments: "{}" }] },
        { calls: [callEcho("a")] },
        { text: "done" },
      ],
      { tools },
      ({ agent }) =>
        Effect.map(agent.prompt("go"), ({ reason, refused }) => {
          expect(reason).toEqual({ kind: "completed" })
          expect(refused).toMatchObject([
            { outcome: "unknown-tool", error: { code: "UNKNOWN_TOOL" }, corrected: true },
          ])
        }),
    ),
  )
})
