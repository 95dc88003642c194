/** Calls of one step run side by side; a bug in one of them is its own affair. Cases: order/results, ids/restart. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callEcho, echo, gate, logged, tell } from "./world.ts"

const broken = defineTool({
  name: "broken",
  description: "Throw",
  parameters: {},
  run: () => {
    throw new Error("a bug in the body")
  },
})

const call = (id: string, name: string) => ({ id, name, arguments: "{}" })

describe("parallel calls", () => {
  it.effect("lose nothing when one of them throws", () =>
    tell(
      [{ calls: [callEcho("a", "c1"), call("c2", "broken"), callEcho("b", "c3")] }, { text: "done" }],
      { tools: Toolbox.make(echo, broken) },
      ({ agent, session }) =>
        Effect.gen(function* () {
          const { reason, refused } = yield* agent.prompt("go")
          expect(reason).toEqual({ kind: "completed" })
          expect(refused).toEqual([])
          expect(all(session, "tool/result").map(({ callId, outcome }) => [callId, outcome])).toEqual([
            ["c1", "success"],
            ["c2", "defect"],
            ["c3", "success"],
          ])
        }),
    ),
  )

  it.effect("are logged as they end and read in the order in which they were asked for", () => {
    const slow = gate("slow")
    return tell(
      [{ calls: [call("c1", "slow"), callEcho("fast", "c2")] }, { text: "done" }],
      { tools: Toolbox.make(slow.tool, echo) },
      ({ agent, session, requests }) =>
        Effect.gen(function* () {
          yield* agent.send("go")
          yield* logged(session, "tool/result")
          yield* slow.letGo
          yield* agent.awaitIdle
          expect(all(session, "tool/result").map(({ callId }) => callId)).toEqual(["c2", "c1"])
          expect(requests()[1]?.messages.at(-1)?.content).toMatchObject([{ callId: "c1" }, { callId: "c2" }])
        }),
    )
  })

  it.effect("run no more bodies at once than there are slots", () => {
    let running = 0
    let most = 0
    const busy = defineTool({
      name: "busy",
      description: "Count who else runs",
      parameters: {},
      run: () =>
        Effect.gen(function* () {
          most = Math.max(most, ++running)
          yield* Effect.yieldNow
          running--
        }),
    })
    return tell(
      [{ calls: ["c1", "c2", "c3", "c4", "c5"].map((id) => call(id, "busy")) }, { text: "done" }],
      { tools: Toolbox.make(busy), concurrency: 2 },
      ({ agent }) => Effect.map(agent.prompt("go"), () => expect(most).toBe(2)),
    )
  })

  it.effect("cannot be given no slot at all", () =>
    Effect.map(Effect.exit(tell([], { concurrency: 0 }, () => Effect.void)), (exit) =>
      expect(String(exit)).toContain("concurrency must be"),
    ),
  )

  it.effect("that repeat an id, or have none, get ids of their own and their own results", () =>
    tell(
      [
        { calls: [callEcho("a", "call_0"), callEcho("b", "call_0")] },
        { calls: [callEcho("c", "call_0"), callEcho("d", "")] },
        { text: "done" },
      ],
      { tools: Toolbox.make(echo) },
      ({ agent, session }) =>
        Effect.gen(function* () {
          yield* agent.prompt("go")
          const results = all(session, "tool/result")
          expect(results.map(({ content }) => content)).toMatchObject([
            [{ text: "a" }],
            [{ text: "b" }],
            [{ text: "c" }],
            [{ text: "d" }],
          ])
          const ids = all(session, "tool/call").map(({ callId }) => callId)
          expect(ids[0]).toBe("call_0")
          expect(new Set(ids).size).toBe(4)
          expect(results.map(({ callId }) => callId)).toEqual(ids)
        }),
    ),
  )
})
