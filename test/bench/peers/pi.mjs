/** pi-agent-core: `runAgentLoop` over a stream function that pushes its events at once. */
import { talking } from "./talking.js"

const usage = {
  input: 100,
  output: 40,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 140,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

const model = {
  id: "bench",
  name: "bench",
  api: "bench",
  provider: "bench",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1e9,
  maxTokens: 1e6,
}

/** Push one answer: texts, then calls, each with its start, its pieces and its end. */
const speak = (stream, texts, calls) => {
  const message = {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage,
    stopReason: calls.length > 0 ? "toolUse" : "stop",
    timestamp: Date.now(),
  }
  stream.push({ type: "start", partial: message })
  const text = { type: "text", text: "" }
  message.content.push(text)
  stream.push({ type: "text_start", contentIndex: 0, partial: message })
  for (const delta of texts) {
    text.text += delta
    stream.push({ type: "text_delta", contentIndex: 0, delta, partial: message })
  }
  stream.push({ type: "text_end", contentIndex: 0, content: text.text, partial: message })
  for (const call of calls) {
    const contentIndex = message.content.length
    const toolCall = { type: "toolCall", id: call.id, name: call.name, arguments: JSON.parse(call.arguments) }
    message.content.push(toolCall)
    stream.push({ type: "toolcall_start", contentIndex, partial: message })
    stream.push({ type: "toolcall_delta", contentIndex, delta: call.arguments, partial: message })
    stream.push({ type: "toolcall_end", contentIndex, toolCall, partial: message })
  }
  stream.push({ type: "done", reason: message.stopReason, message })
}

const parameters = {
  type: "object",
  properties: { path: { type: "string" }, line: { type: "integer" }, column: { type: "integer" } },
  required: ["path", "line"],
}

const toolsOf = ({ output }) =>
  ["read", "count"].map((name) => ({
    name,
    label: name,
    description: `${name} a file`,
    parameters,
    execute: async (_id, args) => ({ content: [{ type: "text", text: output(name, args) }], details: {} }),
  }))

const load = async () => {
  const [{ runAgentLoop }, { createAssistantMessageEventStream }] = await Promise.all([
    import("@earendil-works/pi-agent-core"),
    import("@earendil-works/pi-ai"),
  ])
  return (script) => {
    const { callsOf, lastWords, pieces, question } = script
    const tools = toolsOf(script)
    return async (steps, onStep = () => {}) => {
      let step = 0
      const streamFn = () => {
        step++
        const wait = onStep(step)
        const stream = createAssistantMessageEventStream()
        const answer = step > steps ? [[lastWords], []] : [pieces, callsOf(step)]
        if (wait === undefined) speak(stream, ...answer)
        else wait.then(() => speak(stream, ...answer))
        return stream
      }
      const messages = await runAgentLoop(
        [{ role: "user", content: question, timestamp: Date.now() }],
        { systemPrompt: "", messages: [], tools },
        { model, convertToLlm: (messages) => messages },
        () => {},
        undefined,
        streamFn,
      )
      if (step !== steps + 1 || messages.some(({ isError }) => isError))
        throw new Error("it did not end well")
    }
  }
}

/** One call through the checks and hooks of the loop; the text is parsed here, as its providers do. */
const oneCall = async ({ script }) => {
  const { runToolCall } = await import("@earendil-works/pi-agent-core")
  const tools = toolsOf(script)
  const context = { systemPrompt: "", messages: [], tools }
  const text = '{"path":"src/index.ts","line":12}'
  return {
    kind: "repeated",
    run: async (times) => {
      for (let time = 0; time < times; time++) {
        const call = { type: "toolCall", id: "call-1", name: "read", arguments: JSON.parse(text) }
        const { isError } = await runToolCall(call, { tools, context, assistantMessage: {} })
        if (isError) throw new Error("failed")
      }
    },
  }
}

export const peer = {
  name: "pi",
  packages: ["@earendil-works/pi-agent-core"],
  works: { "call/plain": oneCall, ...talking(load) },
}
