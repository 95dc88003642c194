import { it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import * as ReplayModel from "../../src/replay/ReplayModel.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { all, callEcho, echo, type Options, type Step, tell } from "../flow/world.ts"

const steps: ReadonlyArray<Step> = [
  { text: "Let me see.", calls: [callEcho("a", "c1")], usage: { inputTokens: 3, outputTokens: 4 } },
  { error: { code: "MODEL_OVERLOADED", message: "busy", retryAfterMillis: 0 } },
  { text: "done", usage: { inputTokens: 5, outputTokens: 6 } },
]

const options: Options<never> = { tools: Toolbox.make(echo), instructions: "Be brief." }

const log = Effect.suspend(() =>
  tell(steps, options, ({ agent, session }) => Effect.map(agent.prompt("go"), () => session.log())),
)

const again = (events: ReadonlyArray<SessionEvent>, words: string, changed: Options<never> = {}) =>
  tell(ReplayModel.make(events), { ...options, ...changed }, ({ agent, session }) =>
    Effect.gen(function* () {
      const prompt = yield* Effect.forkChild(agent.prompt(words))
      // What the provider asked to wait is in no log; so the turn waits a second after the failure.
      yield* TestClock.adjust("1 second")
      return { result: yield* Fiber.join(prompt), session }
    }),
  )

describe("a log with a compaction", () => {
  const live = (model: Parameters<typeof tell>[0]) =>
    tell(model, options, ({ agent, session }) =>
      Effect.gen(function* () {
        yield* agent.prompt("first")
        yield* agent.compact()
        yield* agent.prompt("second")
        return session.log()
      }),
    )

  it.effect("answers the summary too, so that all that follows is the same", () =>
    Effect.gen(function* () {
      const usage = { inputTokens: 7, outputTokens: 3 }
      const original = yield* live([{ text: "one" }, { text: "SUMMARY", usage }, { text: "two" }])
      const again = yield* live(ReplayModel.make(original))
      expect(original.some(({ type }) => type === "history/compacted")).toBe(true)
      expect(again.slice(1)).toEqual(original.slice(1))
    }),
  )
})

describe("a model that replays a log", () => {
  it.effect("gives every request the answer that it got, failures and usage included", () =>
    Effect.gen(function* () {
      const events = yield* log
      const { result, session } = yield* again(events, "go")
      expect(result).toMatchObject({
        text: "done",
        steps: 3,
        usage: { inputTokens: 8, outputTokens: 10 },
        reason: { kind: "completed" },
      })
      const digests = (list: ReadonlyArray<SessionEvent>) =>
        list.flatMap((event) => (event.type === "step/start" ? [event.data.request?.digest] : []))
      expect(digests(session.log())).toEqual(digests(events))
      expect(all(session, "error").map(({ code }) => code)).toEqual(["MODEL_OVERLOADED"])
    }),
  )

  it.effect(
    "says where a request that it does not know differs from the nearest one: the message and its field",
    () =>
      Effect.gen(function* () {
        const { result } = yield* again(yield* log, "go on")
        expect(result.error?._tag).toBe("ModelRefused")
        expect(result.reason.message).toMatch(/nearest is step 1 of turn 1 \(seq \d+\)/)
        expect(result.reason.message).toContain('message 0 (user): content[0].text is "go on", recorded "go"')
      }),
  )

  it.effect("says which setting of the request differs", () =>
    Effect.gen(function* () {
      const events = yield* log
      const other = yield* again(events, "go", { instructions: "Be long." })
      expect(other.result.reason.message).toContain('system is "Be long.", recorded "Be brief."')
      const louder = defineTool({
        name: "echo",
        description: "Shout",
        parameters: { word: { type: "string", required: true } },
        run: () => Effect.succeed("A"),
      })
      const tools = yield* again(events, "go", { tools: Toolbox.make(louder) })
      expect(tools.result.reason.message).toContain('tools[0].description is "Shout"')
    }),
  )

  it.effect("says so when a tool gave another result than it did", () =>
    Effect.gen(function* () {
      const other = Toolbox.make(
        defineTool({
          name: "echo",
          description: "Say a word back",
          parameters: { word: { type: "string", required: true } },
          run: () => Effect.succeed("b"),
        }),
      )
      const { result } = yield* again(yield* log, "go", { tools: other })
      expect(result.reason.message).toContain(
        'message 2 (tool): content[0].content[0].text is "b", recorded "a"',
      )
    }),
  )

  it.effect("made of a log without requests knows none", () =>
    Effect.gen(function* () {
      const { result } = yield* again([], "go")
      expect(result.reason.message).toContain("it holds none")
    }),
  )
})
