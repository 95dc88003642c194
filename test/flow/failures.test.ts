/** The error of a call reaches the program as it was thrown; log and model get its name, code and words. */
import { it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { describe, expect } from "vitest"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { ToolArgsInvalid, ToolDefect, ToolFailed, ToolNotFound } from "../../src/tool/ToolError.ts"
import { resume, through } from "../recovery/cutLog.ts"
import { all, callBlock, callEcho, chunks, echo, finish, handmade, type Step, say, tell } from "./world.ts"

class CardRefused {
  readonly _tag = "CardRefused"
  readonly code = "CARD_REFUSED"
  readonly message = "no money"
  readonly card = "4111-secret"
}
const refused = new CardRefused()

const charge = defineTool({
  name: "charge",
  description: "Charge a card",
  parameters: {},
  idempotent: true,
  run: () => Effect.fail(refused),
})
const rejects = defineTool({
  name: "rejects",
  description: "Reject",
  parameters: {},
  run: () => Promise.reject("just so"),
})
const breaks = defineTool({
  name: "breaks",
  description: "Have a bug",
  parameters: {},
  run: () => Effect.die(new Error("a bug")),
})
const call = (id: string, name: string) => ({ id, name, arguments: "{}" })
const charging: ReadonlyArray<Step> = [{ calls: [call("c1", "charge")] }, { text: "done" }]

const listen = <A>(stream: Stream.Stream<A>, count: number) =>
  Effect.forkChild(Stream.runCollect(Stream.take(stream, count)), { startImmediately: true })

describe("failures", () => {
  it.effect(
    "hold the very error of the body, after its result is logged, and neither log nor model does",
    () =>
      tell(charging, { tools: Toolbox.make(charge) }, ({ agent, session, requests }) =>
        Effect.gen(function* () {
          const heard = yield* Effect.forkChild(
            Stream.runHead(
              Stream.map(agent.failures, (failure) => [failure, all(session, "tool/result")] as const),
            ),
            { startImmediately: true },
          )
          yield* agent.prompt("go")
          const told = yield* Effect.fromOption(yield* Fiber.join(heard))
          expect(told[0]).toEqual({ turn: 1, step: 1, callId: "c1", tool: "charge", error: refused })
          expect(told[0].error).toBe(refused)
          expect(told[1]).toMatchObject([{ callId: "c1", error: { name: "CardRefused" } }])
          expect(JSON.stringify([session.log(), requests()])).not.toContain("4111-secret")
        }),
      ),
  )

  it.effect("come of every stage, and of no call that succeeds", () =>
    tell(
      [
        {
          calls: [
            callEcho("fine", "c0"),
            ...[call("c1", "rejects"), call("c2", "breaks"), call("c3", "echo"), call("c4", "nothing")],
          ],
        },
        { text: "done" },
      ],
      { tools: Toolbox.make(echo, rejects, breaks) },
      ({ agent }) =>
        Effect.gen(function* () {
          const heard = yield* listen(agent.failures, 4)
          yield* agent.prompt("go")
          const errors = new Map((yield* Fiber.join(heard)).map(({ callId, error }) => [callId, error]))
          expect([...errors.keys()].sort()).toEqual(["c1", "c2", "c3", "c4"])
          expect(errors.get("c1")).toBeInstanceOf(ToolFailed)
          expect(errors.get("c1")).toMatchObject({ cause: "just so" })
          expect(errors.get("c2")).toBeInstanceOf(ToolDefect)
          expect(errors.get("c3")).toBeInstanceOf(ToolArgsInvalid)
          expect(errors.get("c4")).toBeInstanceOf(ToolNotFound)
        }),
    ),
  )

  it.effect("come of calls in an answer that was cut off", () =>
    tell(
      handmade(
        () => chunks(callBlock("c1", "charge", "{}"), finish("max-tokens")),
        () => say("done"),
      ),
      { tools: Toolbox.make(charge) },
      ({ agent }) =>
        Effect.gen(function* () {
          const heard = yield* listen(agent.failures, 1)
          yield* agent.prompt("go")
          expect(yield* Fiber.join(heard)).toMatchObject([
            { callId: "c1", tool: "charge", error: { _tag: "ToolNotStarted" } },
          ])
        }),
    ),
  )

  it.effect("come of a call that is run again after a restart", () =>
    Effect.gen(function* () {
      const log = yield* tell(charging, { tools: Toolbox.make(charge) }, ({ agent, session }) =>
        Effect.map(agent.prompt("go"), () => session.log()),
      )
      const cut = through(log, "tool/call")
      const heard = yield* resume(cut, [{ text: "done" }], { tools: Toolbox.make(charge) }, ({ agent }) =>
        Effect.gen(function* () {
          const failures = yield* listen(agent.failures, 1)
          yield* agent.resumed
          return yield* Fiber.join(failures)
        }),
      )
      expect(heard.map(({ callId, error }) => [callId, error])).toEqual([["c1", refused]])
    }),
  )

  it.effect("end with the agent", () =>
    Effect.gen(function* () {
      const fiber = yield* tell([], { tools: Toolbox.empty }, ({ agent }) =>
        Effect.forkDetach(Stream.runCollect(agent.failures), { startImmediately: true }),
      )
      expect(yield* Fiber.join(fiber)).toEqual([])
    }),
  )
})
