/** What is sensitive is in no error of a call: not in its words, its data, its JSON, nor in a result. */
import { it } from "@effect/vitest"
import { Cause, Effect, Schema, Tracer } from "effect"
import { describe, expect } from "vitest"
import { AnyHarnessError } from "../../src/loop/AnyHarnessError.ts"
import * as Redaction from "../../src/message/Redaction.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"

const secret = "hunter2-correct-horse"

const bySpec = Tool.defineTool({
  name: "login",
  description: "",
  parameters: {
    token: { type: "string", maxLength: 3, sensitive: true, required: true },
    user: { type: "string", required: true },
  },
  run: () => Effect.void,
})

const bySchema = Tool.defineTool({
  name: "login",
  description: "",
  parameters: Schema.Struct({
    token: Schema.String.check(Schema.isMaxLength(3)).annotate({ writeOnly: true }),
    user: Schema.String,
  }),
  run: () => Effect.void,
})

const byJsonSchema = Tool.raw({
  name: "login",
  description: "",
  parameters: bySpec.parameters,
  validate: true,
  run: () => Effect.void,
})

const unchecked = Tool.raw({
  name: "login",
  description: "",
  parameters: bySpec.parameters,
  run: () => Effect.void,
})

const texts = [
  JSON.stringify({ token: secret, user: "ada" }),
  JSON.stringify({ token: [secret], user: { secret } }),
  JSON.stringify({ tokn: secret }),
  JSON.stringify([secret]),
  JSON.stringify(JSON.stringify({ token: secret })),
  `{"token":${secret}}`,
  `{"token":"${secret}","token":"${secret}"}`,
  `{} ${secret}`,
  secret,
]

const encode = Schema.encodeUnknownSync(Schema.fromJsonString(Schema.toCodecJson(AnyHarnessError)))

describe.each([
  ["a spec", bySpec],
  ["an Effect Schema", bySchema],
  ["a JSON Schema", byJsonSchema],
  ["a JSON Schema that is only shown", unchecked],
] as const)("a secret by %s", (_, tool: Tool.Tool<"login", never, unknown, unknown, never>) => {
  it.effect.each(texts)("is in no error, no result and no span: %s", (text) =>
    Effect.gen(function* () {
      const spans: Array<unknown> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        },
      })
      const exit = yield* Effect.exit(
        Tool.run(tool)(text).pipe(Effect.withSpan("call"), Effect.withTracer(tracer)),
      )
      const runner = yield* ToolRunner.make(Toolbox.make(tool))
      const settled = yield* runner.settle({ callId: "c", name: "login", arguments: text })
      const told = [
        JSON.stringify(settled.result),
        settled.error === undefined ? "" : `${String(settled.error)} ${encode(settled.error)}`,
        exit._tag === "Failure" ? Cause.pretty(exit.cause) : "",
        ...spans.flatMap((span) =>
          span instanceof Tracer.NativeSpan ? [...span.attributes.values()].map(String) : [],
        ),
      ].join("\n")
      expect(spans.length).toBe(1)
      expect(told).not.toContain(secret)
    }),
  )
})

describe("a refused secret", () => {
  it.effect("is named by its digest: equal ones are seen to be equal", () =>
    Effect.gen(function* () {
      const redaction = Redaction.make("key")
      const message = (token: string) =>
        Effect.map(
          Effect.flip(Tool.run(bySpec)(JSON.stringify({ token, user: "ada" }))),
          (error) => error.message,
        )
      const told = yield* message(secret)
      expect(told).toBe(
        `- token: want string of at most 3 characters, got string (${redaction.digest(secret)})`,
      )
      expect(yield* message(secret)).toBe(told)
      expect(yield* message(`${secret}!`)).not.toBe(told)
    }).pipe(Effect.provide(Redaction.layer("key"))),
  )
})
