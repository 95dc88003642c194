/**
 * Something fails after a call was logged: only what an abort stopped says that it was aborted. Cases:
 * abort/false-cancel, abort/recorded-as-result.
 */
import { it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import * as Recovery from "../../src/recovery/Recovery.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callEcho, echo, gate, type Step, tell } from "./world.ts"

const looks = (session: Parameters<typeof all>[0]) =>
  all(session, "tool/result").map(({ callId, outcome, error }) => [callId, outcome, error?.code])

describe("a failure after a call was logged", () => {
  it.effect.each([
    ["a rate limit", { error: { code: "MODEL_RATE_LIMITED", message: "429" } }, 0],
    ["a refusal", { error: { code: "MODEL_REFUSED", message: "no" } }, 3],
    ["a cut stream", { text: "I", cutOff: true }, 0],
    ["a call cut in the middle", { calls: [callEcho("b", "c2")], cutOff: true }, 0],
  ] as ReadonlyArray<readonly [string, Step, number]>)(
    "by %s leaves the result of the call as it was, and nobody says that anything was aborted",
    ([, step, modelRetries]) =>
      tell(
        [{ calls: [callEcho("a", "c1")] }, step],
        { tools: Toolbox.make(echo), modelRetries },
        ({ agent, session }) =>
          Effect.gen(function* () {
            const { reason } = yield* agent.prompt("go")
            expect(reason.kind).toBe("failed")
            expect(looks(session)).toEqual([["c1", "success", undefined]])
            expect(JSON.stringify(session.log())).not.toMatch(/abort|cancel/i)
          }),
      ),
  )

  it.effect("by a limit of time says that the call was stopped, and the turn that it was the limit", () => {
    const work = gate("work")
    return tell(
      [{ calls: [{ id: "c1", name: "work", arguments: "{}" }] }],
      { tools: Toolbox.make(work.tool), limits: { wallTime: "1 minute" } },
      ({ agent, session }) =>
        Effect.gen(function* () {
          const prompt = yield* Effect.forkChild(agent.prompt("go"))
          yield* work.started
          yield* TestClock.adjust("1 minute")
          expect((yield* Fiber.join(prompt)).reason).toMatchObject({ kind: "limit", code: "LIMIT_WALL_TIME" })
          expect(looks(session)).toEqual([["c1", "interrupted", "ABORTED"]])
          expect(JSON.stringify(all(session, "tool/result").map(({ content }) => content))).not.toMatch(
            /abort|cancel/i,
          )
          expect(all(session, "turn/abort")).toEqual([])
        }),
    )
  })

  it.effect("by the death of the process says that nobody knows what the call did", () => {
    const work = gate("work")
    return tell(
      [{ calls: [{ id: "c1", name: "work", arguments: "{}" }, callEcho("a", "c2")] }],
      { tools: Toolbox.make(work.tool, echo), concurrency: 1 },
      ({ agent, session }) =>
        Effect.gen(function* () {
          yield* agent.send("go")
          yield* work.started
          const repair = Recovery.repair(session.state(), session.log())
          const told = repair.flatMap((draft) => (draft.type === "tool/result" ? [draft.data] : []))
          expect(told).toMatchObject([
            { callId: "c1", outcome: "outcome-unknown" },
            { callId: "c2", outcome: "not-started" },
          ])
          expect(JSON.stringify(told)).toContain("may or may not")
          expect(JSON.stringify(told)).not.toMatch(/abort|cancel/i)
          yield* agent.abort()
          yield* agent.awaitIdle
        }),
    )
  })

  it.effect("by an abort is never recorded as an ordinary result", () => {
    const work = gate("work")
    return tell(
      [{ calls: [{ id: "c1", name: "work", arguments: "{}" }] }],
      { tools: Toolbox.make(work.tool) },
      ({ agent, session }) =>
        Effect.gen(function* () {
          yield* agent.send("go")
          yield* work.started
          yield* agent.abort("stop")
          yield* agent.awaitIdle
          expect(all(session, "tool/result")).toMatchObject([{ isError: true, outcome: "interrupted" }])
        }),
    )
  })
})
