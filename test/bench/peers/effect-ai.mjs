/**
 * effect/ai: `LanguageModel.streamText` with calls left to the caller, who checks and runs them by `Toolkit.handle`.
 *
 * Shape: the prompt grows by `Prompt.concat`, as its `Chat` does; without the lock and the store of `Chat`.
 */
import { talking } from "./talking.js"

const usage = {
  inputTokens: { total: 100, uncached: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 40, text: 40, reasoning: 0 },
}

const speak = (texts, calls) => [
  { type: "text-start", id: "0" },
  ...texts.map((delta) => ({ type: "text-delta", id: "0", delta })),
  { type: "text-end", id: "0" },
  ...calls.flatMap(({ arguments: text, id, name }) => [
    { type: "tool-params-start", id, name },
    { type: "tool-params-delta", id, delta: text },
    { type: "tool-params-end", id },
    { type: "tool-call", id, name, params: JSON.parse(text) },
  ]),
  { type: "finish", usage, reason: calls.length > 0 ? "tool-calls" : "stop" },
]

const loadModules = async () => {
  const [effect, ai] = await Promise.all([import("effect"), import("effect/ai")])
  return { ...effect, ...ai }
}

const modelOf = ({ Effect, LanguageModel }, streamText) =>
  LanguageModel.make({ generateText: () => Effect.die(new Error("not asked for")), streamText })

const toolkitOf = ({ Effect, Schema, Tool, Toolkit }, { output }) => {
  const parameters = Schema.Struct({
    path: Schema.String,
    line: Schema.Int,
    column: Schema.optionalKey(Schema.Int),
  })
  const define = (name) =>
    Tool.make(name, { description: `${name} a file`, parameters, success: Schema.String })
  const toolkit = Toolkit.make(define("read"), define("count"))
  const run = (name) => (args) => Effect.succeed(output(name, args))
  return Effect.provide(toolkit, toolkit.toLayer({ read: run("read"), count: run("count") }))
}

/** Run one call, and give what it told. */
const answerOf =
  ({ Effect, Stream }, toolkit) =>
  ({ id, name, params }) =>
    Effect.flatMap(toolkit.handle(name, params, id), Stream.runCollect).pipe(
      Effect.map((results) => ({ id, name, ...results.at(-1) })),
    )

const load = async () => {
  const modules = await loadModules()
  const { Effect, Prompt, Stream } = modules
  return (script) => {
    const { callsOf, lastWords, pieces, question } = script
    return (steps, onStep = () => {}) => {
      let step = 0
      const streamText = () =>
        Stream.suspend(() => {
          step++
          const wait = onStep(step)
          const answer = Stream.fromIterable(
            step > steps ? speak([lastWords], []) : speak(pieces, callsOf(step)),
          )
          return wait === undefined
            ? answer
            : Stream.unwrap(
                Effect.as(
                  Effect.promise(() => wait),
                  answer,
                ),
              )
        })
      const options = { disableToolCallResolution: true, toolCallValidation: "deferred" }
      const session = Effect.gen(function* () {
        const model = yield* modelOf(modules, streamText)
        const toolkit = yield* toolkitOf(modules, script)
        const answer = answerOf(modules, toolkit)
        for (let prompt = Prompt.make(question); ; ) {
          const parts = yield* Stream.runCollect(model.streamText({ prompt, toolkit, ...options }))
          const calls = parts.filter(({ type }) => type === "tool-call")
          if (calls.length === 0) return
          const results = yield* Effect.forEach(calls, answer, { concurrency: "unbounded" })
          const told = results.map(({ encodedResult, id, isFailure, name }) =>
            Prompt.makePart("tool-result", {
              id,
              name,
              isFailure,
              result: encodedResult,
              providerExecuted: false,
            }),
          )
          const message = Prompt.toolMessage({ content: told })
          prompt = Prompt.concat(
            Prompt.concat(prompt, Prompt.fromResponseParts(parts)),
            Prompt.fromMessages([message]),
          )
        }
      })
      return Effect.runPromise(session).then(() => {
        if (step !== steps + 1) throw new Error("it did not end well")
      })
    }
  }
}

/** One call through the toolkit; the text is parsed here, as its providers do. */
const oneCall = async ({ script }) => {
  const modules = await loadModules()
  const { Effect } = modules
  const toolkit = await Effect.runPromise(toolkitOf(modules, script))
  const answer = answerOf(modules, toolkit)
  const text = '{"path":"src/index.ts","line":12}'
  const loop = Effect.fnUntraced(function* (times) {
    for (let time = 0; time < times; time++) {
      const { isFailure } = yield* answer({ id: "call-1", name: "read", params: JSON.parse(text) })
      if (isFailure) return yield* Effect.die(new Error("failed"))
    }
  })
  return { kind: "repeated", run: (times) => Effect.runPromise(loop(times)) }
}

// biome-ignore lint: a generator that awaits nothing is the point
async function* speakLong(pieces) {
  yield { type: "text-start", id: "0" }
  for (let piece = 0; piece < pieces; piece++) yield { type: "text-delta", id: "0", delta: "word " }
  yield { type: "text-end", id: "0" }
  yield { type: "finish", usage, reason: "stop" }
}

/** A queue hands on in batches what has come; where nothing comes together, it costs more than it saves. */
const inBatches =
  ({ Effect, Queue, Stream }) =>
  (parts) =>
    Stream.callback((queue) =>
      Effect.promise(async () => {
        for await (const part of parts) Queue.offerUnsafe(queue, part)
        Queue.endUnsafe(queue)
      }),
    )

const oneByOne =
  ({ Stream }) =>
  (parts) =>
    Stream.fromAsyncIterable(parts, String)

/** The pieces of one long answer, as they arrive. */
const hear = (toStream, waitFor) => async (inputs) => {
  const modules = await loadModules()
  const { Effect, Stream } = modules
  const streamOf = toStream(modules)
  return inputs.hearing((pieces) => {
    let length = 0
    const hearAll = (parts) => {
      for (const part of parts) if (part.type === "text-delta") length += part.delta.length
    }
    const heard = Effect.flatMap(
      modelOf(modules, () => streamOf(waitFor(speakLong(pieces), inputs))),
      (model) =>
        Stream.runForEachArray(model.streamText({ prompt: "Tell me." }), (parts) =>
          Effect.sync(() => hearAll(parts)),
        ),
    )
    return Effect.runPromise(heard).then(() => length)
  })
}

export const peer = {
  name: "effect-ai",
  packages: ["effect"],
  works: {
    "call/plain": oneCall,
    "stream/port": hear(inBatches, (parts) => parts),
    "stream/waiting": hear(oneByOne, (parts, { waitingFor }) => waitingFor(parts)),
    ...talking(load, { longest: 1000 }),
  },
}
