/** OpenAI Agents: a streamed `Runner` over a model of its interface, tracing off. */
import { talking } from "./talking.js"

const usage = { requests: 1, inputTokens: 100, outputTokens: 40, totalTokens: 140 }

const outputOf = (texts, calls) => [
  {
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: texts.join("") }],
  },
  ...calls.map((call) => ({
    type: "function_call",
    callId: call.id,
    name: call.name,
    arguments: call.arguments,
    status: "completed",
  })),
]

const toolsOf = ({ tool }, z, { output }) => {
  const parameters = z.object({ path: z.string(), line: z.int(), column: z.int().nullable().optional() })
  return ["read", "count"].map((name) =>
    tool({ name, description: `${name} a file`, parameters, execute: async (args) => output(name, args) }),
  )
}

const modelOf = ({ callsOf, lastWords, pieces }, steps, onStep) => {
  let step = 0
  return {
    asked: () => step,
    getResponse: async () => {
      throw new Error("not asked for")
    },
    async *getStreamedResponse() {
      step++
      await onStep(step)
      const [texts, calls] = step > steps ? [[lastWords], []] : [pieces, callsOf(step)]
      yield { type: "response_started" }
      for (const delta of texts) yield { type: "output_text_delta", delta }
      yield {
        type: "response_done",
        response: { id: `response-${step}`, usage, output: outputOf(texts, calls) },
      }
    },
  }
}

const loadModules = () => Promise.all([import("@openai/agents-core"), import("zod")])

const load = async () => {
  const [agents, z] = await loadModules()
  return (script) => {
    const tools = toolsOf(agents, z, script)
    const runner = new agents.Runner({ tracingDisabled: true })
    return async (steps, onStep = async () => {}) => {
      const model = modelOf(script, steps, onStep)
      const agent = new agents.Agent({ name: "bench", instructions: "", model, tools })
      const result = await runner.run(agent, script.question, { stream: true, maxTurns: steps + 2 })
      for await (const _event of result);
      await result.completed
      if (model.asked() !== steps + 1 || result.finalOutput !== script.lastWords)
        throw new Error("it did not end well")
    }
  }
}

/** One call through its tool; the text is parsed and checked there. */
const oneCall = async ({ script }) => {
  const [agents, z] = await loadModules()
  const [read] = toolsOf(agents, z, script)
  const context = new agents.RunContext()
  return {
    kind: "repeated",
    run: async (times) => {
      for (let time = 0; time < times; time++) {
        const said = await agents.invokeFunctionTool({
          tool: read,
          runContext: context,
          input: '{"path":"src/index.ts","line":12}',
        })
        if (said !== "read src/index.ts:12 ok") throw new Error(`failed: ${said}`)
      }
    },
  }
}

export const peer = {
  name: "openai-agents",
  packages: ["@openai/agents-core", "zod"],
  works: { "call/plain": oneCall, ...talking(load, { longest: 100 }) },
}
