/** Spans and counters of whole turns, in a tracer that keeps what it is given. */
import { it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Metric, Option, Tracer } from "effect"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import * as Guard from "../../src/policy/Guard.ts"
import * as Operation from "../../src/telemetry/Operation.ts"
import * as Telemetry from "../../src/telemetry/Telemetry.ts"
import { defineTool } from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import {
  callBlock,
  callEcho,
  chunks,
  echo,
  finish,
  gate,
  handmade,
  type Step,
  say,
  tell,
} from "../flow/world.ts"
import { resume, through } from "../recovery/cutLog.ts"
import { runs } from "../runs.ts"

/** All spans, in the order in which they began. */
const recording = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    },
  })
  return { spans, layer: Layer.mergeAll(Telemetry.layer, Layer.succeed(Tracer.Tracer, tracer), freshMetrics) }
}

const freshMetrics = Layer.sync(Metric.MetricRegistry, () => new Map())

const seen = (spans: ReadonlyArray<Tracer.NativeSpan>) =>
  spans.map((span) => ({
    name: span.name,
    kind: span.kind,
    parent: Option.match(span.parent, {
      onNone: () => "",
      onSome: (parent) => ("name" in parent ? parent.name : ""),
    }),
    attributes: Object.fromEntries(span.attributes),
  }))

const endOf = ({ status }: Tracer.NativeSpan) => (status._tag === "Ended" ? status.exit : undefined)

/** Everything that an exporter could read of the spans. */
const readable = (spans: ReadonlyArray<Tracer.NativeSpan>): string =>
  JSON.stringify([
    seen(spans),
    spans.map((span) => [span.events, span.links, String(endOf(span)), JSON.stringify(endOf(span))]),
  ])

const counts = Effect.map(Metric.snapshot, (snapshots) =>
  snapshots
    .filter(({ id }) => id.startsWith("effect_harness."))
    .map(
      ({ id, attributes, state }) => [id, attributes, "count" in state ? state.count : undefined] as const,
    ),
)

const fails = defineTool({
  name: "fails",
  description: "Fail",
  parameters: {},
  run: () => Effect.fail({ _tag: "Broken" as const, code: "EIO", message: "top secret message" }),
})

const again = defineTool({
  name: "again",
  description: "Run twice as well as once",
  parameters: {},
  idempotent: true,
  run: () => Effect.succeed("done"),
})

const usage = { inputTokens: 10, outputTokens: 4, cacheReadTokens: 5, reasoningTokens: 2 }

