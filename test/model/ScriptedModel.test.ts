import { it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Stream, Struct } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import * as Assembler from "../../src/message/Assembler.ts"
import { Ids, sequential } from "../../src/message/Ids.ts"
import { Model } from "../../src/model/Model.ts"
import { byCode } from "../../src/model/ModelError.ts"
import * as ScriptedModel from "../../src/model/ScriptedModel.ts"
import { ask, request } from "./answers.ts"

const script = (...steps: ReadonlyArray<ScriptedModel.Step>) => ScriptedModel.make({ steps })

const speaking: ScriptedModel.Step = {
  text: "Let me look.",
  calls: [
    { id: "a", name: "search", arguments: '{"q": "a b"}' },
    { name: "search", arguments: '{"q": "c"}' },
  ],
  usage: { inputTokens: 3, outputTokens: 4 },
}

describe("a scripted model", () => {
  it.effect("speaks reasoning, text and calls in small pieces", () =>
    Effect.gen(function* () {
      const { model } = script({ reasoning: "I think so.", ...speaking })
      const { chunks } = yield* ask(model)
      const assembled = Assembler.fold(chunks)
      expect(assembled.content).toEqual([
        { type: "reasoning", text: "I think so." },
        { type: "text", text: "Let me look." },
        { type: "tool-call", callId: "a", name: "search", arguments: '{"q": "a b"}' },
        { type: "tool-call", callId: "call-1", name: "search", arguments: '{"q": "c"}' },
      ])
      expect(chunks.filter((chunk) => chunk.type === "text-delta")).toHaveLength(2)
      expect(assembled.finish).toEqual({ kind: "tool-calls" })
    }).pipe(Effect.provideService(Ids, sequential())),
  )

  it.effect("stops before it is done when the script says why", () =>
    Effect.gen(function* () {
      const { chunks } = yield* ask(script({ text: "I was", finish: "max-tokens" }).model)
      expect(chunks.at(-1)).toEqual({ type: "finish", finish: { kind: "max-tokens" } })
    }),
  )

  it.effect("cuts no character in two", () =>
    Effect.gen(function* () {
      const { chunks } = yield* ask(script({ text: "😀".repeat(20) }).model)
      const deltas = chunks.flatMap((chunk) => (chunk.type === "text-delta" ? [chunk.text] : []))
      expect(deltas.length).toBeGreaterThan(1)
      for (const delta of deltas) expect(delta).not.toMatch(/\p{Surrogate}/u)
    }),
  )

  it.effect("gives call ids of the script as they are, also repeated ones", () =>
    Effect.gen(function* () {
      const twice = { id: "call_0", name: "a", arguments: "{}" }
      const { content } = Assembler.fold((yield* ask(script({ calls: [twice, twice] }).model)).chunks)
      expect(content.map((block) => block.type === "tool-call" && block.callId)).toEqual(["call_0", "call_0"])
    }),
  )

  it.effect("takes the next step with each request and ends in empty texts", () =>
    Effect.gen(function* () {
      const { model, requests } = script({ text: "one" }, { text: "two" })
      const said: Array<unknown> = []
      for (const system of ["a", "b", "c", "d"]) {
        said.push(Assembler.fold((yield* ask(model, { ...request, system })).chunks).content)
      }
      const text = (of: string) => [{ type: "text", text: of }]
      expect(said).toEqual([text("one"), text("two"), text(""), text("")])
      expect(requests().map(({ system }) => system)).toEqual(["a", "b", "c", "d"])
    }),
  )

  it.effect("waits on the clock of its fiber", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(ask(script({ text: "late", delayMillis: 5000 }).model))
      yield* TestClock.adjust(4999)
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      expect((yield* Fiber.join(fiber)).error).toBeUndefined()
    }),
  )

  it.effect("stops without a finish when it is cut off, its last block unfinished", () =>
    Effect.gen(function* () {
      const call = { id: "c1", name: "delete_files", arguments: "" }
      const { chunks, error } = yield* ask(script({ text: "Now.", calls: [call], cutOff: true }).model)
      const assembled = Assembler.fold(chunks)
      expect(error).toBeUndefined()
      expect(assembled.finish).toBeUndefined()
      expect(assembled.content).toEqual([{ type: "text", text: "Now." }])
      expect(assembled.open).toHaveLength(1)
    }),
  )

  for (const code of Struct.keys(byCode)) {
    it.effect(`fails with ${code} when the script says so`, () =>
      Effect.gen(function* () {
        const step = { text: "half", error: { code, message: "so it goes", retryAfterMillis: 7 } }
        const { chunks, error } = yield* ask(script(step).model)
        expect(error).toMatchObject({ code, message: "so it goes", retryAfterMillis: 7 })
        expect(Assembler.fold(chunks).content).toEqual([])
      }),
    )
  }

  it.effect("is a layer", () =>
    Effect.gen(function* () {
      const model = yield* Model
      expect(model.name).toBe("script:demo")
      expect(yield* Stream.runCount(model.stream(request))).toBe(4)
    }).pipe(Effect.provide(ScriptedModel.layer({ steps: [{ text: "hi" }] }, { name: "script:demo" }))),
  )
})

