import { it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { describe, expect } from "vitest"
import type { SessionEvent } from "../../src/event/SessionEvent.ts"
import * as Agent from "../../src/loop/Agent.ts"
import type { Model } from "../../src/model/Model.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import * as SessionLog from "../../src/session/SessionLog.ts"
import * as Recording from "../../src/testing/Recording.ts"
import * as TestHarness from "../../src/testing/TestHarness.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import { connect, key } from "../model/answers.ts"
import { chat, piece, serve } from "../model/replay.ts"

const search = defineTool({
  name: "search",
  description: "Search.",
  parameters: { q: { type: "string", required: true } },
  run: ({ q }) => Effect.succeed(`nothing about ${q}`),
})

/** The log of a turn with this model. */
const talk = (answers: ScriptedModel.Plan | Model["Service"], instructions: string) =>
  Effect.gen(function* () {
    const session = yield* SessionLog.create()
    const agent = yield* Agent.make({ session, tools: Toolbox.make(search), instructions, modelRetries: 0 })
    yield* agent.prompt("go")
    return session.log()
  }).pipe(Effect.scoped, Effect.provide(TestHarness.layer(answers)))

const steps: ReadonlyArray<ScriptedModel.Step> = [
  {
    reasoning: "I look first.",
    text: "Let me look.",
    calls: [
      { id: "a", name: "search", arguments: '{"q": "a b"}' },
      { id: "b", name: "search", arguments: '{"q": ' },
    ],
    usage: { inputTokens: 3, outputTokens: 4 },
  },
  { text: "Found", finish: "max-tokens" },
]

const saidIn = (log: ReadonlyArray<SessionEvent>) =>
  log.flatMap((event) => (event.type === "assistant/message" ? [event.data] : []))

describe("a recording", () => {
  it.effect("gives back the script of what a model said", () =>
    Effect.gen(function* () {
      const script = Recording.toScript(yield* talk({ steps }, "Be brief."))
      expect(script).toEqual({ steps })
    }),
  )

  it.effect("is a file that can be edited and played, also when the instructions have changed", () =>
    Effect.gen(function* () {
      const first = yield* talk({ steps }, "Be brief.")
      const text = JSON.stringify(Recording.toScript(first), null, 2)
      const second = yield* talk(yield* ScriptedModel.parse(text), "Be long.")
      expect(saidIn(second)).toEqual(saidIn(first))
    }),
  )

  it.effect("keeps the failures of a model", () =>
    Effect.gen(function* () {
      const error = { code: "MODEL_OVERLOADED" as const, message: "try later" }
      const script = Recording.toScript(yield* talk({ steps: [{ text: "I was", error }] }, "Be brief."))
      expect(script).toEqual({ steps: [{ text: "I was", error }] })
    }),
  )

  it.effect("holds no key and no header of the provider that it was made with", () =>
    Effect.gen(function* () {
      const call = { id: "call_a", type: "function", function: { name: "search" } }
      const { requests, url } = yield* serve(
        { body: chat(piece(0, '{"q":"x"}', call), { finish_reason: "tool_calls" }) },
        { status: 401, body: [`{"error":{"message":"no key ${key}"}}`] },
      )
      const log = yield* talk(yield* connect("openai", url), "Be brief.")
      const script = Recording.toScript(log)
      expect(requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${key}`, `Bearer ${key}`])
      expect(script).toMatchObject({
        steps: [
          { calls: [{ id: "call_a", name: "search", arguments: '{"q":"x"}' }] },
          { error: { code: "MODEL_UNAUTHORIZED" } },
        ],
      })
      for (const secret of [key, "Bearer", "authorization", url]) {
        expect(JSON.stringify(log)).not.toContain(secret)
        expect(JSON.stringify(script)).not.toContain(secret)
      }
    }),
  )

  it.effect("is a script that the command line reads", () =>
    Effect.gen(function* () {
      const script = Recording.toScript(yield* talk({ steps }, "Be brief."))
      expect(Schema.decodeUnknownSync(ScriptedModel.Script)(JSON.parse(JSON.stringify(script)))).toEqual(
        script,
      )
    }),
  )
})
