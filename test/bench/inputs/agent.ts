/**
 * An agent of ours on the scripted model: `steps` steps, each with twenty pieces and two calls, then the last words.
 *
 * Out: an Effect that runs one whole session, and a model that tells `onStep` whenever it is asked.
 */
import { Effect, Layer, Stream } from "effect"
import * as Agent from "../../../src/loop/Agent.ts"
import type { ModelChunk } from "../../../src/message/ModelChunk.ts"
import * as Model from "../../../src/model/Model.ts"
import type { Session } from "../../../src/session/Session.ts"
import * as SessionLog from "../../../src/session/SessionLog.ts"
import type { OnStep } from "./growth.ts"
import { callsOf, lastWords, pieces, question } from "./script.ts"
import { toolbox } from "./tools.ts"

const textOf = (texts: ReadonlyArray<string>): ReadonlyArray<ModelChunk> => [
  { type: "block-start", block: "0", kind: "text" },
  ...texts.map((text) => ({ type: "text-delta", block: "0", text }) as const),
  { type: "block-end", block: "0" },
]

const usage: ModelChunk = { type: "usage", usage: { inputTokens: 100, outputTokens: 40 } }
const text = textOf(pieces)

/** What the model says in a step, as chunks. */
export const chunksOf = (step: number): ReadonlyArray<ModelChunk> => [
  ...text,
  ...callsOf(step).flatMap(
    ({ arguments: given, id: callId, name }, at): ReadonlyArray<ModelChunk> => [
      { type: "block-start", block: `${at + 1}`, kind: "tool-call", callId, name },
      { type: "arguments-delta", block: `${at + 1}`, text: given },
      { type: "block-end", block: `${at + 1}` },
    ],
  ),
  usage,
  { type: "finish", finish: { kind: "tool-calls" } },
]

const last: ReadonlyArray<ModelChunk> = [
  ...textOf([lastWords]),
  usage,
  { type: "finish", finish: { kind: "stop" } },
]

export const modelOf = (steps: number, onStep: OnStep = () => {}): Layer.Layer<Model.Model> =>
  Layer.sync(Model.Model, () => {
    let step = 0
    const stream = () =>
      Stream.suspend(() => {
        step++
        const answer = Stream.fromIterable(step > steps ? last : chunksOf(step))
        const wait = onStep(step)
        return wait === undefined
          ? answer
          : Stream.unwrap(
              Effect.as(
                Effect.promise(() => wait),
                answer,
              ),
            )
      })
    return { name: "script:bench", stream }
  })

/** Run one session until the model is done; `keep` sees it before it closes. */
export const runSession = (keep: (session: Session) => Effect.Effect<void> = () => Effect.void) =>
  Effect.gen(function* () {
    const session = yield* SessionLog.create()
    const agent = yield* Agent.make({ session, tools: toolbox, limits: { steps: Number.MAX_SAFE_INTEGER } })
    const { reason, text } = yield* agent.prompt(question)
    if (reason.kind !== "completed" || text !== lastWords)
      return yield* Effect.die(new Error(`${reason.kind}: ${text}`))
    yield* keep(session)
  }).pipe(Effect.scoped)
