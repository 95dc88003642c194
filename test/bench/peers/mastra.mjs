/** Mastra: `Agent.stream` over a model of the AI SDK's provider interface. */
import { talking } from "./talking.js"

const usage = { inputTokens: 100, outputTokens: 40, totalTokens: 140 }

const speak = (texts, calls) => [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "0" },
  ...texts.map((delta) => ({ type: "text-delta", id: "0", delta })),
  { type: "text-end", id: "0" },
  ...calls.map((call) => ({
    type: "tool-call",
    toolCallId: call.id,
    toolName: call.name,
    input: call.arguments,
  })),
  { type: "finish", usage, finishReason: calls.length > 0 ? "tool-calls" : "stop" },
]

const toStream = (parts) =>
  new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

const loadModules = async () => {
  const [{ Agent }, { createTool }, { noopLogger }, { z }] = await Promise.all([
    import("@mastra/core/agent"),
    import("@mastra/core/tools"),
    import("@mastra/core/logger"),
    import("zod"),
  ])
  const inputSchema = z.object({ path: z.string(), line: z.int(), column: z.int().optional() })
  const define = (id, output) =>
    createTool({ id, description: `${id} a file`, inputSchema, execute: async (args) => output(id, args) })
  return { Agent, define, noopLogger }
}

const load = async () => {
  const { Agent, define, noopLogger } = await loadModules()
  return ({ callsOf, lastWords, output, pieces, question }) => {
    const tools = { read: define("read", output), count: define("count", output) }
    return async (steps, onStep = async () => {}) => {
      let step = 0
      const model = {
        specificationVersion: "v2",
        provider: "bench",
        modelId: "bench",
        supportedUrls: {},
        doStream: async () => {
          step++
          await onStep(step)
          return { stream: toStream(step > steps ? speak([lastWords], []) : speak(pieces, callsOf(step))) }
        },
      }
      const agent = new Agent({ id: "bench", name: "bench", instructions: "Read.", model, tools })
      agent.__setLogger(noopLogger)
      const result = await agent.stream(question, { maxSteps: steps + 2 })
      const text = await result.text
      if (step !== steps + 1 || !text.endsWith(lastWords))
        throw new Error(`it did not end well: ${step} steps, ${text.slice(-40)}`)
    }
  }
}

/** One call through its tool; the text is parsed here, as its loop does. */
const oneCall = async ({ script }) => {
  const { define } = await loadModules()
  const read = define("read", script.output)
  const text = '{"path":"src/index.ts","line":12}'
  return {
    kind: "repeated",
    run: async (times) => {
      for (let time = 0; time < times; time++)
        if ((await read.execute(JSON.parse(text), {})) !== "read src/index.ts:12 ok")
          throw new Error("failed")
    },
  }
}

export const peer = {
  name: "mastra",
  packages: ["@mastra/core", "zod"],
  works: { "call/plain": oneCall, ...talking(load, { longest: 100 }) },
}