const fields = "reasoning, text, calls, usage, delayMillis, error, cutOff, finish"

const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
  ["an unknown field", { steps: [{ txt: "a" }] }, `steps[0].txt: unknown field; allowed: ${fields}`],
  [
    "an unknown field of a call",
    { steps: [{}, { calls: [{ name: "a", args: "" }] }] },
    "steps[1].calls[0].args: unknown field; allowed: id, name, arguments (and 1 more)",
  ],
  [
    "arguments that are no text",
    { steps: [{ calls: [{ name: "a", arguments: { path: "x" } }] }] },
    "steps[0].calls[0].arguments: expected string, got an object",
  ],
  ["no steps", {}, "steps: is missing"],
  ["steps that are no list", { steps: "a" }, 'steps: expected array, got "a"'],
  ["a script that is no object", [], "the whole: expected object, got an array"],
  [
    "both bad ends at once",
    { steps: [{ error: { code: "MODEL_REFUSED", message: "" }, cutOff: true }] },
    "steps[0]: has both error and cutOff; a step ends in one way",
  ],
  [
    "a finish of an answer that is cut off",
    { steps: [{ cutOff: true, finish: "max-tokens" }] },
    "steps[0]: has both cutOff and finish; a step ends in one way",
  ],
  [
    "negative usage",
    { steps: [{ usage: { inputTokens: -1, outputTokens: 0 } }] },
    "steps[0].usage.inputTokens: expected a value greater than or equal to 0, got -1",
  ],
]

describe("a script", () => {
  it.effect("is read from JSON", () =>
    Effect.gen(function* () {
      const parsed = yield* ScriptedModel.parse('{"steps":[{"text":"hi","delayMillis":1}]}')
      expect(parsed).toEqual({ steps: [{ text: "hi", delayMillis: 1 }] })
    }),
  )

  for (const [what, json, line] of wrong) {
    it.effect(`is refused for ${what}, in one line`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(ScriptedModel.parse(JSON.stringify(json)))
        expect(error._tag).toBe("ScriptInvalid")
        expect(error.message).toBe(`script: ${line}`)
      }),
    )
  }

  it.effect("is refused for an unknown error code, with the codes there are", () =>
    Effect.gen(function* () {
      const step = { error: { code: "ENOENT", message: "" } }
      const { message } = yield* Effect.flip(ScriptedModel.parse(JSON.stringify({ steps: [step] })))
      expect(message).toMatch(
        /^script: steps\[0\]\.error\.code: expected "MODEL_RATE_LIMITED" \| .*, got "ENOENT"$/,
      )
      for (const code of Object.keys(byCode)) expect(message).toContain(code)
    }),
  )

  it.effect("is refused when it is no JSON", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(ScriptedModel.parse("{"))
      expect(message).toMatch(/^script: is not JSON: [^\n]+$/)
    }),
  )
})

describe("a script in code", () => {
  it.effect("may answer what it is asked", () =>
    Effect.gen(function* () {
      const { model } = ScriptedModel.make({ steps: [({ tools }) => ({ text: `${tools.length} tools` })] })
      const { chunks } = yield* ask(model)
      expect(Assembler.fold(chunks).content).toEqual([
        { type: "text", text: `${request.tools.length} tools` },
      ])
    }),
  )

  it.effect("that is used up says nothing, or dies when it is told to", () =>
    Effect.gen(function* () {
      const run = (whenUsedUp: "empty" | "fail") => {
        const { model, requests } = ScriptedModel.make({ steps: [{ text: "hi" }] }, { whenUsedUp })
        const twice = Effect.andThen(
          Stream.runDrain(model.stream(request)),
          Stream.runCollect(model.stream(request)),
        )
        return Effect.map(Effect.exit(twice), (exit) => ({ exit, asked: requests().length }))
      }
      const empty = yield* run("empty")
      expect(Exit.isSuccess(empty.exit) && Assembler.fold([...empty.exit.value]).finish).toEqual({
        kind: "stop",
      })
      const { exit, asked } = yield* run("fail")
      expect(Exit.isFailure(exit) && String(Cause.squash(exit.cause))).toContain(
        "has 1 steps, and was asked for another",
      )
      expect(asked).toBe(2)
    }),
  )
})