describe("telemetry", () => {
  it.effect("is off unless its layer is there", () => {
    const { spans, layer } = recording()
    const off = Layer.succeed(Telemetry.Telemetry, undefined)
    return tell([{ calls: [callEcho("a")] }, { text: "done" }], { tools: Toolbox.make(echo) }, ({ agent }) =>
      Effect.gen(function* () {
        yield* agent.prompt("go")
        expect(spans).toEqual([])
        expect(yield* counts).toEqual([])
      }),
    ).pipe(Effect.provide(off), Effect.provide(layer))
  })

  it.effect(
    "makes a span of the turn, of each request and of each call, by the names of the conventions",
    () => {
      const { spans, layer } = recording()
      const steps: ReadonlyArray<Step> = [
        { calls: [callEcho("a", "c1"), { id: "c2", name: "fails", arguments: "{}" }], usage },
        { text: "done", usage: { inputTokens: 1, outputTokens: 1 } },
      ]
      return tell(
        steps,
        { tools: Toolbox.make(echo, fails), sampling: { temperature: 0.5, maxTokens: 100 } },
        ({ agent, session }) =>
          Effect.gen(function* () {
            yield* agent.prompt("go")
            yield* agent.awaitIdle
            const turn = {
              "gen_ai.conversation.id": session.id,
              "effect_harness.turn": 1,
            }
            const model = { "gen_ai.provider.name": "script", "gen_ai.request.model": "inline" }
            const request = {
              ...turn,
              ...model,
              "gen_ai.operation.name": "chat",
              "gen_ai.request.temperature": 0.5,
              "gen_ai.request.max_tokens": 100,
            }
            const call = {
              ...turn,
              "gen_ai.operation.name": "execute_tool",
              "gen_ai.tool.type": "function",
              "effect_harness.step": 1,
            }
            expect(seen(spans)).toEqual([
              {
                name: "invoke_agent",
                kind: "internal",
                parent: "",
                attributes: {
                  ...turn,
                  ...model,
                  "gen_ai.operation.name": "invoke_agent",
                  "gen_ai.usage.input_tokens": 16,
                  "gen_ai.usage.output_tokens": 7,
                  "gen_ai.usage.cache_read.input_tokens": 5,
                  "gen_ai.usage.reasoning.output_tokens": 2,
                  "effect_harness.turn.reason": "completed",
                  "effect_harness.turn.steps": 2,
                },
              },
              {
                name: "chat inline",
                kind: "client",
                parent: "invoke_agent",
                attributes: {
                  ...request,
                  "effect_harness.step": 1,
                  "gen_ai.response.finish_reasons": ["tool_calls"],
                  "gen_ai.usage.input_tokens": 15,
                  "gen_ai.usage.output_tokens": 6,
                  "gen_ai.usage.cache_read.input_tokens": 5,
                  "gen_ai.usage.reasoning.output_tokens": 2,
                },
              },
              {
                name: "execute_tool echo",
                kind: "internal",
                parent: "invoke_agent",
                attributes: {
                  ...call,
                  "gen_ai.tool.name": "echo",
                  "gen_ai.tool.call.id": "c1",
                  "effect_harness.tool.outcome": "success",
                },
              },
              {
                name: "execute_tool fails",
                kind: "internal",
                parent: "invoke_agent",
                attributes: {
                  ...call,
                  "gen_ai.tool.name": "fails",
                  "gen_ai.tool.call.id": "c2",
                  "effect_harness.tool.outcome": "failed",
                  "error.type": "EIO",
                },
              },
              {
                name: "chat inline",
                kind: "client",
                parent: "invoke_agent",
                attributes: {
                  ...request,
                  "effect_harness.step": 2,
                  "gen_ai.response.finish_reasons": ["stop"],
                  "gen_ai.usage.input_tokens": 1,
                  "gen_ai.usage.output_tokens": 1,
                },
              },
            ])
            const failed = spans.map(endOf).find((exit) => exit !== undefined && Exit.isFailure(exit))
            const told = failed && Exit.isFailure(failed) ? Cause.prettyErrors(failed.cause) : []
            expect(told.map(({ name, message }) => [name, message])).toEqual([["EIO", "EIO"]])
            expect(spans.map(endOf).map((exit) => exit !== undefined && Exit.isSuccess(exit))).toEqual([
              ...[true, true, true, false, true],
            ])
          }),
      ).pipe(Effect.provide(layer))
    },
  )

  it.effect("gives the spans of a body their place below its call", () => {
    const { spans, layer } = recording()
    const traced = defineTool({
      name: "traced",
      description: "Open a span",
      parameters: {},
      run: () => Effect.withSpan(Effect.succeed("ok"), "the body's own"),
    })
    return tell(
      [{ calls: [{ id: "c1", name: "traced", arguments: "{}" }] }, { text: "done" }],
      { tools: Toolbox.make(traced) },
      ({ agent }) =>
        Effect.map(agent.prompt("go"), () =>
          expect(seen(spans).find(({ name }) => name === "the body's own")?.parent).toBe(
            "execute_tool traced",
          ),
        ),
    ).pipe(Effect.provide(layer))
  })

  it.effect("counts the calls of an answer that was cut off, none of which ran", () => {
    const { spans, layer } = recording()
    const model = handmade(
      () => chunks(callBlock("c1", "echo", "{}"), callBlock("c2", "made up", "{}"), finish("max-tokens")),
      () => say("done"),
    )
    return tell(model, { tools: Toolbox.make(echo) }, ({ agent }) =>
      Effect.gen(function* () {
        yield* agent.prompt("go")
        const labels = { "effect_harness.tool.outcome": "not-started", "error.type": "TOOL_NOT_STARTED" }
        expect((yield* counts).filter(([id]) => id === "effect_harness.tool.calls")).toEqual([
          ["effect_harness.tool.calls", { ...labels, "gen_ai.tool.name": "echo" }, 1],
          ["effect_harness.tool.calls", { ...labels, "gen_ai.tool.name": "_OTHER" }, 1],
        ])
        expect(readable(spans)).not.toContain("made up")
      }),
    ).pipe(Effect.provide(layer))
  })

  it.effect("makes a span of a call that is run again after a restart, and counts it", () =>
    Effect.gen(function* () {
      const tools = Toolbox.make(again)
      const steps: ReadonlyArray<Step> = [
        { calls: [{ id: "c1", name: "again", arguments: "{}" }] },
        { text: "" },
      ]
      const log = yield* tell(steps, { tools }, ({ agent, session }) =>
        Effect.map(agent.prompt("go"), () => session.log()),
      )
      const { spans, layer } = recording()
      yield* resume(through(log, "tool/call"), [{ text: "done" }], { tools }, ({ agent }) =>
        Effect.gen(function* () {
          yield* agent.resumed
          expect(seen(spans).filter(({ name }) => name === "execute_tool again")).toMatchObject([
            {
              parent: "invoke_agent",
              attributes: { "gen_ai.tool.call.id": "c1", "effect_harness.tool.outcome": "success" },
            },
          ])
          expect((yield* counts).filter(([id]) => id === "effect_harness.tool.calls")).toEqual([
            [
              "effect_harness.tool.calls",
              { "gen_ai.tool.name": "again", "effect_harness.tool.outcome": "success" },
              1,
            ],
          ])
        }),
      ).pipe(Effect.provide(layer))
    }),
  )

  it.effect("counts turns, requests, tokens, and calls by tool, outcome and code", () => {
    const { layer } = recording()
    const steps: ReadonlyArray<Step> = [
      { error: { code: "MODEL_OVERLOADED", message: "busy", retryAfterMillis: 0 } },
      {
        calls: [
          callEcho("a"),
          callEcho("b"),
          { name: "fails", arguments: "{}" },
          { name: "ecco", arguments: "{}" },
        ],
        usage,
      },
      { text: "done", usage },
    ]
    return tell(steps, { tools: Toolbox.make(echo, fails) }, ({ agent }) =>
      Effect.gen(function* () {
        yield* agent.prompt("go")
        yield* agent.awaitIdle
        const chat = {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "script",
          "gen_ai.request.model": "inline",
        }
        expect(new Set(yield* counts)).toEqual(
          new Set([
            ["effect_harness.turns", { "effect_harness.turn.reason": "completed" }, 1],
            ["effect_harness.requests", { ...chat, "error.type": "MODEL_OVERLOADED" }, 1],
            ["effect_harness.requests", chat, 2],
            ["effect_harness.tokens", { ...chat, "gen_ai.token.type": "input" }, 30],
            ["effect_harness.tokens", { ...chat, "gen_ai.token.type": "output" }, 12],
            [
              "effect_harness.tool.calls",
              { "gen_ai.tool.name": "echo", "effect_harness.tool.outcome": "success" },
              2,
            ],
            [
              "effect_harness.tool.calls",
              { "gen_ai.tool.name": "fails", "effect_harness.tool.outcome": "failed", "error.type": "EIO" },
              1,
            ],
            [
              "effect_harness.tool.calls",
              {
                "gen_ai.tool.name": "_OTHER",
                "effect_harness.tool.outcome": "unknown-tool",
                "error.type": "UNKNOWN_TOOL",
              },
              1,
            ],
          ]),
        )
      }),
    ).pipe(Effect.provide(layer))
  })

  it.effect("ends every span of a turn that is aborted, and calls no abort an error of the model", () => {
    const { spans, layer } = recording()
    const work = gate("work")
    return tell(
      [{ calls: [{ id: "c1", name: "work", arguments: "{}" }] }],
      { tools: Toolbox.make(work.tool) },
      ({ agent }) =>
        Effect.gen(function* () {
          const prompt = yield* Effect.forkChild(agent.prompt("go"))
          yield* work.started
          yield* agent.abort()
          yield* Fiber.join(prompt)
          yield* agent.awaitIdle
          expect(spans.map(({ name, attributes }) => [name, attributes.get("error.type")])).toEqual([
            ["invoke_agent", undefined],
            ["chat inline", undefined],
            ["execute_tool work", "ABORTED"],
          ])
          expect(spans.filter((span) => endOf(span) === undefined)).toEqual([])
        }),
    ).pipe(Effect.provide(layer))
  })

  it("never holds what a model wrote, a tool gave, a person said or an error told", () => {
    const secret = "sEcReT42"
    const says = fc.constantFrom("leak", "leak-code", "throw", secret, "echo", "denied")
    const text = fc.constantFrom(
      `{"word":"${secret}"}`,
      `{"wrod":"${secret}"}`,
      `{"word":"${secret}`,
      `{"${secret}":1}`,
    )
    const steps = fc.array(
      fc.oneof(
        fc.record({
          text: fc.constant(secret),
          calls: fc.array(fc.record({ name: says, arguments: text }), { minLength: 1, maxLength: 3 }),
        }),
        fc.constant<Step>({ error: { code: "MODEL_REFUSED", message: secret } }),
        fc.constant<Step>({ reasoning: secret, text: secret, cutOff: true }),
      ),
      { minLength: 1, maxLength: 4 },
    )
    const parameters = { word: { type: "string", required: true } } as const
    const tool = <E>(name: string, run: (args: { word: string }) => Effect.Effect<string, E>) =>
      defineTool({ name, description: "Leak", parameters, run: (args) => run(args) })
    const tools = Toolbox.make(
      echo,
      tool("leak", ({ word }) => Effect.fail(new Error(word))),
      tool("leak-code", ({ word }) =>
        Effect.fail({ _tag: "Odd", code: `${word} is no code`, message: word }),
      ),
      tool("throw", ({ word }) => Effect.die(word)),
      tool("denied", ({ word }) => Effect.succeed(word)),
    )
    const guard = Guard.layer(({ tool: name, args }) =>
      Effect.succeed(name === "denied" ? Guard.deny(JSON.stringify(args)) : Guard.allow),
    )
    return fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        const { spans, layer } = recording()
        const story = tell(chosen, { tools, modelRetries: 0, instructions: secret }, ({ agent }) =>
          Effect.gen(function* () {
            yield* agent.prompt(secret)
            yield* agent.awaitIdle
            return yield* counts
          }),
        )
        const counted = await Effect.runPromise(story.pipe(Effect.provide(guard), Effect.provide(layer)))
        expect(spans.length).toBeGreaterThan(1)
        expect(readable(spans)).not.toContain(secret)
        expect(JSON.stringify(counted)).not.toContain(secret)
      }),
      { numRuns: runs(60) },
    )
  })

  it.effect("counts each of more names than it keeps", () => {
    const { layer } = recording()
    const names = Array.from({ length: 1200 }, (_, index) => `tool-${index}`)
    return Effect.gen(function* () {
      const telemetry = yield* Telemetry.Telemetry
      if (telemetry === undefined) return expect.fail("telemetry is off")
      for (const name of [...names, ...names]) {
        const operation = Operation.executeTool({
          conversation: "s",
          turn: 1,
          step: 1,
          callId: name,
          tool: name,
        })
        yield* telemetry.observe(operation, Effect.void, () =>
          Operation.toolEnded(name, { outcome: "success" }),
        )
      }
      const counted = yield* counts
      expect(counted.map(([, attributes]) => attributes?.["gen_ai.tool.name"]).sort()).toEqual(names.sort())
      expect(new Set(counted.map(([, , count]) => count))).toEqual(new Set([2]))
    }).pipe(Effect.provide(layer))
  })
})
