/** A person stops a turn; everything that was begun is closed. Cases: abort/recorded-as-result, status/stuck, status/late-events, steer/lost. */
import { it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { describe, expect } from "vitest"
import type { ModelChunk } from "../../src/message/ModelChunk.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import {
  all,
  callBlock,
  callEcho,
  chunks,
  echo,
  gate,
  handmade,
  logged,
  say,
  tell,
  textBlock,
  types,
} from "./world.ts"

const call = (id: string, name: string) => ({ id, name, arguments: "{}" })

/** Speaks, and never ends. */
const endless = (...parts: ReadonlyArray<ReadonlyArray<ModelChunk>>) =>
  Stream.concat(chunks(...parts), Stream.never)

describe("an abort", () => {
  it.effect("in the middle of an answer keeps its finished blocks, but no call", () =>
    tell(
      handmade(() =>
        endless(textBlock("0", "I will"), callBlock("c1", "echo", "{}"), [
          { type: "block-start", block: "2", kind: "text" },
          { type: "text-delta", block: "2", text: "half a sen" },
        ]),
      ),
      { tools: Toolbox.make(echo) },
      ({ agent, session }) =>
        Effect.gen(function* () {
          const prompt = yield* Effect.forkChild(agent.prompt("go"))
          yield* logged(session, "assistant/chunk")
          yield* Effect.yieldNow
          expect(agent.status()).toBe("running")
          expect(yield* agent.abort("enough")).toBe(true)
          const result = yield* Fiber.join(prompt)
          expect(result).toMatchObject({ reason: { kind: "aborted", message: "enough" }, text: "I will" })
          expect(all(session, "assistant/message")).toEqual([
            { turn: 1, step: 1, content: [{ type: "text", text: "I will" }], finish: { kind: "aborted" } },
          ])
          expect(types(session).slice(-5)).toEqual([
            "step/start",
            "turn/abort",
            "assistant/message",
            "step/end",
            "turn/end",
          ])
          expect(agent.status()).toBe("idle")
        }),
    ),
  )

  it.effect("in the middle of three calls with one slot logs three outcomes", () => {
    const first = gate("first")
    return tell(
      [{ calls: [call("c1", "first"), callEcho("a", "c2"), callEcho("b", "c3")] }],
      { tools: Toolbox.make(first.tool, echo), concurrency: 1 },
      ({ agent, session, requests }) =>
        Effect.gen(function* () {
          const prompt = yield* Effect.forkChild(agent.prompt("go"))
          yield* first.started
          expect(yield* agent.abort()).toBe(true)
          expect((yield* Fiber.join(prompt)).reason.kind).toBe("aborted")
          expect(
            all(session, "tool/result")
              .map(({ callId, outcome, error }) => [callId, outcome, error?.code])
              .sort(),
          ).toEqual([
            ["c1", "interrupted", "ABORTED"],
            ["c2", "interrupted-before-start", "ABORTED_BEFORE_START"],
            ["c3", "interrupted-before-start", "ABORTED_BEFORE_START"],
          ])
          expect(all(session, "tool/call").map(({ callId, starts }) => [callId, starts])).toEqual([
            ["c1", undefined],
            ["c2", false],
            ["c3", false],
          ])
          expect(requests()).toHaveLength(1)
        }),
    )
  })

  it.effect("that comes while a body cleans up keeps what the body did", () => {
    const stubborn = gate("stubborn")
    const tool = defineTool({
      name: "stubborn",
      description: "Finish come what may",
      parameters: {},
      run: () =>
        Effect.uninterruptible(
          stubborn.tool.body(
            {},
            { callId: "", key: "", signal: new AbortController().signal, progress: () => Effect.void },
          ),
        ),
    })
    return tell([{ calls: [call("c1", "stubborn")] }], { tools: Toolbox.make(tool) }, ({ agent, session }) =>
      Effect.gen(function* () {
        const prompt = yield* Effect.forkChild(agent.prompt("go"))
        yield* stubborn.started
        yield* agent.abort()
        yield* stubborn.letGo
        expect((yield* Fiber.join(prompt)).reason.kind).toBe("aborted")
        expect(all(session, "tool/result")).toMatchObject([{ outcome: "success" }])
      }),
    )
  })

  it.effect("leaves steering that nobody has read to the next turn, once", () => {
    const work = gate("work")
    return tell(
      [{ calls: [call("c1", "work"), callEcho("a", "c2")] }, { text: "using B" }],
      { tools: Toolbox.make(work.tool, echo), concurrency: 1 },
      ({ agent, session, requests }) =>
        Effect.gen(function* () {
          const prompt = yield* Effect.forkChild(agent.prompt("go"))
          yield* work.started
          const steering = yield* agent.steer("use B")
          yield* agent.abort()
          yield* Fiber.join(prompt)
          yield* agent.awaitIdle
          expect(session.state().pending.map(({ messageId }) => messageId)).toEqual([steering])
          expect(requests()).toHaveLength(1)
          expect((yield* agent.prompt("what now?")).text).toBe("using B")
          const read = JSON.stringify(requests()[1]?.messages)
          expect(read.split("use B")).toHaveLength(2)
          expect(session.state().pending).toEqual([])
        }),
    )
  })

  it.effect("while idle does nothing and says so", () =>
    tell([{ text: "hi" }], {}, ({ agent, session }) =>
      Effect.gen(function* () {
        expect(yield* agent.abort()).toBe(false)
        yield* agent.prompt("hello")
        const before = session.log().length
        expect(yield* agent.abort()).toBe(false)
        expect(session.log()).toHaveLength(before)
      }),
    ),
  )

  it.effect("a second time in one turn is not logged again", () => {
    const work = gate("work")
    return tell([{ calls: [call("c1", "work")] }], { tools: Toolbox.make(work.tool) }, ({ agent, session }) =>
      Effect.gen(function* () {
        yield* agent.send("go")
        yield* work.started
        const verdicts = yield* Effect.all([agent.abort("one"), agent.abort("two")], {
          concurrency: "unbounded",
        })
        yield* agent.awaitIdle
        expect(verdicts).toEqual([true, false])
        expect(all(session, "turn/abort")).toEqual([{ turn: 1, reason: "one" }])
      }),
    )
  })

  it.effect("is followed by a turn as good as any", () =>
    tell(
      handmade(
        () => endless(textBlock("0", "first")),
        () => say("second"),
      ),
      {},
      ({ agent, session }) =>
        Effect.gen(function* () {
          yield* agent.send("one")
          yield* logged(session, "assistant/chunk")
          yield* agent.abort()
          expect((yield* agent.prompt("two")).text).toBe("second")
          expect(all(session, "turn/end").map(({ reason }) => reason.kind)).toEqual(["aborted", "completed"])
        }),
    ),
  )
})
