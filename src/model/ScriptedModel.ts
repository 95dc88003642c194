/**
 * A model that says what a script tells it to say: for tests, demos and `--model script:FILE`.
 *
 * In:  a `Script`, one step per model request.      Out: the `Model` port; the requests it saw.
 * Order: a step is spoken as reasoning, text, calls, usage, finish, in pieces of a few characters. A step that
 *        ends badly (`error`, `cutOff`) leaves its last block unfinished. A used-up script answers with empty text, or
 *        breaks the turn (`whenUsedUp`).
 * Fails with: the `ModelError` whose code a step names; `ScriptInvalid` when the text of a script is wrong.
 * Not here: files (`cli/` reads them), models that answer by themselves (`AiSdkModel.ts`).
 * Source: DESIGN "Formats that others rely on".
 */
import { Effect, Layer, Schema, Stream, Struct } from "effect"
import { Ids } from "../message/Ids.ts"
import { type BlockChunk, type ModelChunk, Usage } from "../message/ModelChunk.ts"
import { Model, type ModelRequest } from "./Model.ts"
import { byCode, type ModelError, ScriptInvalid } from "./ModelError.ts"
import { parseJson } from "./parseJson.ts"

const optional = Schema.optionalKey
const millis = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))

const ScriptCall = Schema.Struct({
  /** Absent or empty: the model makes one. */
  id: optional(Schema.String),
  name: Schema.String,
  /** The model's text, unchanged; it may be broken JSON. */
  arguments: Schema.String,
})

export const Step = Schema.Struct({
  reasoning: optional(Schema.String),
  text: optional(Schema.String),
  calls: optional(Schema.Array(ScriptCall)),
  usage: optional(Usage),
  /** Units: milliseconds before the first piece. */
  delayMillis: optional(millis),
  error: optional(
    Schema.Struct({
      code: Schema.Literals(Struct.keys(byCode)),
      message: Schema.String,
      /** Units: milliseconds. */
      retryAfterMillis: optional(millis),
    }),
  ),
  /** The stream stops without a finish. */
  cutOff: optional(Schema.Boolean),
  /** Why the model stopped, when it did so before it was done. */
  finish: optional(Schema.Literals(["max-tokens", "refused"])),
})
export interface Step extends Schema.Schema.Type<typeof Step> {}

export const Script = Schema.Struct({
  steps: Schema.Array(
    Step.check(
      Schema.makeFilter((step) => {
        const ends = (["error", "cutOff", "finish"] as const).filter((end) => step[end])
        return ends.length > 1
          ? `has both ${ends.slice(0, 2).join(" and ")}; a step ends in one way`
          : undefined
      }),
    ),
  ),
})
export interface Script extends Schema.Schema.Type<typeof Script> {}

export interface ScriptedModel {
  readonly model: Model["Service"]
  /** The requests so far, the oldest first. */
  readonly requests: () => ReadonlyArray<ModelRequest>
}

/** A script in code: a step may depend on what it is asked. */
export interface Plan {
  readonly steps: ReadonlyArray<Step | ((request: ModelRequest) => Step)>
}

export interface Options {
  /** `script:inline` unless given. */
  readonly name?: string
  /**
   * What follows the last step: `empty` text, which completes a turn, the default; or `fail`, a defect of the model, so
   * that a test sees a request too many.
   */
  readonly whenUsedUp?: "empty" | "fail"
}

/** Make a model that keeps its place in the script; each run of a stream takes the next step. */
export const make = (
  { steps }: Plan,
  { name = "script:inline", whenUsedUp = "empty" }: Options = {},
): ScriptedModel => {
  const requests: Array<ModelRequest> = []
  const stream = (request: ModelRequest) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const next = steps[requests.length]
        requests.push(request)
        if (next === undefined && whenUsedUp === "fail")
          return yield* Effect.die(new Error(`${name} has ${steps.length} steps, and was asked for another`))
        const step = typeof next === "function" ? next(request) : (next ?? { text: "" })
        const ids = yield* Ids
        if (step.delayMillis) yield* Effect.sleep(step.delayMillis)
        return speak(step, ids)
      }),
    )
  return { model: { name, stream }, requests: () => [...requests] }
}

export const layer = (plan: Plan, options?: Options): Layer.Layer<Model> =>
  Layer.sync(Model, () => make(plan, options).model)

/** Read a script from JSON. Errors: `ScriptInvalid` names the first wrong field, what is wrong and what may stand there. */
export const parse = (text: string): Effect.Effect<Script, ScriptInvalid> =>
  Effect.suspend(() => {
    const parsed = parseJson(Script, text)
    return "fault" in parsed
      ? Effect.fail(new ScriptInvalid({ message: `script: ${parsed.fault}` }))
      : Effect.succeed(parsed.value)
  })

const speak = (step: Step, ids: Ids): Stream.Stream<ModelChunk, ModelError> => {
  const blocks = chunksOf(step, ids)
  if (step.cutOff) return Stream.fromIterable(blocks.slice(0, -1))
  if (step.error) {
    const { code, ...fields } = step.error
    return Stream.concat(Stream.fromIterable(blocks.slice(0, -1)), Stream.fail(new byCode[code](fields)))
  }
  return Stream.fromIterable([
    ...blocks,
    ...(step.usage ? [{ type: "usage", usage: step.usage } as const] : []),
    { type: "finish", finish: { kind: step.finish ?? (step.calls?.length ? "tool-calls" : "stop") } },
  ])
}

const chunksOf = (step: Step, ids: Ids): ReadonlyArray<BlockChunk> => {
  const blocks: Array<ReadonlyArray<BlockChunk>> = []
  const next = () => `${blocks.length}`
  if (step.reasoning !== undefined) {
    blocks.push(
      say({ type: "block-start", block: next(), kind: "reasoning" }, "reasoning-delta", step.reasoning),
    )
  }
  if (step.text !== undefined) {
    blocks.push(say({ type: "block-start", block: next(), kind: "text" }, "text-delta", step.text))
  }
  for (const { id, name, arguments: text } of step.calls ?? []) {
    const callId = id || ids.next("call")
    const start = { type: "block-start", block: next(), kind: "tool-call", callId, name } as const
    blocks.push(say(start, "arguments-delta", text))
  }
  return blocks.flat()
}

const say = (
  start: Extract<BlockChunk, { readonly type: "block-start" }>,
  type: "text-delta" | "reasoning-delta" | "arguments-delta",
  text: string,
): ReadonlyArray<BlockChunk> => [
  start,
  ...pieces(text).map((piece) => ({ type, block: start.block, text: piece })),
  { type: "block-end", block: start.block },
]

/** Whole characters, eight at a time. */
const pieces = (text: string): ReadonlyArray<string> => text.match(/.{1,8}/gsu) ?? []
