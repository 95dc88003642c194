/** A body says what it does while it does it: those who watch hear it, log and model do not. */
import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { describe, expect } from "vitest"
import type { Progress } from "../../src/call/Progress.ts"
import type { CallInfo } from "../../src/tool/CallInfo.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { callEcho, tell } from "./world.ts"

const echoing = (run: (word: string, call: CallInfo) => Effect.Effect<unknown>) =>
  Toolbox.make(
    defineTool({
      name: "echo",
      description: "Say a word back",
      parameters: { word: { type: "string", required: true } },
      run: ({ word }, call) => run(word, call),
    }),
  )

describe("progress", () => {
  it.effect("reaches those who watch, in order, and neither the log nor the model", () => {
    const tools = echoing((word, { progress }) =>
      Effect.as(Effect.andThen(progress(`${word}: half of it`), progress(`${word}: most of it`)), word),
    )
    return tell(
      [{ calls: [callEcho("a", "c1")] }, { text: "done" }],
      { tools },
      ({ agent, session, requests }) =>
        Effect.gen(function* () {
          const heard = yield* Effect.forkChild(Stream.runCollect(Stream.take(agent.progress, 2)), {
            startImmediately: true,
          })
          yield* agent.prompt("go")
          const said = { turn: 1, step: 1, callId: "c1", tool: "echo" }
          expect(yield* Fiber.join(heard)).toEqual([
            { ...said, text: "a: half of it" },
            { ...said, text: "a: most of it" },
          ])
          expect(JSON.stringify(session.log())).not.toContain("half of it")
          expect(JSON.stringify(requests())).not.toContain("half of it")
        }),
    )
  })

  it.effect("of a body that has ended is not told", () => {
    const late = Deferred.makeUnsafe<CallInfo["progress"]>()
    const tools = echoing((word, { progress }) => Effect.as(Deferred.succeed(late, progress), word))
    const heard: Array<Progress> = []
    return tell([{ calls: [callEcho("a", "c1")] }, { text: "done" }], { tools }, ({ agent }) =>
      Effect.gen(function* () {
        const listen = Stream.runForEach(agent.progress, (said) => Effect.sync(() => heard.push(said)))
        yield* Effect.forkChild(listen, { startImmediately: true })
        yield* agent.prompt("go")
        yield* (yield* Deferred.await(late))("still here")
        yield* Effect.yieldNow
        expect(heard).toEqual([])
      }),
    )
  })

  it.effect("holds no body up when somebody listens slowly: the oldest reports are lost", () => {
    const tools = echoing((word, { progress }) =>
      Effect.as(
        Effect.forEach(
          Array.from({ length: 1_000 }, (_, at) => at),
          (at) => progress(`${at}`),
          { discard: true },
        ),
        word,
      ),
    )
    return tell([{ calls: [callEcho("a", "c1")] }, { text: "done" }], { tools }, ({ agent }) =>
      Effect.gen(function* () {
        const go = yield* Deferred.make<void>()
        const texts: Array<string> = []
        const listen = Stream.runForEach(agent.progress, ({ text }) =>
          Effect.andThen(
            Effect.sync(() => texts.push(text)),
            Deferred.await(go),
          ),
        )
        yield* Effect.forkChild(listen, { startImmediately: true })
        expect((yield* agent.prompt("go")).reason.kind).toBe("completed")
        yield* Deferred.succeed(go, undefined)
        while (texts.at(-1) !== "999") yield* Effect.yieldNow
        expect(texts.length).toBeLessThan(1_000)
        expect(texts.map(Number)).toEqual(texts.map(Number).sort((left, right) => left - right))
      }),
    )
  })

  it.effect("ends with the agent", () =>
    Effect.gen(function* () {
      const fiber = yield* tell([], { tools: Toolbox.empty }, ({ agent }) =>
        Effect.forkDetach(Stream.runCollect(agent.progress), { startImmediately: true }),
      )
      yield* Fiber.await(fiber)
    }),
  )
})
