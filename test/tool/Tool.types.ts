/**
 * What the types of tools promise: exact errors, exact needs, no casts. Checked by the compiler alone.
 */
import { Context, Effect, Layer, Schedule, Schema, type Scope } from "effect"
import type { ToolExecutionResult } from "../../src/message/ToolResult.ts"
import * as Guard from "../../src/policy/Guard.ts"
import * as Tool from "../../src/tool/Tool.ts"
import * as Toolbox from "../../src/tool/Toolbox.ts"
import type {
  PipelineError,
  ToolArgsInvalid,
  ToolArgsMalformed,
  ToolDenied,
  ToolFailed,
  ToolOutputInvalid,
  ToolTimedOut,
} from "../../src/tool/ToolError.ts"
import * as ToolRunner from "../../src/tool/ToolRunner.ts"
import { same } from "../types/same.ts"

class NoSuchRow extends Schema.TaggedError<NoSuchRow>()("NoSuchRow", {}) {}
class Db extends Context.Service<Db, { readonly get: (key: string) => Effect.Effect<string, NoSuchRow> }>()(
  "Db",
) {}
class Clockwork extends Context.Service<Clockwork, { readonly tick: Effect.Effect<void> }>()("Clockwork") {}

const get = Tool.defineTool({
  name: "get",
  description: "Get a row.",
  parameters: { key: { type: "string", required: true }, tries: { type: "integer" } },
  run: ({ key }) => Effect.flatMap(Db, (db) => db.get(key)),
})
same<typeof get, Tool.Tool<"get", { readonly key: string; readonly tries?: number }, string, NoSuchRow, Db>>(
  true,
)

// An async body fails with `ToolFailed` and needs nothing; literal types come through without `as const`.
const paint = Tool.defineTool({
  name: "paint",
  description: "Paint it.",
  parameters: { colour: { type: "string", enum: ["red", "blue"], required: true } },
  run: async ({ colour }, { signal, key }) => {
    same<typeof colour, "red" | "blue">(true)
    same<typeof signal, AbortSignal>(true)
    return { colour, key }
  },
})
same<Tool.Failure<typeof paint>, ToolFailed>(true)
same<Tool.Services<typeof paint>, never>(true)
same<Tool.Success<typeof paint>, { colour: "red" | "blue"; key: string }>(true)

// An Effect Schema gives the body its decoded type; a body may end in one of several Effects.
const wait = Tool.defineTool({
  name: "wait",
  description: "Wait until then.",
  parameters: Schema.Struct({ until: Schema.DateFromString }),
  output: Schema.Struct({ at: Schema.Date }),
  run: ({ until }) => (until.getTime() > 0 ? Effect.succeed({ at: until }) : Effect.fail("past" as const)),
})
same<Tool.Args<typeof wait>, { readonly until: Date }>(true)
same<Tool.Failure<typeof wait>, "past">(true)

Tool.defineTool({
  name: "wrong",
  description: "Its body does not give what it declares.",
  parameters: {},
  output: Schema.Struct({ at: Schema.Date }),
  // @ts-expect-error a number is no date
  run: () => Effect.succeed({ at: 1 }),
})

Tool.defineTool({
  name: "wrong",
  description: "Its body reads what no model sends.",
  parameters: { key: { type: "string", required: true } },
  // @ts-expect-error there is no `kee`
  run: ({ kee }) => Effect.succeed(kee),
})

const raw = Tool.raw({
  name: "raw",
  description: "Take any JSON object.",
  parameters: { type: "object" },
  run: (args) => Effect.succeed(args["x"] ?? null),
})
same<typeof raw, Tool.Tool<"raw", Schema.JsonObject, Schema.Json, never, never>>(true)

// The typed door: the pipeline's four errors and the body's own, nothing else.
const run = Tool.run(get)("{}")
same<typeof run, Effect.Effect<string, NoSuchRow | PipelineError, Db>>(true)
same<PipelineError, ToolArgsMalformed | ToolArgsInvalid | ToolDenied | ToolOutputInvalid>(true)

