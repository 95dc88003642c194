import { Effect } from "effect"
import { defineTool, Tool, Toolbox, ToolRunner } from "effect-harness"

const search = defineTool({
  name: "search",
  description: "Search the notes.",
  parameters: {
    query: { type: "string", required: true },
    limit: { type: "integer", minimum: 1 },
    folder: { type: "string" },
  },
  run: ({ query, limit = 10 }) => Effect.succeed(`the first ${limit} notes about ${query}`),
})

const lenient = search.pipe(Tool.lenient(["number-from-text", "null-as-absent"]))

const runner = await Effect.runPromise(ToolRunner.make(Toolbox.make(lenient)))
const result = await Effect.runPromise(
  runner.execute({
    callId: "call-1",
    name: "search",
    arguments: `{"query":"tea","limit":"3","folder":null}`,
  }),
)
for (const block of result.content) if (block.type === "text") console.log(block.text)
for (const { policy, path, before, after } of result.repairs ?? [])
  console.log(
    `${policy}: ${path.join(".")} ${JSON.stringify(before)} → ${JSON.stringify(after) ?? "left out"}`,
  )
