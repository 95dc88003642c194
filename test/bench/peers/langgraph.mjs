/** LangGraph: its ready-made agent, streamed, over a chat model of LangChain. */
import { talking } from "./talking.js"

const usage = { input_tokens: 100, output_tokens: 40, total_tokens: 140 }

const loadModules = async () => {
  const [models, messages, outputs, tools, graph, { z }] = await Promise.all([
    import("@langchain/core/language_models/chat_models"),
    import("@langchain/core/messages"),
    import("@langchain/core/outputs"),
    import("@langchain/core/tools"),
    import("@langchain/langgraph/prebuilt"),
    import("zod"),
  ])
  const schema = z.object({ path: z.string(), line: z.int(), column: z.int().optional() })
  const define = (name, output) =>
    tools.tool(async (args) => output(name, args), { name, description: `${name} a file`, schema })
  return { ...models, ...messages, ...outputs, ...graph, define }
}

const modelOf = (
  { AIMessageChunk, BaseChatModel, ChatGenerationChunk },
  { callsOf, lastWords, pieces },
  steps,
  onStep,
) => {
  let step = 0
  const toChunk = (text, fields = {}) =>
    new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text, ...fields }) })
  return new (class extends BaseChatModel {
    asked = () => step
    _llmType() {
      return "bench"
    }
    bindTools() {
      return this
    }
    async _generate() {
      throw new Error("not asked for")
    }
    async *_streamResponseChunks(_messages, _options, manager) {
      step++
      await onStep(step)
      const [texts, calls] = step > steps ? [[lastWords], []] : [pieces, callsOf(step)]
      for (const text of texts) {
        yield toChunk(text)
        await manager?.handleLLMNewToken(text)
      }
      const told = calls.map((call, index) => ({ id: call.id, name: call.name, args: call.arguments, index }))
      yield toChunk("", { tool_call_chunks: told, usage_metadata: usage })
    }
  })({})
}

const load = async () => {
  const modules = await loadModules()
  return (script) => {
    const tools = ["read", "count"].map((name) => modules.define(name, script.output))
    return async (steps, onStep = async () => {}) => {
      const llm = modelOf(modules, script, steps, onStep)
      const agent = modules.createReactAgent({ llm, tools })
      let last
      const events = await agent.stream(
        { messages: [{ role: "user", content: script.question }] },
        { streamMode: ["messages", "updates"], recursionLimit: 2 * steps + 10 },
      )
      for await (const [mode, event] of events) if (mode === "updates") last = event
      if (llm.asked() !== steps + 1 || last?.agent?.messages.at(-1)?.content !== script.lastWords)
        throw new Error(`it did not end well: ${llm.asked()} requests`)
    }
  }
}

/** One call through its tool; the text is parsed here, as its messages do. */
const oneCall = async ({ script }) => {
  const { define } = await loadModules()
  const read = define("read", script.output)
  const text = '{"path":"src/index.ts","line":12}'
  return {
    kind: "repeated",
    run: async (times) => {
      for (let time = 0; time < times; time++) {
        const call = { type: "tool_call", id: "call-1", name: "read", args: JSON.parse(text) }
        const { content } = await read.invoke(call)
        if (content !== "read src/index.ts:12 ok") throw new Error("failed")
      }
    },
  }
}

export const peer = {
  name: "langgraph",
  packages: ["@langchain/langgraph", "@langchain/core", "zod"],
  works: { "call/plain": oneCall, ...talking(load, { longest: 100 }) },
}