// Each combinator adds what it adds.
const composed = get.pipe(
  Tool.timeout("1 second"),
  Tool.retry({ times: 2, while: ["NoSuchRow"] }),
  Tool.mapEffect((row) =>
    Effect.as(
      Effect.flatMap(Clockwork, ({ tick }) => tick),
      row.length,
    ),
  ),
)
const ran = Tool.run(composed)("{}")
same<typeof ran, Effect.Effect<number, NoSuchRow | ToolTimedOut | PipelineError, Db | Clockwork>>(true)

// A retry knows the tags that the body can fail with; a code is any text in capitals, and a foreign error has any name.
get.pipe(Tool.retry({ while: ["NoSuchRow", "EBUSY"] }))
paint.pipe(Tool.retry({ while: ["ToolFailed", "NoteMissing", "ECONNRESET"] }))
// @ts-expect-error no failure of it has this tag
get.pipe(Tool.retry({ while: ["Nope"] }))
// @ts-expect-error a time limit outside of the retry is none of its failures
get.pipe(Tool.retry({ while: ["ToolTimedOut"] }), Tool.timeout("1 second"))

const scheduled = get.pipe(
  Tool.retry({ schedule: Schedule.recurs(1), while: (error) => error._tag === "NoSuchRow" }),
)
same<Tool.Failure<typeof scheduled>, NoSuchRow>(true)

const provided = composed.pipe(Tool.provide(Context.make(Db, { get: Effect.succeed })))
same<Tool.Services<typeof provided>, Clockwork>(true)

// What a call touches is said of its decoded arguments; a limit changes no type.
const touching = Tool.defineTool({
  name: "touch",
  description: "Write a file at a time.",
  parameters: Schema.Struct({ path: Schema.String, at: Schema.DateFromString }),
  resources: ({ path, at }) => {
    same<typeof at, Date>(true)
    return { writes: [path] }
  },
  run: ({ path }) => Effect.succeed(path),
})
const limited = get.pipe(Tool.rateLimit({ limit: 1, per: "1 second" }))
same<typeof limited, typeof get>(true)

// Matching by tag narrows to never.
const handled = ran.pipe(
  Effect.catchTags({
    NoSuchRow: () => Effect.succeed(0),
    ToolTimedOut: (error) => Effect.succeed(error.timeoutMillis),
    ToolArgsMalformed: () => Effect.succeed(0),
    ToolArgsInvalid: (error) => Effect.succeed(error.violations.length),
    ToolDenied: (error) => Effect.succeed(error.reason.length),
    ToolOutputInvalid: () => Effect.succeed(0),
  }),
)
same<typeof handled, Effect.Effect<number, never, Db | Clockwork>>(true)

const codeOf = (
  error: PipelineError,
): "ARGS_NOT_JSON" | "INVALID_ARGS" | "TOOL_DENIED" | "INVALID_TOOL_OUTPUT" => error.code

// A box needs what its tools need; a runner is total.
const box = Toolbox.make(get, paint, composed)
same<typeof box, Toolbox.Toolbox<Db | Clockwork>>(true)
same<typeof Toolbox.empty, Toolbox.Toolbox<never>>(true)
const joined = Toolbox.concat(Toolbox.make(paint), Toolbox.make(get))
same<typeof joined, Toolbox.Toolbox<Db>>(true)
const withDb = Toolbox.provide(box, Layer.succeed(Db, { get: Effect.succeed }))
same<typeof withDb, Effect.Effect<Toolbox.Toolbox<Clockwork>, never, Scope.Scope>>(true)
const wrapped = Toolbox.map(box, Tool.timeout("1 minute"))
same<typeof wrapped, typeof box>(true)
const retried = Toolbox.map(box, Tool.retry({ times: 2, while: ["ECONNRESET"] }))
same<typeof retried, typeof box>(true)
const runner = ToolRunner.make(box)
same<typeof runner, Effect.Effect<ToolRunner.ToolRunner, never, Db | Clockwork>>(true)
same<ReturnType<ToolRunner.ToolRunner["execute"]>, Effect.Effect<ToolExecutionResult>>(true)

// A guard of one tool reads what its body reads.
Guard.forTool(touching, ({ at }) => {
  same<typeof at, Date>(true)
  return Guard.allow
})

// Any tool is a `Tool.Any`, and stays closed over its arguments.
const any: ReadonlyArray<Tool.Any> = [get, paint, wait, raw, composed, touching]

export { any, codeOf }
