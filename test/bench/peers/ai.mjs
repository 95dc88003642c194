/** The AI SDK: `streamText` over a language model of its provider interface. */
import { talking } from "./talking.js"

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 40, text: 40, reasoning: 0 },
}

const speak = (texts, calls) => [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "0" },
  ...texts.map((delta) => ({ type: "text-delta", id: "0", delta })),
  { type: "text-end", id: "0" },
  ...calls.flatMap((call) => [
    { type: "tool-input-start", id: call.id, toolName: call.name },
    { type: "tool-input-delta", id: call.id, delta: call.arguments },
    { type: "tool-input-end", id: call.id },
    { type: "tool-call", toolCallId: call.id, toolName: call.name, input: call.arguments },
  ]),
  { type: "finish", usage, finishReason: { unified: calls.length > 0 ? "tool-calls" : "stop", raw: "stop" } },
]

const toStream = (parts) =>
  new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

const load = async () => {
  const [{ isStepCount, stepCountIs, streamText, tool }, { z }] = await Promise.all([
    import("ai"),
    import("zod"),
  ])
  const until = isStepCount ?? stepCountIs
  const inputSchema = z.object({ path: z.string(), line: z.int(), column: z.int().optional() })
  return ({ callsOf, lastWords, output, pieces, question }) => {
    const define = (name) =>
      tool({ description: `${name} a file`, inputSchema, execute: async (args) => output(name, args) })
    const tools = { read: define("read"), count: define("count") }
    return async (steps, onStep = async () => {}) => {
      let step = 0
      const model = {
        specificationVersion: "v4",
        provider: "bench",
        modelId: "bench",
        supportedUrls: {},
        doStream: async () => {
          step++
          await onStep(step)
          return { stream: toStream(step > steps ? speak([lastWords], []) : speak(pieces, callsOf(step))) }
        },
      }
      const result = streamText({ model, tools, prompt: question, stopWhen: until(steps + 2) })
      await result.consumeStream()
      if (step !== steps + 1 || (await result.text) !== lastWords) throw new Error("it did not end well")
    }
  }
}

// biome-ignore lint: a generator that awaits nothing is the point
async function* speakLong(pieces) {
  yield { type: "stream-start", warnings: [] }
  yield { type: "text-start", id: "0" }
  for (let piece = 0; piece < pieces; piece++) yield { type: "text-delta", id: "0", delta: "word " }
  yield { type: "text-end", id: "0" }
  yield { type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } }
}

/** The text of one long answer, as it arrives: read ahead, which costs least. */
const hear = async ({ hearing }) => {
  const { streamText } = await import("ai")
  const streamOf = (parts) =>
    new ReadableStream({
      start: async (controller) => {
        for await (const part of parts) controller.enqueue(part)
        controller.close()
      },
    })
  return hearing(async (pieces) => {
    const model = {
      specificationVersion: "v4",
      provider: "bench",
      modelId: "bench",
      supportedUrls: {},
      doStream: async () => ({ stream: streamOf(speakLong(pieces)) }),
    }
    let length = 0
    for await (const text of streamText({ model, prompt: "Tell me." }).textStream) length += text.length
    return length
  })
}

export const peer = {
  name: "ai",
  packages: ["ai", "zod"],
  works: { "stream/port": hear, ...talking(load, { longest: 1000 }) },
}
